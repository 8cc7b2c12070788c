import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { JoinedPurchases } from '../recording/on-recorded'

/** Requests of the store about a purchase stay with the one that stays. */
export async function joinRequests(
  tx: Tx,
  { projectId, survivorId, mergedIds, transactionIds }: JoinedPurchases,
): Promise<void> {
  const { refundShieldResponses: r } = tx.tables
  // By the transactions, for which there is an index.
  const isOne = and(
    eq(r.projectId, projectId),
    inArray(r.transactionId, [...transactionIds]),
    inArray(r.purchaseId, [...mergedIds]),
  )
  await tx.db.update(r).set({ purchaseId: survivorId }).where(isOne)
}
