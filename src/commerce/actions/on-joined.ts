import { eq } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import type { JoinedPurchases } from '../../intake/recording/on-recorded'

/** Scheduled actions stay with the purchase that stays. */
export async function joinActions(tx: Tx, { survivorId, mergedIds }: JoinedPurchases): Promise<void> {
  const { scheduledActions: a } = tx.tables
  for (const id of mergedIds) await tx.db.update(a).set({ purchaseId: survivorId }).where(eq(a.purchaseId, id))
}
