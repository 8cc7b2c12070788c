import { and, eq, gt, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Cell } from './cells'
import { counted, type SumScope } from './sums'

// These statements read many rows, so they run in `readInThread`.

/** How many subscribers had a purchase that was paid for at any time of a window. */
export async function countActive(handle: Handle, scope: SumScope, { start, end }: Cell): Promise<number> {
  const { figureEntries: f } = handle.tables
  const heldBefore = sql`sum(case when ${f.at} < ${start} then ${f.paidIn} - ${f.paidOut} else 0 end)`
  const began = sql`sum(case when ${f.at} >= ${start} then ${f.paidIn} else 0 end)`
  const isEntry = and(counted(f, scope), eq(f.kind, 'STATE'), lt(f.at, end))
  return countOwners(handle, isEntry, or(gt(heldBefore, 0), gt(began, 0)))
}

/** How many subscribers were charged more than nothing in a window. */
export async function countPayers(handle: Handle, scope: SumScope, { start, end }: Cell): Promise<number> {
  const { figureEntries: f } = handle.tables
  const isEntry = and(counted(f, scope), gte(f.at, start), lt(f.at, end))
  return countOwners(handle, isEntry, gt(sql`sum(${f.charges})`, 0))
}

/** The number of owners of the purchases whose entries fulfil a condition. */
async function countOwners(handle: Handle, isEntry: SQL | undefined, isCounted: SQL | undefined): Promise<number> {
  const { figureEntries: f, purchases: p } = handle.tables
  const found = handle.db.select({ id: f.purchaseId }).from(f).where(isEntry).groupBy(f.purchaseId).having(isCounted)
  const [row] = await handle.db
    .select({ count: sql<number | string>`count(distinct ${p.subscriberId})` })
    .from(p)
    .where(inArray(p.id, found))
  return Number(row?.count ?? 0)
}

/** What each subscriber who was charged in a window has paid so far, less what they got back; USD micros, ascending. */
export async function netOfPayers(handle: Handle, scope: SumScope, { start, end }: Cell): Promise<number[]> {
  const { figureEntries: f, purchases: p } = handle.tables
  const charged = sql`sum(case when ${f.at} >= ${start} and ${f.at} < ${end} then ${f.charges} else 0 end)`
  const net = sql<number | string>`sum(${f.gross} - ${f.refunds})`.as('net')
  const rows = await handle.db
    .select({ net })
    .from(f)
    .innerJoin(p, eq(p.id, f.purchaseId))
    .where(counted(f, scope))
    .groupBy(p.subscriberId)
    .having(gt(charged, 0))
  return rows.map((row) => Number(row.net)).sort((a, b) => a - b)
}
