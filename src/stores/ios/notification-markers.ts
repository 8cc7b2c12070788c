import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Money } from '../../base/lib/money'
import type { Marker, TransactionPart } from '../observation'
import type { DecodedTransaction } from './decode'
import type { Envelope } from './notification-envelope'

/** What newer payloads say about a refund, besides its date. */
const RefundTerms = Type.Object(
  {
    revocationType: Type.Optional(Type.String({ maxLength: 256 })),
    /** Thousandths of a percent of the whole price: 67932 is 67.932 %. */
    revocationPercentage: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
  },
  { additionalProperties: true },
)
export type RefundTerms = Static<typeof RefundTerms>

const WHOLE = 100_000

/** Null when a member is present but invalid. */
export const readRefundTerms = (payload: unknown): RefundTerms | null =>
  Value.Check(RefundTerms, payload) ? payload : null

/**
 * The markers of a notification: those of its transaction, equal to the markers from a receipt of it, and the one that
 * follows from the type of the notification.
 */
export function tellMarkers(
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

/**
 * The amount that a refund returns; null = the whole price. A part of the price is rounded half up to the micro: 33.333
 * % of 9.99 is 3329967 micros.
 */
export function refundedAmount(price: Money | null, { revocationPercentage = WHOLE }: RefundTerms): Money | null {
  if (price === null || revocationPercentage === WHOLE) return null
  // The product of both numbers can be larger than the exact integers of a `number`.
  const thousandths = BigInt(price.amountMicros) * BigInt(revocationPercentage)
  return { ...price, amountMicros: Number((thousandths + BigInt(WHOLE / 2)) / BigInt(WHOLE)) }
}
