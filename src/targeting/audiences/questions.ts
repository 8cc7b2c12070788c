import { parseIso } from '../../base/lib/time'
import type { Operand, OrderOperator, RuleQuestion, RuleTest, Subject, TimeBuiltIn } from './model'
import { arrayKeysOf, comparerTo, keyOf, numberOf, scalarKey } from './values'

type Reader = (subject: Subject) => string | undefined

/** One question as a closure; whatever depends on the operand alone is computed here. */
export function compileQuestion(attribute: string, read: Reader, question: RuleQuestion): RuleTest {
  switch (question.operator) {
    case '$exists':
      return exists(read, question.operand)
    case '$size':
      return hasSize(read, question.operand)
    case '$all':
      return hasAll(read, question.operand)
    case '$eq':
      return isOneOf(attribute, read, [question.operand])
    case '$ne':
      return not(isOneOf(attribute, read, [question.operand]))
    case '$in':
      return isOneOf(attribute, read, question.operand)
    case '$nin':
      return not(isOneOf(attribute, read, question.operand))
    default:
      return isOrdered(attribute, read, question.operator, String(question.operand))
  }
}

export const not =
  (test: RuleTest): RuleTest =>
  (subject) =>
    !test(subject)

const exists =
  (read: Reader, wanted: boolean): RuleTest =>
  (subject) =>
    (read(subject) !== undefined) === wanted

function isOneOf(attribute: string, read: Reader, operands: readonly Operand[]): RuleTest {
  const missing = operands.includes(null)
  const texts = operands.filter((operand) => operand !== null).map(String)
  const isEqual = isTime(attribute) ? equalsTime(attribute, texts) : equalsText(texts)
  return (subject) => {
    const text = read(subject)
    return text === undefined ? missing : isEqual(text, subject)
  }
}

type Equality = (text: string, subject: Subject) => boolean

function equalsText(texts: readonly string[]): Equality {
  const [only, ...others] = texts
  // The text of an attribute is parsed as a number only where that can matter.
  if (!texts.some((text) => numberOf(text) !== null)) {
    if (others.length === 0) return (text) => text === only
    const plain = new Set(texts)
    return (text) => plain.has(text)
  }
  const keys = new Set(texts.map(keyOf))
  if (others.length === 0) return (text) => text === only || keys.has(keyOf(text))
  return (text) => keys.has(keyOf(text))
}

function equalsTime(attribute: TimeBuiltIn, texts: readonly string[]): Equality {
  const instants = new Set(texts.map(instantOf).filter((instant) => instant !== null))
  return (_text, subject) => instants.has(subject.instant(attribute) ?? Number.NaN)
}

function isOrdered(attribute: string, read: Reader, operator: OrderOperator, operand: string): RuleTest {
  const holds = ORDERS[operator]
  const instant = instantOf(operand)
  if (isTime(attribute) && instant !== null) {
    return (subject) => {
      const at = subject.instant(attribute)
      return at !== undefined && holds(at - instant)
    }
  }
  const compare = comparerTo(operand)
  return (subject) => {
    const text = read(subject)
    return text !== undefined && holds(compare(text))
  }
}

const ORDERS: Record<OrderOperator, (comparison: number) => boolean> = {
  $gt: (comparison) => comparison > 0,
  $gte: (comparison) => comparison >= 0,
  $lt: (comparison) => comparison < 0,
  $lte: (comparison) => comparison <= 0,
}

const isTime = (attribute: string): attribute is TimeBuiltIn =>
  attribute === 'svc.firstSeenAt' || attribute === 'svc.lastSeenAt'

/** An ISO time with any offset, or a number of milliseconds. */
const instantOf = (text: string): number | null => parseIso(text) ?? numberOf(text)

function hasSize(read: Reader, size: number): RuleTest {
  return (subject) => {
    const text = read(subject)
    return text !== undefined && arrayKeysOf(text)?.length === size
  }
}

function hasAll(read: Reader, operands: readonly Operand[]): RuleTest {
  const wanted = operands.map(scalarKey)
  return (subject) => {
    const text = read(subject)
    const keys = text === undefined ? null : arrayKeysOf(text)
    if (keys === null) return false
    const found = new Set(keys)
    return wanted.every((key) => found.has(key))
  }
}
