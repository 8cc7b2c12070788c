import { and, desc, eq, gt, gte, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Cell } from '../figures/cells'
import { counted, type SumScope } from '../figures/sums'
import type { ReadRows } from './chart'

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
    return rows.map(({ subscriberId, at }) => ({
      ...{ purchaseId: null, transactionId: null, subscriberId, at: Number(at) },
      ...{ productIdentifier: null, store: null, contribution: 1, tie: subscriberId },
    }))
  }

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
