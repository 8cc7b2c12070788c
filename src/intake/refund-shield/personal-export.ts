import { asc, eq, inArray, or } from 'drizzle-orm'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { OnExport } from '../../people/subscribers/hooks'

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
