import type { Money } from '../../base/lib/money'

/**
 * The number of decimals of the provider's smallest unit, where it is not two (docs.stripe.com/currencies, read
 * 2026-11-20: "Zero-decimal currencies", "Three-decimal currencies", "Special cases"). This is the provider's rule and
 * not ISO 4217's. ISK and UGX have no decimals, but the provider sends them with two that are always 00, so 500 UGX is
 * 5 shillings. HUF and TWD have no decimals in payouts only.
 */
const DECIMALS: ReadonlyMap<string, number> = new Map([
  ...['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA'].map((code) => [code, 0] as const),
  ...['PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'].map((code) => [code, 0] as const),
  ...['BHD', 'JOD', 'KWD', 'OMR', 'TND'].map((code) => [code, 3] as const),
])

/**
 * The money of an amount in the currency's smallest unit, as the provider counts it: 999 usd -> 9990000 micros, 500 jpy
 * -> 500000000, 5120 kwd -> 5120000. Null when the micros would not be an exact integer.
 */
export function fromSmallestUnit(amount: number, currency: string): Money | null {
  const code = currency.toUpperCase()
  const amountMicros = amount * smallestUnit(code)
  return Number.isSafeInteger(amountMicros) ? { amountMicros, currency: code } : null
}

/** The amount in the currency's smallest unit, rounded to a whole number of it. */
export const toSmallestUnit = ({ amountMicros, currency }: Money): number =>
  Math.round(amountMicros / smallestUnit(currency.toUpperCase()))

/** The micros of the currency's smallest unit: USD -> 10000. */
export const smallestUnit = (currency: string): number => 10 ** (6 - (DECIMALS.get(currency) ?? 2))
