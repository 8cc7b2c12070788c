import { and, desc, eq, gte, lt, or, sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import type { Cell } from '../figures/cells'
import type { SumScope } from '../figures/sums'
import type { ReadRows } from './chart'

/** The subscribers that were created in a cell. */
export async function countCreated(handle: Handle, scope: SumScope, cell: Cell): Promise<number> {
  const [row] = await handle.db
    .select({ count: sql<number | string>`count(*)` })
    .from(handle.tables.subscribers)
    .where(createdIn(handle, scope, cell))
  return Number(row?.count ?? 0)
}

export const createdRows: ReadRows = async (handle, scope, cell, { after, limit }) => {
  const { subscribers: s } = handle.tables
  const isAfter = after && or(lt(s.createdAt, after.at), and(eq(s.createdAt, after.at), lt(s.id, after.tie)))
  const rows = await handle.db
    .select({ id: s.id, at: s.createdAt })
    .from(s)
    .where(and(createdIn(handle, scope, cell), isAfter ?? undefined))
    .orderBy(desc(s.createdAt), desc(s.id))
    .limit(limit)
  return rows.map(({ id, at }) => ({
    ...{ purchaseId: null, transactionId: null, subscriberId: id, at },
    ...{ productIdentifier: null, store: null, contribution: 1, tie: id },
  }))
}

function createdIn({ tables: { subscribers: s } }: Handle, { projectId }: SumScope, { start, end }: Cell) {
  return and(eq(s.projectId, projectId), gte(s.createdAt, start), lt(s.createdAt, end))
}
