import { isCalendarDate } from './dates'
import { type FunnelCondition, OPERATORS, type Operator } from './model'
import { isStorable, type Reading } from './reading'

const MAX_CONDITIONS = 20
const MAX_VALUES = 100
const MAX_TEXT = 500

export function readConditions(reading: Reading, given: unknown, path: string): FunnelCondition[] {
  const items = reading.list(given, path, MAX_CONDITIONS)
  if (items.length === 0 && (given == null || Array.isArray(given))) reading.refuse(path, 'must have a condition')
  return items.map(([item, at]) => readCondition(reading, item, at))
}

function readCondition(reading: Reading, given: unknown, path: string): FunnelCondition {
  const { field, op, value } = reading.object(given, path, ['field', 'op', 'value'])
  const operator = reading.oneOf(op, `${path}.op`, OPERATORS)
  const condition = { field: reading.id(field, `${path}.field`), op: operator }
  const isKnown = operator === op // Without an operator the value cannot be checked.
  const message = isKnown ? VALUES[operator](value ?? null) : null
  if (message !== null) reading.refuse(`${path}.value`, `${message} for ${operator}`)
  return value == null ? condition : { ...condition, value }
}

type Check = (value: unknown) => string | null

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_TEXT && isStorable(value)
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isScalar = (value: unknown): boolean => isText(value) || isNumber(value) || typeof value === 'boolean'
const isOrdered = (value: unknown): boolean => isNumber(value) || isCalendarDate(value)

const unless =
  (isFine: (value: unknown) => boolean, message: string): Check =>
  (value) =>
    isFine(value) ? null : message

const scalar = unless(isScalar, 'must be a text, a number, true or false')
const ordered = unless(isOrdered, 'must be a number or a day like 2026-11-20')
const day = unless(isCalendarDate, 'must be a day like 2026-11-20')
const days = unless((value) => isNumber(value) && Number(value) >= 0, 'must be a number of days')
const nothing = unless((value) => value === null, 'must be absent')
const several = unless(
  (value) => Array.isArray(value) && value.length > 0 && value.length <= MAX_VALUES && value.every(isScalar),
  `must be a list of 1 to ${MAX_VALUES} texts, numbers, true or false`,
)
const pair = unless(
  (value) => Array.isArray(value) && value.length === 2 && value.every(isOrdered),
  'must be a list of two numbers or days',
)

const VALUES: Record<Operator, Check> = {
  eq: scalar,
  ne: scalar,
  in: several,
  not_in: several,
  contains: scalar,
  gt: ordered,
  gte: ordered,
  lt: ordered,
  lte: ordered,
  between: pair,
  before: day,
  after: day,
  older_than_days: days,
  within_days: days,
  is_answered: nothing,
  is_empty: nothing,
}
