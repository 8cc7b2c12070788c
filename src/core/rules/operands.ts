import { MAX_ITEMS, ruleFault } from './faults'
import { readDuration, readInstant } from './instants'
import type {
  DateOperand,
  DateOperator,
  Operand,
  OrderOperator,
  RuleFault,
  RulePath,
  RuleQuestion,
  SizeLimit,
  TextOperator,
  VersionOperator,
} from './model'
import { compilePattern } from './pattern/pattern'
import { readVersion } from './versions'

/** Reads the operand of an operator. */
type OperandReader = (operand: unknown, path: RulePath) => RuleQuestion | RuleFault

const wrong = (path: RulePath, takes: string): RuleFault => ruleFault('WRONG_OPERAND', path, `takes ${takes}`)

const equality =
  (operator: '$eq' | '$ne'): OperandReader =>
  (operand, path) =>
    isScalar(operand) ? { operator, operand } : wrong(path, `${SCALAR}; for one of several use $in`)

const order =
  (operator: OrderOperator): OperandReader =>
  (operand, path) =>
    typeof operand === 'string' || isFiniteNumber(operand) ? { operator, operand } : wrong(path, 'a text or a number')

const membership =
  (operator: '$in' | '$nin' | '$ini' | '$nini' | '$all'): OperandReader =>
  (operand, path) => {
    if (!Array.isArray(operand)) return wrong(path, 'a list')
    if (operand.length > MAX_ITEMS) return ruleFault('TOO_MANY_ITEMS', path)
    const items: unknown[] = [...operand]
    const odd = items.findIndex((item) => !isScalar(item))
    return odd < 0 ? { operator, operand: items.filter(isScalar) } : wrong([...path, odd], SCALAR)
  }

const existence: OperandReader = (operand, path) =>
  typeof operand === 'boolean' ? { operator: '$exists', operand } : wrong(path, 'true or false')

const SIZES: readonly string[] = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'] satisfies SizeLimit['operator'][]

const size: OperandReader = (operand, path) => {
  if (isCount(operand)) return { operator: '$size', operand: [{ operator: '$eq', operand }] }
  const members = typeof operand === 'object' && operand !== null ? Object.entries(operand) : []
  if (members.length === 0 || Array.isArray(operand)) return wrong(path, 'a whole number from 0')
  const odd = members.find(([name, limit]) => !SIZES.includes(name) || !isCount(limit))
  if (odd) return wrong([...path, odd[0]], 'a whole number from 0, with $eq, $ne, $gt, $gte, $lt or $lte')
  // Their names were looked up above.
  return {
    operator: '$size',
    operand: members.map(([name, limit]) => ({ operator: name, operand: limit }) as SizeLimit),
  }
}

/** A number would lose the zero of 1.10, so only texts are versions. */
const version =
  (operator: VersionOperator): OperandReader =>
  (operand, path) => {
    const read = typeof operand === 'string' ? readVersion(operand) : null
    return read ? { operator, operand: read } : wrong(path, 'a version in quotes, such as "1.10.0"')
  }

const date =
  (operator: DateOperator): OperandReader =>
  (operand, path) => {
    const read = typeof operand === 'string' ? instantOf(operand) : movingInstant(operand)
    return read
      ? { operator, operand: read }
      : wrong(path, 'a time such as "2026-11-27T08:00:00Z", a date, {"$ago": "P3D"} or {"$ahead": "PT1H"}')
  }

function instantOf(text: string): DateOperand | null {
  const at = readInstant(text)
  return at === null ? null : { at }
}

function movingInstant(operand: unknown): DateOperand | null {
  if (typeof operand !== 'object' || operand === null) return null
  const [[name, text] = [], ...more] = Object.entries(operand)
  const duration = typeof text === 'string' && more.length === 0 ? readDuration(text) : null
  if (duration === null || (name !== '$ago' && name !== '$ahead')) return null
  return { fromNow: name === '$ago' ? -duration : duration }
}

const part =
  (operator: TextOperator): OperandReader =>
  (operand, path) => {
    if (typeof operand === 'string') return { operator, operand: [operand] }
    if (!Array.isArray(operand)) return wrong(path, 'a text or a list of texts')
    if (operand.length > MAX_ITEMS) return ruleFault('TOO_MANY_ITEMS', path)
    const items: unknown[] = [...operand]
    const odd = items.findIndex((item) => typeof item !== 'string')
    return odd < 0 ? { operator, operand: items.map(String) } : wrong([...path, odd], 'a text')
  }

const pattern =
  (operator: '$regex' | '$regexi'): OperandReader =>
  (operand, path) => {
    if (typeof operand !== 'string') return wrong(path, 'a regular expression as a text')
    const compiled = compilePattern(operand, operator === '$regexi')
    if (!compiled.ok) return ruleFault('WRONG_OPERAND', path, compiled.message)
    return { operator, operand: compiled.isIn, steps: compiled.steps }
  }

const group =
  (operator: '$inGroup' | '$notInGroup'): OperandReader =>
  (operand, path) =>
    typeof operand === 'string' && operand !== '' ? { operator, operand } : wrong(path, 'the name of an audience')

/** The operators that follow an attribute, but for `$elemMatch` and `$not`, which hold a condition. */
export const OPERATORS: ReadonlyMap<string, OperandReader> = new Map([
  ...(['$eq', '$ne'] as const).map((name) => [name, equality(name)] as const),
  ...(['$gt', '$gte', '$lt', '$lte'] as const).map((name) => [name, order(name)] as const),
  ...(['$in', '$nin', '$ini', '$nini', '$all'] as const).map((name) => [name, membership(name)] as const),
  ['$exists', existence] as const,
  ['$size', size] as const,
  ...(['$vgt', '$vgte', '$vlt', '$vlte', '$veq', '$vne'] as const).map((name) => [name, version(name)] as const),
  ...(['$dgt', '$dgte', '$dlt', '$dlte'] as const).map((name) => [name, date(name)] as const),
  ...(['$startsWith', '$endsWith', '$contains'] as const).map((name) => [name, part(name)] as const),
  ...(['$startsWithi', '$endsWithi', '$containsi'] as const).map((name) => [name, part(name)] as const),
  ...(['$regex', '$regexi'] as const).map((name) => [name, pattern(name)] as const),
  ...(['$inGroup', '$notInGroup'] as const).map((name) => [name, group(name)] as const),
])

/** What an operator takes, for a schema; the readers above check the rest. */
export type OperandKind =
  | 'ANY'
  | 'SCALAR'
  | 'ORDERED'
  | 'SCALARS'
  | 'FLAG'
  | 'SIZE'
  | 'VERSION'
  | 'DATE'
  | 'TEXTS'
  | 'TEXT'

const kinds = (kind: OperandKind, ...operators: RuleQuestion['operator'][]) =>
  operators.map((operator) => [operator, kind] as const)

/** By operator; one that is not here takes anything. */
export const OPERANDS: ReadonlyMap<string, OperandKind> = new Map<string, OperandKind>([
  ...kinds('SCALAR', '$eq', '$ne'),
  ...kinds('ORDERED', '$gt', '$gte', '$lt', '$lte'),
  ...kinds('SCALARS', '$in', '$nin', '$ini', '$nini', '$all'),
  ...kinds('FLAG', '$exists'),
  ...kinds('SIZE', '$size'),
  ...kinds('VERSION', '$vgt', '$vgte', '$vlt', '$vlte', '$veq', '$vne'),
  ...kinds('DATE', '$dgt', '$dgte', '$dlt', '$dlte'),
  ...kinds('TEXTS', '$startsWith', '$endsWith', '$contains', '$startsWithi', '$endsWithi', '$containsi'),
  ...kinds('TEXT', '$regex', '$regexi', '$inGroup', '$notInGroup'),
])

const SCALAR = 'a text, a number, true, false or null'

export const isScalar = (value: unknown): value is Operand =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || isFiniteNumber(value)

const isFiniteNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
