import { and, desc, eq, gte, lt, ne, or, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Cell } from '../figures/cells'
import type { SumScope } from '../figures/sums'
import type { ReadRows } from './chart'

/** The webhook deliveries that were made in a cell, without tests and without what was skipped. */
export async function countDeliveries(handle: Handle, scope: SumScope, cell: Cell) {
  const { deliveries: d } = handle.tables
  const [row] = await handle.db
    .select({
      made: sql<number | string>`count(*)`,
      succeeded: sql<number | string>`coalesce(sum(case when ${d.status} = 'SUCCEEDED' then 1 else 0 end), 0)`,
    })
    .from(d)
    .where(madeIn(handle, scope, cell))
  return { made: Number(row?.made ?? 0), succeeded: Number(row?.succeeded ?? 0) }
}

/** A row for each of them, or for each that succeeded. */
export const deliveryRows =
  (which: 'ALL' | 'SUCCEEDED'): ReadRows =>
  async (handle, scope, cell, { after, limit }) => {
    const { deliveries: d } = handle.tables
    const isAfter =
      after && or(lt(d.createdAt, after.at), and(eq(d.createdAt, after.at), lt(d.position, Number(after.tie))))
    const isOwn = which === 'SUCCEEDED' ? eq(d.status, 'SUCCEEDED') : undefined
    const rows = await handle.db
      .select({ position: d.position, subscriberId: d.subscriberId, at: d.createdAt })
      .from(d)
      .where(and(madeIn(handle, scope, cell), isOwn, isAfter ?? undefined))
      .orderBy(desc(d.createdAt), desc(d.position))
      .limit(limit)
    return rows.map(({ position, subscriberId, at }) => ({
      ...{ purchaseId: null, transactionId: null, subscriberId, at },
      ...{ productIdentifier: null, store: null, contribution: 1, tie: String(position) },
    }))
  }

function madeIn({ tables: { deliveries: d } }: Handle, { projectId }: SumScope, { start, end }: Cell) {
  return and(
    eq(d.projectId, projectId),
    eq(d.kind, 'WEBHOOK'),
    eq(d.isTest, false),
    ne(d.status, 'SKIPPED'),
    gte(d.createdAt, start),
    lt(d.createdAt, end),
  )
}
