import { parseIso } from '../../base/lib/time'
import type { Subject } from './model'

/** A subject whose built-ins have the given texts. */
export const fixedSubject = (
  attributes: Readonly<Record<string, string>>,
  builtIns: Readonly<Record<string, string>>,
): Subject => ({
  custom: (name) => (Object.hasOwn(attributes, name) ? attributes[name] : undefined),
  builtIn: (name) => (Object.hasOwn(builtIns, name) ? builtIns[name] : undefined),
  instant: (name) => parseIso(builtIns[name] ?? '') ?? undefined,
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
  if (condition === null || typeof condition !== 'object') return isEqual(actual, condition)
  return Object.entries(condition).every(([operator, operand]) => asks(operator, operand, actual))
}

function asks(operator: string, operand: unknown, actual: Value): boolean {
  const text = actual ?? null
  if (operator === '$not') return !holds(operand, text)
  if (operator === '$eq') return isEqual(text, operand)
  if (operator === '$ne') return !isEqual(text, operand)
  if (operator === '$in') return listOf(operand).some((item) => isEqual(text, item))
  if (operator === '$nin') return !listOf(operand).some((item) => isEqual(text, item))
  if (operator === '$exists') return (text !== null) === operand
  if (text === null) return false
  if (operator === '$size') return elementsOf(text)?.length === operand
  if (operator === '$all') return elementsOf(text) !== null && listOf(operand).every((item) => isIn(item, text))
  const order = compare(text, String(operand))
  if (operator === '$gt') return order > 0
  if (operator === '$gte') return order >= 0
  return operator === '$lt' ? order < 0 : order <= 0
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
