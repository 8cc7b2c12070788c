import { MAX_ITEMS, ruleFault } from './faults'
import type { Operand, OrderOperator, RuleFault, RulePath, RuleQuestion } from './model'

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
  (operator: '$in' | '$nin' | '$all'): OperandReader =>
  (operand, path) => {
    if (!Array.isArray(operand)) return wrong(path, 'a list')
    if (operand.length > MAX_ITEMS) return ruleFault('TOO_MANY_ITEMS', path)
    const items: unknown[] = [...operand]
    const odd = items.findIndex((item) => !isScalar(item))
    return odd < 0 ? { operator, operand: items.filter(isScalar) } : wrong([...path, odd], SCALAR)
  }

const existence: OperandReader = (operand, path) =>
  typeof operand === 'boolean' ? { operator: '$exists', operand } : wrong(path, 'true or false')

const size: OperandReader = (operand, path) =>
  isCount(operand) ? { operator: '$size', operand } : wrong(path, 'a whole number from 0')

/** The operators that follow an attribute. */
export const OPERATORS: ReadonlyMap<string, OperandReader> = new Map([
  ['$eq', equality('$eq')],
  ['$ne', equality('$ne')],
  ['$gt', order('$gt')],
  ['$gte', order('$gte')],
  ['$lt', order('$lt')],
  ['$lte', order('$lte')],
  ['$in', membership('$in')],
  ['$nin', membership('$nin')],
  ['$all', membership('$all')],
  ['$exists', existence],
  ['$size', size],
])

const SCALAR = 'a text, a number, true, false or null'

export const isScalar = (value: unknown): value is Operand =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || isFiniteNumber(value)

const isFiniteNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
