import type { Money } from '../../base/lib/money'

/** The price of a charge as its group: `9.99 EUR`. Null when the store did not tell it. */
export function pricePoint(price: Money | null | undefined): string | null {
  if (!price) return null
  const size = Math.abs(price.amountMicros)
  const fraction = String(size % 1_000_000)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '')
  return `${price.amountMicros < 0 ? '-' : ''}${Math.floor(size / 1_000_000)}.${fraction} ${price.currency}`
}
