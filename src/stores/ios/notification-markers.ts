import type { Marker, TransactionPart } from '../observation'
import type { DecodedTransaction } from './decode'
import type { SealedEnvelope } from './notification-envelope'
import { type RefundTerms, termsOf } from './refund-terms'

/**
 * The markers of a notification: those of its transaction, equal to the markers from a receipt of it, and the one that
 * follows from its type or from the state of the subscription.
 */
export function notificationMarkers(
  { type, signedAt, status }: Pick<SealedEnvelope, 'type' | 'signedAt' | 'status'>,
  transaction: DecodedTransaction,
  part: TransactionPart,
  terms: RefundTerms,
): Marker[] {
  const { transactionId } = part
  const carried = transaction.observations
    .filter((one): one is Marker => one.kind !== 'REPORT')
    .map((marker) => (marker.kind === 'REFUND' ? { ...marker, ...termsOf(part.price, terms) } : marker))
  const kind = MEANT.get(type)
  if (!kind && status === REVOKED && carried.length === 0) return [revokedMarker(part, signedAt)]
  if (!kind || carried.some((marker) => marker.kind === kind)) return carried
  const revokedAt = carried[0]?.eventAt ?? signedAt
  const eventAt = kind === 'REVERSAL' ? signedAt : revokedAt
  const returned = kind === 'REFUND' ? termsOf(part.price, terms) : { amount: null }
  return [
    ...carried,
    { kind, id: `${kind.toLowerCase()}:${transactionId}@${revokedAt}`, eventAt, transactionId, ...returned },
  ]
}

const REVOKED = 5

/** The state alone ends the access. How much was returned, the notification of the refund says. */
function revokedMarker({ transactionId, ownershipType, price }: TransactionPart, eventAt: number): Marker {
  const kind = ownershipType === 'FAMILY_SHARED' ? 'REVOCATION' : 'REFUND'
  const nothing = { amountMicros: 0, currency: price?.currency ?? 'USD' }
  const about = { kind, id: `${kind.toLowerCase()}:${transactionId}@${eventAt}`, eventAt, transactionId } as const
  return kind === 'REFUND' ? { ...about, amount: nothing, endsAccess: true } : { ...about, amount: null }
}

const MEANT: ReadonlyMap<string, Marker['kind']> = new Map([
  ['REFUND', 'REFUND'],
  ['REVOKE', 'REVOCATION'],
  ['REFUND_REVERSED', 'REVERSAL'],
])
