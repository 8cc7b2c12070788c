import { parseIso } from '../time/iso'
import type { Subject } from './model'

/** A subject whose built-ins have the given texts, with these flags, and with the texts of each group. */
export const fixedSubject = (
  attributes: Readonly<Record<string, string>>,
  builtIns: Readonly<Record<string, string>>,
  { flags = {}, groups = {} }: { flags?: Record<string, string>; groups?: Record<string, readonly string[]> } = {},
): Subject => ({
  custom: (name) => (Object.hasOwn(attributes, name) ? attributes[name] : undefined),
  builtIn: (name) => (Object.hasOwn(builtIns, name) ? builtIns[name] : undefined),
  instant: (name) => parseIso(builtIns[name] ?? '') ?? undefined,
  flag: (key) => (Object.hasOwn(flags, key) ? flags[key] : undefined),
  isInGroup: (audience, text) => groups[audience]?.includes(text) ?? false,
})

type Attributes = Readonly<Record<string, string>>

/**
 * A second implementation of wire 5.3, written for clarity and not for speed. It takes documents that are known to be
 * valid, and custom attributes only. The compiled rules must give the same answers.
 */
export function interpret(document: unknown, attributes: Attributes): boolean {
  return Object.entries(Object(document)).every(([key, value]) => {
    if (key === '$and') return listOf(value).every((part) => interpret(part, attributes))
    if (key === '$or') return listOf(value).some((part) => interpret(part, attributes))
    if (key === '$nor') return listOf(value).every((part) => !interpret(part, attributes))
    if (key === '$not') return !interpret(value, attributes)
    return holds(value, Object.hasOwn(attributes, key) ? attributes[key] : null)
  })
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

type Value = string | null | undefined

function holds(condition: unknown, actual: Value): boolean {
  if (condition === null || typeof condition !== 'object') return asks('$eq', condition, actual)
  return Object.entries(condition).every(([operator, operand]) => asks(operator, operand, actual))
}

function asks(operator: string, operand: unknown, actual: Value): boolean {
  const text = actual ?? null
  if (operator === '$not') return !holds(operand, text)
  if (operator === '$eq') return hasItem(text, (item) => isEqual(item, operand))
  if (operator === '$ne') return !asks('$eq', operand, text)
  if (operator === '$in') return listOf(operand).some((item) => asks('$eq', item, text))
  if (operator === '$nin') return !asks('$in', operand, text)
  if (operator === '$ini') return listOf(operand).some((wanted) => hasItem(text, (item) => isFoldedEqual(item, wanted)))
  if (operator === '$nini') return !asks('$ini', operand, text)
  if (operator === '$exists') return (text !== null) === operand
  if (operator === '$vne') return !asks('$veq', operand, text)
  if (text === null) return false
  return asksText(operator, operand, text)
}

function asksText(operator: string, operand: unknown, text: string): boolean {
  if (operator === '$size') return hasCount(elementsOf(text)?.length, operand)
  if (operator === '$all') return elementsOf(text) !== null && listOf(operand).every((item) => isIn(item, text))
  if (operator === '$elemMatch') return (elementsOf(text) ?? []).some((item) => isElement(item, operand))
  if (operator.startsWith('$v')) return isOrder(operator.slice(2), versionOrder(text, String(operand)))
  if (operator.startsWith('$d')) return isOrder(operator.slice(2), Date.parse(text) - Date.parse(String(operand)))
  const inText = TEXTS[operator]
  if (inText)
    return hasItem(text, (item) => item !== null && [operand].flat().some((part) => inText(item, String(part))))
  return isOrder(operator.slice(1), compare(text, String(operand)))
}

/** Of a list of scalars an item is enough. */
function hasItem(text: string | null, test: (item: string | null) => boolean): boolean {
  const elements = text === null ? null : elementsOf(text)
  if (!elements || elements.some((element) => typeof element === 'object' && element !== null)) return test(text)
  return elements.some((element) => test(element === null ? null : String(element)))
}

function isElement(item: unknown, condition: unknown): boolean {
  if (typeof item === 'object' && item !== null) return false
  // An item that is a text is no list, even where it reads as one.
  if (typeof item === 'string' && elementsOf(item)) return false
  return holds(condition, item === null ? null : String(item))
}

const escaped = (text: string): string =>
  [...text].map((point) => `\\u{${point.codePointAt(0)?.toString(16)}}`).join('')
const finds = (source: string, flags: string) => (text: string) => new RegExp(source, flags).test(text)

const TEXTS: Record<string, (text: string, part: string) => boolean> = {
  $startsWith: (text, part) => finds(`^${escaped(part)}`, 'u')(text),
  $endsWith: (text, part) => finds(`${escaped(part)}$`, 'u')(text),
  $contains: (text, part) => finds(escaped(part), 'u')(text),
  $startsWithi: (text, part) => finds(`^${escaped(part)}`, 'iu')(text),
  $endsWithi: (text, part) => finds(`${escaped(part)}$`, 'iu')(text),
  $containsi: (text, part) => finds(escaped(part), 'iu')(text),
  $regex: (text, part) => finds(part, 'u')(text),
  $regexi: (text, part) => finds(part, 'iu')(text),
}

const isFoldedEqual = (item: string | null, wanted: unknown): boolean =>
  isEqual(item, wanted) || (item !== null && wanted !== null && finds(`^${escaped(String(wanted))}$`, 'iu')(item))

function hasCount(count: number | undefined, wanted: unknown): boolean {
  if (count === undefined) return false
  if (typeof wanted === 'number') return count === wanted
  return Object.entries(Object(wanted)).every(([operator, limit]) => isOrder(operator.slice(1), count - Number(limit)))
}

function isOrder(name: string, order: number): boolean {
  if (name === 'gt') return order > 0
  if (name === 'gte') return order >= 0
  if (name === 'lt') return order < 0
  if (name === 'lte') return order <= 0
  return name === 'eq' ? order === 0 : order !== 0
}

/** NaN for what is no version: it is neither before, nor after, nor equal. */
function versionOrder(a: string, b: string): number {
  const read = (text: string) => /^v?([\d.]*\d)(?:-([\w.-]+))?(?:\+.*)?$/i.exec(text)
  const [x, y] = [read(a), read(b)]
  if (!x || !y || [x, y].some(([, parts = '']) => /\.\.|^\./.test(parts) || parts.split('.').length > 4))
    return Number.NaN
  const numbers = (match: RegExpExecArray) => [0, 1, 2, 3].map((at) => BigInt(match[1]?.split('.')[at] ?? 0))
  const [left, right] = [numbers(x), numbers(y)]
  const at = left.findIndex((number, index) => number !== right[index])
  if (at >= 0) return (left[at] ?? 0n) > (right[at] ?? 0n) ? 1 : -1
  if (!x[2] || !y[2]) return Number(!x[2]) - Number(!y[2])
  return preReleaseOrder(x[2].split('.'), y[2].split('.'))
}

function preReleaseOrder([a, ...restA]: string[], [b, ...restB]: string[]): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  const [x, y] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (x && y && BigInt(a) !== BigInt(b)) return BigInt(a) > BigInt(b) ? 1 : -1
  if (x !== y) return x ? -1 : 1
  return a === b || x ? preReleaseOrder(restA, restB) : a > b ? 1 : -1
}

const isIn = (item: unknown, text: string): boolean =>
  (elementsOf(text) ?? []).some((element) =>
    element === null ? item === null : typeof element !== 'object' && isEqual(String(element), item),
  )

function elementsOf(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

const isEqual = (actual: Value, operand: unknown): boolean =>
  typeof actual !== 'string' || operand === null
    ? operand === null && typeof actual !== 'string'
    : compare(actual, String(operand)) === 0

function compare(a: string, b: string): number {
  const [x, y] = [fractionOf(a), fractionOf(b)]
  if (x && y) return Number(x.top * y.bottom > y.top * x.bottom) - Number(x.top * y.bottom < y.top * x.bottom)
  const [left, right] = [[...a], [...b]]
  const at = left.findIndex((point, index) => point !== right[index])
  if (at < 0) return left.length - right.length
  return (left[at]?.codePointAt(0) ?? -1) - (right[at]?.codePointAt(0) ?? -1)
}

/** A decimal as an exact fraction. */
function fractionOf(text: string): { top: bigint; bottom: bigint } | null {
  const match = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text)
  if (!match || !Number.isFinite(Number(text))) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  if (whole + fraction === '') return null
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  const shift = BigInt(exponent) - BigInt(fraction.length)
  return shift < 0n ? { top: digits, bottom: 10n ** -shift } : { top: digits * 10n ** shift, bottom: 1n }
}
