/** A positive decimal number, exactly: `mantissa` / 10^`decimals`. */
export interface Decimal {
  mantissa: number
  decimals: number
}

/** The mantissa is a number that holds integers of 15 digits exactly. */
const MAX_DIGITS = 15
const MAX_DECIMALS = 18
const DECIMAL = /^(\d{1,15})(?:\.(\d{1,18}))?$/

/**
 * Reads a positive decimal number from its digits: no sign, no exponent, no separator, at most 15 significant digits.
 * Null for any other text, and for zero.
 */
export function readDecimal(text: string): Decimal | null {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined) return null
  const kept = fraction.replace(/0+$/, '')
  const digits = (whole + kept).replace(/^0+/, '')
  if (digits === '' || digits.length > MAX_DIGITS || kept.length > MAX_DECIMALS) return null
  return { mantissa: Number(digits), decimals: kept.length }
}

/** The shortest text of a decimal number: `1.5` for what was read from `01.50`. */
export function writeDecimal({ mantissa, decimals }: Decimal): string {
  if (decimals === 0) return String(mantissa)
  const digits = String(mantissa).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The number that is nearest to the decimal. Only for comparing sizes, never for money. */
export const roughly = ({ mantissa, decimals }: Decimal): number => mantissa / 10 ** decimals
