/** A number that JSON writes with exactly these digits. */
export interface RawJson {
  readonly rawJSON: string
}

declare global {
  interface JSON {
    rawJSON(text: string): RawJson
    isRawJSON(value: unknown): value is RawJson
  }
}

type Reviver = (name: string, value: unknown, context: { source: string }) => unknown

// TypeScript does not know the third parameter of a reviver yet.
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown

/** The highest amount and balance of a virtual currency, 2^63−1; the lowest is its negative (wire 1.2). */
export const MAX_INT64 = 2n ** 63n - 1n

export const isInt64 = (value: bigint): boolean => value <= MAX_INT64 && value >= -MAX_INT64

/** An integer as a member of JSON: a number as long as a number is exact, its digits beyond that. */
export type JsonInteger = number | RawJson

export const toJsonInteger = (value: bigint): JsonInteger =>
  value <= MAX_SAFE && value >= -MAX_SAFE ? Number(value) : JSON.rawJSON(String(value))

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

export const fromJsonInteger = (value: JsonInteger): bigint => BigInt(typeof value === 'number' ? value : value.rawJSON)

export const isJsonInteger = (value: unknown): value is JsonInteger =>
  typeof value === 'number' ? Number.isSafeInteger(value) : JSON.isRawJSON(value) && INTEGER.test(value.rawJSON)

const INTEGER = /^-?\d+$/

/** The exact sum of integers of JSON. */
export const sumOf = (amounts: Readonly<Record<string, JsonInteger>>): bigint =>
  Object.values(amounts).reduce((sum, amount) => sum + fromJsonInteger(amount), 0n)

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const MAX_DIGITS = 19

/**
 * The integer value of a JSON number, read from its text: `1e3` is 1000. Null when it is no integer or is outside
 * of ±(2^63−1). The time grows with the length of the text only, not with the exponent.
 */
export function readInt64(text: string): bigint | null {
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? []
  if (sign === undefined) return null
  const digits = withoutEndZeros(whole + fraction)
  if (digits === '') return 0n
  const zeros = Number(exponent) - fraction.length + (whole.length + fraction.length - digits.length)
  const significant = digits.replace(/^0+/, '')
  if (zeros < 0 || significant.length + zeros > MAX_DIGITS) return null
  const value = BigInt(sign + significant + '0'.repeat(zeros))
  return isInt64(value) ? value : null
}

// A pattern would look at every zero again from each zero before it.
function withoutEndZeros(digits: string): string {
  let end = digits.length
  while (digits.charCodeAt(end - 1) === 48) end--
  return digits.slice(0, end)
}

/** The text of a number that is a member of a JSON object; null when the member is no number. */
export function digitsOf(json: string, member: string): string | null {
  const value = parse(json, (name, found, { source }) =>
    name === member && typeof found === 'number' ? JSON.rawJSON(source) : found,
  ) as Record<string, unknown>
  const found = value[member]
  return JSON.isRawJSON(found) ? found.rawJSON : null
}

/** `JSON.parse` with every number as its text, for bodies in which several numbers have 64 bits. */
export const parseDigits = (json: string): unknown =>
  parse(json, (_name, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value))

/** Where an integer of 16 or more digits can be: not directly after a quote, as in a text. */
const LONG_INTEGER = /[:,[]\s*-?\d{16}/

/** `JSON.parse` that keeps the digits of integers beyond ±(2^53−1), as `RawJson`. */
export const parseExact = (json: string): unknown =>
  LONG_INTEGER.test(json) ? parse(json, keepDigits) : JSON.parse(json)

const keepDigits: Reviver = (_name, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && INTEGER.test(source) ? JSON.rawJSON(source) : value
