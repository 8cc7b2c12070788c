import { divideHalfAway } from '../../core/money/money'

/**
 * A decimal of the provider times a count, rounded half up to a whole number: '12.5' times 3 is 38. The provider rounds a
 * line after it was multiplied. Its library gives decimals as objects whose text is the number, its API as text. Null for
 * any other value, for a negative one, and for a product that is no exact integer.
 */
export function timesDecimal(decimal: unknown, count: number): number | null {
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,12}))?$/.exec(textOf(decimal)) ?? []
  if (whole === undefined || !Number.isSafeInteger(count)) return null
  const scale = 10n ** BigInt(fraction.length)
  const product = BigInt(whole + fraction) * BigInt(count)
  const rounded = Number(divideHalfAway(product, scale))
  return Number.isSafeInteger(rounded) ? rounded : null
}

function textOf(decimal: unknown): string {
  if (typeof decimal === 'string') return decimal
  const isObject = typeof decimal === 'object' && decimal !== null
  return isObject && 'toFixed' in decimal ? String(decimal) : ''
}
