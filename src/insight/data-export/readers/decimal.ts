/** An amount of micros as a decimal number in the main unit, exactly: 9990000 is `9.99`. */
export function toDecimal(micros: number): string {
  const digits = String(Math.abs(micros)).padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0+$/, '')
  return `${micros < 0 ? '-' : ''}${digits.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`}`
}

export const toDecimalOrNull = (micros: number | null | undefined): string | null =>
  micros === null || micros === undefined ? null : toDecimal(micros)
