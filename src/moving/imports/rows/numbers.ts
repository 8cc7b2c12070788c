/** Currencies without decimals, and with three (ISO 4217). The others have two, as far as prices are concerned. */
const DECIMALS = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
])

/**
 * Millionths of an amount that is written with a point or a comma before the decimals, with or without signs between
 * the thousands; null when it is no such amount. Finer than millionths is rounded half up. Of two kinds of signs, the
 * last one separates the decimals. A comma alone before three digits separates thousands (`1,500`), unless the
 * currency has three decimals; a point alone separates decimals (`1.500`).
 */
export function readMicros(text: string, currency: string | null): number | null {
  const plain = text.replace(/[\s'’]/g, '')
  if (!/^\d[\d.,]*$|^[.,]\d+$/.test(plain)) return null
  const mark = decimalMark(plain, currency)
  const [whole = '', fraction = '', ...more] = mark === null ? [plain] : plain.split(mark)
  if (more.length > 0 || !/^\d*$/.test(fraction)) return null
  const digits = wholeDigits(whole)
  if (digits === null) return null
  const micros = BigInt(digits + fraction.padEnd(6, '0').slice(0, 6)) + (/^.{6}[5-9]/.test(fraction) ? 1n : 0n)
  return micros <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(micros) : null
}

function decimalMark(text: string, currency: string | null): string | null {
  const [point, comma] = [text.lastIndexOf('.'), text.lastIndexOf(',')]
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ','
  const mark = point >= 0 ? '.' : ','
  const at = Math.max(point, comma)
  if (at < 0 || text.indexOf(mark) !== at) return null // None, or several: those are between thousands.
  const isThousands = mark === ',' && /^[1-9]\d{0,2},\d{3}$/.test(text) && DECIMALS.get(currency ?? '') !== 3
  return isThousands ? null : mark
}

/** Digits without the signs between groups; null when the groups are none. Indian amounts have groups of two. */
function wholeDigits(text: string): string | null {
  if (/^\d*$/.test(text)) return text === '' ? '0' : text
  const isGrouped = /^\d{1,3}(?:,\d{2,3})*,\d{3}$|^\d{1,3}(?:\.\d{3})+$/.test(text)
  return isGrouped ? text.replace(/[.,]/g, '') : null
}

/** A whole number of at most nine digits, also when a spreadsheet has written it as `3.0`. */
export function readWhole(text: string): number | null {
  return /^\d{1,9}(\.0+)?$/.test(text) ? Number(text) : null
}

export function readBoolean(text: string): boolean | null {
  switch (text.toLowerCase()) {
    case 'true':
    case 't':
    case '1':
      return true
    case 'false':
    case 'f':
    case '0':
      return false
    default:
      return null
  }
}
