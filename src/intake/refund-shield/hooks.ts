import { and, asc, eq, inArray, or } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { OnExport } from '../../people/subscribers/hooks'
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

/** For the data export of a person: what the iOS store asked about refunds, whether it was answered, and the outcome. */
export const exportRefundRequests: OnExport = ({ db, tables }, _project, { ids }) => ({
  'store-messages.jsonl': (async function* () {
    const { refundShieldResponses: r, purchases: p } = tables
    const isOwn = or(inArray(r.subscriberId, [...ids]), inArray(p.subscriberId, [...ids]))
    const found = db.select({ row: r }).from(r).leftJoin(p, eq(p.id, r.purchaseId))
    for (const { row } of await found.where(isOwn).orderBy(asc(r.id)))
      yield {
        ...{ record: 'refundRequest', id: row.id, store: 'IOS_STORE', transactionId: row.transactionId },
        ...{ purchaseId: row.purchaseId, status: row.status, outcome: row.outcome },
        ...{ askedAt: toIso(row.askedAt), sentAt: toIsoOrNull(row.sentAt), outcomeAt: toIsoOrNull(row.outcomeAt) },
      }
  })(),
})
