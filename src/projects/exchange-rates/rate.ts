import { divideHalfAway } from '../../core/money/money'
import { type Decimal, readDecimal, roughly, writeDecimal } from './decimal'

/**
 * The price of one unit of a currency in US dollars, exactly: `dividend` / `divisor`. The European Central Bank states
 * units per euro, so its price of a yen is dollars per euro / yen per euro, which no decimal number holds exactly.
 */
export interface Rate {
  dividend: Decimal
  divisor: Decimal
}

export const ONE: Decimal = { mantissa: 1, decimals: 0 }

/** One dollar in dollars. */
export const PAR: Rate = { dividend: ONE, divisor: ONE }

/** `0.029`, or `1.0852/162.03`: how rates are stored and shown. */
export const writeRate = ({ dividend, divisor }: Rate): string =>
  divisor.mantissa === 1 && divisor.decimals === 0
    ? writeDecimal(dividend)
    : `${writeDecimal(dividend)}/${writeDecimal(divisor)}`

export function readRate(text: string): Rate | null {
  const [first = '', second = '1', ...rest] = text.split('/')
  const [dividend, divisor] = [readDecimal(first), readDecimal(second)]
  return dividend && divisor && rest.length === 0 ? { dividend, divisor } : null
}

/** The number that is nearest to the rate. Only for comparing sizes, never for money. */
export const roughRate = ({ dividend, divisor }: Rate): number => roughly(dividend) / roughly(divisor)

/**
 * Micros of an amount times a rate, rounded half away from zero: -0.5 becomes -1. Null when the result is no integer
 * that a number holds exactly.
 */
export const times = (micros: number, { dividend, divisor }: Rate): number | null => scaled(micros, dividend, divisor)

/** Micros of an amount divided by a rate, rounded half away from zero. Null as for `times`. */
export const dividedBy = (micros: number, { dividend, divisor }: Rate): number | null =>
  scaled(micros, divisor, dividend)

function scaled(micros: number, by: Decimal, under: Decimal): number | null {
  if (by === under && Number.isSafeInteger(micros)) return micros + 0 // Zero is never negative.
  const above = BigInt(micros) * BigInt(by.mantissa) * 10n ** BigInt(under.decimals)
  const below = BigInt(under.mantissa) * 10n ** BigInt(by.decimals)
  const rounded = Number(divideHalfAway(above, below))
  return Number.isSafeInteger(rounded) ? rounded : null
}
