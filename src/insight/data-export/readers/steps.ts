import { and, asc, type Column, eq, gt, lte, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import { STATUSES } from '../../../core/purchase/status'

export interface Step {
  /** The rows of this page. */
  where: SQL | undefined
  /** The last position of the page; null = it is the last page. */
  next: string | null
  seen: number
}

interface StepQuestion {
  table: Handle['tables'][keyof Handle['tables']]
  /** Ascending and unique; with `own` an index gives it without a look at the rows. */
  position: Column
  own: SQL
  after: string | number | null
  size: number
}

/**
 * The next `size` positions of a list. Where they end is found in the index alone, and the page then reads a range that
 * cannot grow, even when the window has none of its rows.
 */
export async function nextStep({ db }: Handle, question: StepQuestion): Promise<Step> {
  const { table, position, own, after, size } = question
  const isLater = after === null ? own : and(own, gt(position, after))
  const found = db.select({ at: sql<string | number>`${position}` }).from(table)
  const [last] = await found
    .where(isLater)
    .orderBy(asc(position))
    .limit(1)
    .offset(size - 1)
  if (last === undefined) return { where: isLater, next: null, seen: size }
  return { where: and(isLater, lte(position, last.at)), next: String(last.at), seen: size }
}

/** The next purchases and unlisted sales of a project in the order of their ids. */
export async function nextRecordedIds(
  handle: Handle,
  projectId: string,
  after: string | null,
  size: number,
): Promise<string[]> {
  const { unlistedSales: u } = handle.tables
  const own = and(eq(u.projectId, projectId), gt(u.id, after ?? ''))
  const sales = await handle.db.select({ id: u.id }).from(u).where(own).orderBy(asc(u.id)).limit(size)
  const purchases = await nextPurchaseIds(handle, projectId, after, size)
  // A sale that becomes a purchase keeps its id.
  return [...new Set([...purchases, ...sales.map(({ id }) => id)])].sort().slice(0, size)
}

/**
 * The next purchases of a project in the order of their ids. The project's purchases are indexed by status, so the
 * beginnings of the eight lists are merged.
 */
export async function nextPurchaseIds(
  { db, tables }: Handle,
  projectId: string,
  after: string | null,
  size: number,
): Promise<string[]> {
  const { purchases: p } = tables
  const parts = STATUSES.map((status) => {
    const own = sql`${p.projectId} = ${projectId} and ${p.status} = ${status} and ${p.id} > ${after ?? ''}`
    return sql`select * from (select ${p.id} as id from ${p} where ${own} order by ${p.id} limit ${size}) as part`
  })
  const all = sql`(${sql.join(parts, sql` union all `)}) as merged`
  const rows = await db.select({ id: sql<string>`id` }).from(all).orderBy(sql`id`).limit(size)
  return rows.map(({ id }) => id)
}
