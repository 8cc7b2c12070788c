export const MICROS = 1_000_000

/** Micros as units of the currency: 9990000 is 9.99. Only for output, never to compute with. */
export const unitsOf = (micros: number): number => micros / MICROS

/** Micros as units with two decimals, rounded: 9990000 is `9.99`, and 12000000 is `12.00`. */
export const twoDecimals = (micros: number): string => unitsOf(micros).toFixed(2)

/** Micros as a decimal: 9990000 is `9.99`. Without zeros at the end, but for those up to `digits`. */
export function toDecimal(micros: number, digits = 0): string {
  const size = Math.abs(micros)
  const fraction = String(size % MICROS)
    .padStart(6, '0')
    .replace(/0+$/, '')
    .padEnd(digits, '0')
  const text = `${Math.floor(size / MICROS)}${fraction === '' ? '' : `.${fraction}`}`
  return micros < 0 ? `-${text}` : text
}

export const toDecimalOrNull = (micros: number | null | undefined): string | null =>
  micros === null || micros === undefined ? null : toDecimal(micros)

/** Micros of a decimal with at most six digits behind the point. */
export function fromDecimal(decimal: string): bigint {
  const isNegative = decimal.startsWith('-')
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.')
  const micros = BigInt(whole + fraction.padEnd(6, '0'))
  return isNegative ? -micros : micros
}

/** A whole number, halves away from zero: `Math.round` rounds -0.5 to 0. */
export const roundHalfAway = (value: number): number => Math.sign(value) * Math.round(Math.abs(value))

/** A quotient of whole numbers, halves away from zero. `under` is above zero. */
export function divideHalfAway(over: bigint, under: bigint): bigint {
  const size = over < 0n ? -over : over
  const rounded = (2n * size + under) / (2n * under)
  return over < 0n ? -rounded : rounded
}
