const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** Two different decimals with at most this many significant digits are always two different doubles. */
const EXACT_DIGITS = 15

/** The number that the whole text is: a finite decimal, such as `-1.50` or `2e3`; else null. */
export function numberOf(text: string): number | null {
  if (!DECIMAL.test(text)) return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

/**
 * Two texts are equal (wire 5.3) exactly when their keys are. The key of a number is its shortest form, so that `5`
 * equals `5.0`; the key of any other text is the text. Long numbers keep all their digits, so that two ids of 17 digits
 * that differ by 1 are not equal.
 */
export function keyOf(text: string): string {
  const value = numberOf(text)
  if (value === null) return text
  if (value === 0) return '0'
  if (text.length <= EXACT_DIGITS) return String(value)
  const { digits, point } = digitsOf(text)
  return digits.length <= EXACT_DIGITS ? String(value) : `${value < 0 ? '-' : ''}.${digits}e${point}`
}

/** Compares a text with an operand: below, at or above zero; by value when both are numbers, else by code point. */
export function comparerTo(operand: string): (text: string) => number {
  const number = numberOf(operand)
  if (number === null) return (text) => compareCodePoints(text, operand)
  return (text) => {
    const value = numberOf(text)
    if (value === null) return compareCodePoints(text, operand)
    return value === number ? compareAllDigits(text, operand, number) : value - number
  }
}

/** JavaScript compares UTF-16 units, which sorts characters above U+FFFF before some of those below it. */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let index = 0; index < shorter; index++) {
    if (a.charCodeAt(index) === b.charCodeAt(index)) continue
    return (a.codePointAt(index) ?? 0) - (b.codePointAt(index) ?? 0)
  }
  return a.length - b.length
}

/**
 * The keys of a JSON array's elements. An element that is no scalar has no key and equals nothing. Null: the text is no
 * array.
 */
export const arrayKeysOf = (text: string): (string | null | undefined)[] | null =>
  elementsOf(text)?.map(elementKey) ?? null

/** The elements of a JSON array; null for another text. */
export function elementsOf(text: string): unknown[] | null {
  if (!text.trimStart().startsWith('[')) return null
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : null
  } catch {
    return null // The app may have saved any text.
  }
}

/**
 * The items of a list value: a JSON array whose elements are all scalars, each as the text that an attribute would
 * have, null for null. Null: the text is no such list.
 */
export function itemsOf(text: string): (string | null)[] | null {
  // Most texts are no list; a list starts with a bracket, or with blanks.
  const first = text.charCodeAt(0)
  if (first !== BRACKET && !(first <= BLANK)) return null
  const elements = elementsOf(text)
  if (elements === null) return null
  const items: (string | null)[] = []
  for (const element of elements) {
    if (element !== null && typeof element === 'object') return null
    items.push(element === null ? null : String(element))
  }
  return items
}

const BRACKET = 0x5b
const BLANK = 0x20

/** The key of a scalar; null has the key null, and equals no text. */
export const scalarKey = (value: string | number | boolean | null): string | null =>
  value === null ? null : keyOf(String(value))

const elementKey = (value: unknown): string | null | undefined =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? scalarKey(value)
    : undefined

/** Compares two numbers that have the same double by all of their digits. */
function compareAllDigits(a: string, b: string, double: number): number {
  if (double === 0 || (a.length <= EXACT_DIGITS && b.length <= EXACT_DIGITS)) return 0
  const [x, y] = [digitsOf(a), digitsOf(b)]
  if (x.digits.length <= EXACT_DIGITS && y.digits.length <= EXACT_DIGITS) return 0
  const size = x.point === y.point ? compareCodePoints(x.digits, y.digits) : x.point - y.point
  return double < 0 ? -size : size
}

/** A decimal's size as `0.digits` times ten to the power of `point`, without zeros on either side. */
function digitsOf(text: string): { digits: string; point: number } {
  const [mantissa = '', exponent = '0'] = text.replace(/^[+-]/, '').split(/[eE]/)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const all = whole + fraction
  const zeros = all.length - all.replace(/^0+/, '').length
  return { digits: withoutEndingZeros(all.slice(zeros)), point: whole.length - zeros + Number(exponent) }
}

/** A loop, because `/0+$/` takes quadratic time on a long run of zeros in the middle. */
function withoutEndingZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}
