import { and, desc, eq, gte, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { PurchaseEnvironment } from '../../stores/observation'
import type { Cell } from '../figures/cells'
import type { SumScope } from '../figures/sums'
import type { ReadRows } from './chart'

/** Of a project, in one environment: who bought only in the sandbox is in the sandbox, everybody else in production. */
export interface PeopleOf {
  projectId: string
  environment: PurchaseEnvironment
}

/** How many subscribers were seen for the first time in each cell; those of an import, when the import says. */
export async function countNewPeople(handle: Handle, of: PeopleOf, cells: readonly Cell[]): Promise<number[]> {
  const tested = await listSandboxPeople(handle, of.projectId, cells)
  const inSandbox = cells.map(({ start, end }) => tested.filter((at) => at >= start && at < end).length)
  if (of.environment === 'SANDBOX') return inSandbox
  const all = await countSeen(handle, of.projectId, cells)
  return all.map((count, index) => count - (inSandbox[index] ?? 0))
}

async function countSeen({ db, tables }: Handle, projectId: string, cells: readonly Cell[]): Promise<number[]> {
  const { subscribers: s } = tables
  const countOf = ({ start, end }: Cell) => {
    const isIn = and(eq(s.projectId, projectId), gte(s.firstSeenAt, start), lt(s.firstSeenAt, end))
    return sql<number | string>`(select count(*) from ${s} where ${isIn})`
  }
  const columns = Object.fromEntries(cells.map((cell, index) => [`cell${index}`, countOf(cell)]))
  const [row] = await db.select(columns).from(sql`(select 1) as one`)
  return cells.map((_, index) => Number(row?.[`cell${index}`] ?? 0))
}

/** When those who bought only in the sandbox were first seen, within the cells. It starts with the few who bought there. */
async function listSandboxPeople(handle: Handle, projectId: string, cells: readonly Cell[]): Promise<number[]> {
  const { subscribers: s, purchases: p } = handle.tables
  const [first, last] = [Math.min(...cells.map(({ start }) => start)), Math.max(...cells.map(({ end }) => end))]
  if (!(first < last)) return []
  const buyers = handle.db
    .selectDistinct({ id: p.subscriberId })
    .from(p)
    .where(and(eq(p.projectId, projectId), sql`environment = 'SANDBOX' and store <> 'MANUAL'`))
    .as('buyers')
  const rows = await handle.db
    .select({ at: s.firstSeenAt })
    .from(buyers)
    .innerJoin(s, or(eq(s.id, buyers.id), eq(s.mergedInto, buyers.id)))
    .where(
      and(eq(s.projectId, projectId), gte(s.firstSeenAt, first), lt(s.firstSeenAt, last), boughtNothingReal(handle)),
    )
  return rows.map(({ at }) => at)
}

/** Whether a person, or the one that they were merged with, bought nothing in production. */
function boughtNothingReal({ tables: { subscribers: s, purchases: p } }: Handle): SQL {
  const isOwn = eq(p.subscriberId, sql`coalesce(${s.mergedInto}, ${s.id})`)
  return sql`not exists (select 1 from ${p} where ${and(isOwn, eq(p.environment, 'PRODUCTION'), ne(p.store, 'MANUAL'))})`
}

function isSandboxPerson(handle: Handle): SQL {
  const { subscribers: s, purchases: p } = handle.tables
  const isOwn = eq(p.subscriberId, sql`coalesce(${s.mergedInto}, ${s.id})`)
  const hasTested = sql`exists (select 1 from ${p} where ${and(isOwn, eq(p.environment, 'SANDBOX'), ne(p.store, 'MANUAL'))})`
  return sql`(${hasTested} and ${boughtNothingReal(handle)})`
}

export const newRows: ReadRows = async (handle, scope, cell, { after, limit }) => {
  const { subscribers: s } = handle.tables
  const isAfter = after && or(lt(s.firstSeenAt, after.at), and(eq(s.firstSeenAt, after.at), lt(s.id, after.tie)))
  const isOfEnvironment =
    scope.environment === 'SANDBOX' ? isSandboxPerson(handle) : sql`not ${isSandboxPerson(handle)}`
  const rows = await handle.db
    .select({ id: s.id, at: s.firstSeenAt })
    .from(s)
    .where(and(seenFirstIn(handle, scope, cell), isOfEnvironment, isAfter ?? undefined))
    .orderBy(desc(s.firstSeenAt), desc(s.id))
    .limit(limit)
  return rows.map(({ id, at }) => ({
    ...{ purchaseId: null, transactionId: null, subscriberId: id, at },
    ...{ productIdentifier: null, store: null, contribution: 1, tie: id },
  }))
}

function seenFirstIn({ tables: { subscribers: s } }: Handle, { projectId }: SumScope, { start, end }: Cell) {
  return and(eq(s.projectId, projectId), gte(s.firstSeenAt, start), lt(s.firstSeenAt, end))
}
