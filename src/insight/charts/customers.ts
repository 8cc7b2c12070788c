import { and, desc, eq, gt, gte, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Cell } from '../figures/cells'
import { counted, type SumScope } from '../figures/sums'
import type { ChartRow, ReadRows } from './chart'

// These statements read many rows, so they run in `readInThread`.

/** `PAYING`: was charged more than nothing in the cell. `NEW`: was not before it. */
export type CustomerKind = 'PAYING' | 'NEW'

/** Subscribers of a kind in a cell. */
export async function countCustomers(handle: Handle, scope: SumScope, cell: Cell, kind: CustomerKind): Promise<number> {
  const customers = customersOf(handle, scope, cell, kind).as('customers')
  const [row] = await handle.db.select({ count: sql<number | string>`count(*)` }).from(customers)
  return Number(row?.count ?? 0)
}

/** A row for each of them, by their first charge of the cell. */
export const customerRows =
  (kind: CustomerKind): ReadRows =>
  async (handle, scope, cell, { after, limit }) => {
    const c = customersOf(handle, scope, cell, kind).as('customers')
    const isAfter = after && or(lt(c.at, after.at), and(eq(c.at, after.at), lt(c.subscriberId, after.tie)))
    const rows = await handle.db
      .select({ subscriberId: c.subscriberId, at: c.at })
      .from(c)
      .where(isAfter ?? undefined)
      .orderBy(desc(c.at), desc(c.subscriberId))
      .limit(limit)
    return rows.map(({ subscriberId, at }) => toRow(subscriberId, Number(at)))
  }

/** A row for each subscriber who had a paid subscription at any time of the cell, by when it was paid for first. */
export const activeSubscriberRows: ReadRows = async (handle, scope, { start, end }, { after, limit }) => {
  const { figureEntries: f, purchases: p } = handle.tables
  const heldBefore = sql`sum(case when ${f.at} < ${start} then ${f.paidIn} - ${f.paidOut} else 0 end)`
  const began = sql`sum(case when ${f.at} >= ${start} then ${f.paidIn} else 0 end)`
  const paidAt = sql<number>`min(case when ${f.paidIn} > 0 then ${f.at} end)`.as('paid_at')
  const paid = handle.db
    .select({ purchaseId: f.purchaseId, paidAt })
    .from(f)
    .where(and(counted(f, scope), eq(f.kind, 'STATE'), lt(f.at, end)))
    .groupBy(f.purchaseId)
    .having(or(gt(heldBefore, 0), gt(began, 0)))
    .as('paid')
  const at = sql<number>`min(${paid.paidAt})`
  const isAfter = after && or(lt(at, after.at), and(sql`${at} = ${after.at}`, lt(p.subscriberId, after.tie)))
  const rows = await handle.db
    .select({ subscriberId: p.subscriberId, at: at.mapWith(Number) })
    .from(paid)
    .innerJoin(p, eq(p.id, paid.purchaseId))
    .groupBy(p.subscriberId)
    .having(isAfter ?? undefined)
    .orderBy(desc(at), desc(p.subscriberId))
    .limit(limit)
  return rows.map((row) => toRow(row.subscriberId, Number(row.at)))
}

const toRow = (subscriberId: string, at: number): ChartRow => ({
  ...{ purchaseId: null, transactionId: null, subscriberId, at },
  ...{ productIdentifier: null, store: null, contribution: 1, tie: subscriberId },
})

function customersOf(handle: Handle, scope: SumScope, { start, end }: Cell, kind: CustomerKind) {
  const { figureEntries: f, purchases: p } = handle.tables
  const chargedIn = sql`sum(case when ${f.at} >= ${start} then ${f.charges} else 0 end)`
  const chargedBefore = sql`sum(case when ${f.at} < ${start} then ${f.charges} else 0 end)`
  const isNew: SQL | undefined = kind === 'NEW' ? eq(chargedBefore, 0) : undefined
  const since = kind === 'NEW' ? undefined : gte(f.at, start)
  const first = sql<number>`min(case when ${f.at} >= ${start} and ${f.charges} > 0 then ${f.at} end)`
  return handle.db
    .select({ subscriberId: p.subscriberId, at: first.as('first_at') })
    .from(f)
    .innerJoin(p, eq(p.id, f.purchaseId))
    .where(and(counted(f, scope), since, lt(f.at, end)))
    .groupBy(p.subscriberId)
    .having(and(gt(chargedIn, 0), isNew))
}
