import type { Marker, TransactionPart } from '../observation'
import type { DecodedTransaction } from './decode'
import type { Envelope } from './notification-envelope'
import { type RefundTerms, refundedAmount } from './refund-terms'

/**
 * The markers of a notification: those of its transaction, equal to the markers from a receipt of it, and the one that
 * follows from the type of the notification.
 */
export function notificationMarkers(
  { type, signedAt }: Pick<Envelope, 'type' | 'signedAt'>,
  transaction: DecodedTransaction,
  part: TransactionPart,
  terms: RefundTerms,
): Marker[] {
  const { transactionId } = transaction
  const carried = transaction.observations
    .filter((one): one is Marker => one.kind !== 'REPORT')
    .map((marker) => (marker.kind === 'REFUND' ? { ...marker, amount: refundedAmount(part.price, terms) } : marker))
  const kind = MEANT.get(type)
  if (!kind || carried.some((marker) => marker.kind === kind)) return carried
  const revokedAt = carried[0]?.eventAt ?? signedAt
  const eventAt = kind === 'REVERSAL' ? signedAt : revokedAt
  const amount = kind === 'REFUND' ? refundedAmount(part.price, terms) : null
  return [
    ...carried,
    { kind, id: `${kind.toLowerCase()}:${transactionId}@${revokedAt}`, eventAt, transactionId, amount },
  ]
}

const MEANT: ReadonlyMap<string, Marker['kind']> = new Map([
  ['REFUND', 'REFUND'],
  ['REVOKE', 'REVOCATION'],
  ['REFUND_REVERSED', 'REVERSAL'],
])
