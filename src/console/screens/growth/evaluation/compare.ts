const DECIMAL = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/

/** Below, at or above zero: by value when both are finite decimals, else by code point. */
export function compareTexts(a: string, b: string): number {
  const [x, y] = [fractionOf(a), fractionOf(b)]
  if (x && y) {
    const difference = x.top * y.bottom - y.top * x.bottom
    return difference > 0n ? 1 : difference < 0n ? -1 : 0
  }
  return compareCodePoints(a, b)
}

function compareCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  const place = left.findIndex((point, index) => point !== right[index])
  if (place < 0) return left.length - right.length
  return (left[place]?.codePointAt(0) ?? -1) - (right[place]?.codePointAt(0) ?? -1)
}

/** A decimal as an exact fraction. */
function fractionOf(text: string): { top: bigint; bottom: bigint } | null {
  const match = DECIMAL.exec(text)
  if (!match || !Number.isFinite(Number(text))) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  if (whole + fraction === '') return null
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  const shift = BigInt(exponent) - BigInt(fraction.length)
  // A number that is so small or so large is zero or refused above; the digits of the exponent are few.
  return shift < 0n ? { top: digits, bottom: 10n ** -shift } : { top: digits * 10n ** shift, bottom: 1n }
}
