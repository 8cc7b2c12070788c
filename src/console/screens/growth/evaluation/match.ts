import { compareTexts } from './compare'

/** What rules read of one person. Every value is text. */
export interface Person {
  attributes: Readonly<Record<string, string>>
  /** The `svc.` values; null = missing. */
  builtIns: Readonly<Record<string, string | null>>
}

/** Whether a rules document holds for a person, as the server decides it. */
export function matches(document: unknown, person: Person): boolean {
  return Object.entries(Object(document) as object).every(([key, value]) => {
    if (key === '$and') return listOf(value).every((part) => matches(part, person))
    if (key === '$or') return listOf(value).some((part) => matches(part, person))
    if (key === '$nor') return listOf(value).every((part) => !matches(part, person))
    if (key === '$not') return !matches(value, person)
    return holds(value, { name: key, text: readOf(person, key) })
  })
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** A built-in name never reads an attribute, even where the built-in has no value. */
function readOf({ attributes, builtIns }: Person, name: string): string | null {
  if (Object.hasOwn(builtIns, name)) return builtIns[name] ?? null
  return Object.hasOwn(attributes, name) ? (attributes[name] ?? null) : null
}

interface Read {
  name: string
  text: string | null
}

function holds(condition: unknown, read: Read): boolean {
  if (condition === null || typeof condition !== 'object') return isEqual(read, condition)
  return Object.entries(condition).every(([operator, operand]) => ask(operator, operand, read))
}

function ask(operator: string, operand: unknown, read: Read): boolean {
  const { text } = read
  if (operator === '$not') return !holds(operand, read)
  if (operator === '$eq') return isEqual(read, operand)
  if (operator === '$ne') return !isEqual(read, operand)
  if (operator === '$in') return listOf(operand).some((item) => isEqual(read, item))
  if (operator === '$nin') return !listOf(operand).some((item) => isEqual(read, item))
  if (operator === '$exists') return (text !== null) === operand
  if (text === null) return false
  if (operator === '$size') return elementsOf(text)?.length === operand
  if (operator === '$all') return hasAll(text, listOf(operand))
  const order = compare({ ...read, text }, String(operand))
  if (operator === '$gt') return order > 0
  if (operator === '$gte') return order >= 0
  return operator === '$lt' ? order < 0 : order <= 0
}

function hasAll(text: string, wanted: readonly unknown[]): boolean {
  const elements = elementsOf(text)
  return elements !== null && wanted.every((item) => elements.some((element) => isElement(element, item)))
}

const isElement = (element: unknown, item: unknown): boolean =>
  element === null ? item === null : typeof element !== 'object' && isEqual({ name: '', text: String(element) }, item)

function elementsOf(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : null
  } catch {
    return null // An app may have saved any text.
  }
}

const isEqual = ({ name, text }: Read, operand: unknown): boolean =>
  text === null || operand === null ? text === null && operand === null : compare({ name, text }, String(operand)) === 0

/** Times of svc compare by instant with ISO times of any offset and with milliseconds. */
function compare({ name, text }: { name: string; text: string }, operand: string): number {
  if (name === 'svc.firstSeenAt' || name === 'svc.lastSeenAt') {
    const [at, with_] = [Date.parse(text), instantOf(operand)]
    if (Number.isFinite(at) && with_ !== null) return at - with_
  }
  return compareTexts(text, operand)
}

function instantOf(text: string): number | null {
  const at = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number(text === '' ? Number.NaN : text)
  return Number.isFinite(at) ? at : null
}
