import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Money } from '../../base/lib/money'
import { divideHalfAway } from '../../core/money/money'
import type { Marker } from '../observation'

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
 * The amount that a refund returns; null = the whole price. A part of the price is rounded half up to the micro: 33.333
 * % of 9.99 is 3329967 micros.
 */
export function refundedAmount(price: Money | null, { revocationPercentage = WHOLE }: RefundTerms): Money | null {
  if (price === null || revocationPercentage === WHOLE) return null
  // The product of both numbers can be larger than the exact integers of a `number`.
  const thousandths = BigInt(price.amountMicros) * BigInt(revocationPercentage)
  return { ...price, amountMicros: Number(divideHalfAway(thousandths, BigInt(WHOLE))) }
}

/** A refund of a part ends the access like one of the whole price; the part decides only how much money was returned. */
export function termsOf(
  price: Money | null,
  terms: RefundTerms,
): Pick<Marker, 'amount'> & Partial<Pick<Marker, 'share' | 'endsAccess'>> {
  const { revocationPercentage: share = WHOLE } = terms
  return share === WHOLE ? { amount: null } : { amount: refundedAmount(price, terms), share, endsAccess: true }
}
