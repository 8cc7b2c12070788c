import type { PurchaseImages } from './event'

/** Amounts in whole units; null = unknown, 0 = no money moved. Negative when money was given back. */
export interface Prices {
  /** In US dollars. */
  price: number | null
  price_in_purchased_currency: number | null
  currency: string | null
}

const MICROS = 1_000_000

/** Events that a charge causes. */
const CHARGES = new Set([
  'purchase.initial',
  'purchase.trial_converted',
  'purchase.renewed',
  'purchase.non_renewing',
  'purchase.recovered',
  'purchase.resumed',
])

const RETURNS = new Set(['purchase.refunded', 'purchase.refund_reversed'])

/** What the money line of an event moved. Example: a refund of 8.99 EUR is -8.99, and -10.46952 US dollars. */
export function pricesOf(eventType: string, images: PurchaseImages, movesMoney: boolean): Prices {
  const { after, transaction } = images
  const currency = transaction?.price?.currency ?? after.price?.currency ?? null
  const isFree =
    !movesMoney || after.store === 'MANUAL' || after.ownershipType === 'FAMILY_SHARED' || transaction?.kind === 'TRIAL'
  if (isFree) return { ...same(0), currency }
  if (transaction === null) return { ...same(isUnknown(eventType, images) ? null : 0), currency }
  const amount = transaction.price?.amountMicros ?? null
  const usd = amount === 0 ? 0 : transaction.usdMicros
  return {
    price: toUnits(eventType, usd),
    price_in_purchased_currency: toUnits(eventType, amount),
    currency,
  }
}

const same = (amount: number | null) => ({ price: amount, price_in_purchased_currency: amount })

/**
 * Without a money line, money moved only if the store did not say how much: then the purchase has no price either. A
 * charge also has a transaction that is not the one before.
 */
function isUnknown(eventType: string, { before, after }: PurchaseImages): boolean {
  if (after.price !== null || after.isTrial) return false
  if (RETURNS.has(eventType)) return true
  return CHARGES.has(eventType) && before?.storeTransactionId !== after.storeTransactionId
}

function toUnits(eventType: string, micros: number | null): number | null {
  if (micros === null) return null
  if (micros === 0) return 0
  const size = Math.abs(micros) / MICROS
  if (eventType === 'purchase.refunded') return -size
  return eventType === 'purchase.refund_reversed' ? size : micros / MICROS
}

/** The rest after a commission, without the noise of binary fractions: 1 - 0.15 = 0.85. */
export const takeHomeOf = (commission: number | null): number | null =>
  commission === null ? null : Math.round((1 - commission) * MICROS) / MICROS
