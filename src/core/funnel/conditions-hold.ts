import type { FunnelCondition, Operator } from './model'

/** The answers by field id. A field without an answer is absent. */
export type Answers = Readonly<Record<string, unknown>>

/** The answer to a field; null without one. A field may be called `constructor`, so only own members count. */
export const answerTo = (answers: Answers, fieldId: string): unknown =>
  Object.hasOwn(answers, fieldId) ? answers[fieldId] : null

/** `today` is the day in UTC, as `2026-11-20`. */
export interface Moment {
  answers: Answers
  today: string
}

/** Whether the conditions hold (funnels 11). `all` of none holds, `any` of none does not. */
export function conditionsHold(
  { match, when }: { match: 'all' | 'any'; when: readonly FunnelCondition[] },
  moment: Moment,
): boolean {
  const holds = (condition: FunnelCondition): boolean => conditionHolds(condition, moment)
  return match === 'all' ? when.every(holds) : when.some(holds)
}

/** Of a missing answer only `is_empty`, `ne` and `not_in` hold. */
function conditionHolds({ field, op, value }: FunnelCondition, { answers, today }: Moment): boolean {
  const answer = answerTo(answers, field)
  if (isEmpty(answer)) return op === 'is_empty' || op === 'ne' || op === 'not_in'
  return TESTS[op](answer, value, today)
}

export const isEmpty = (answer: unknown): boolean =>
  answer == null || answer === '' || (Array.isArray(answer) && answer.length === 0)

type Test = (answer: unknown, value: unknown, today: string) => boolean

const TESTS: Record<Operator, Test> = {
  eq: isEqual,
  ne: (answer, value) => !isEqual(answer, value),
  in: (answer, value) => listOf(value).some((item) => isEqual(answer, item)),
  not_in: (answer, value) => !listOf(value).some((item) => isEqual(answer, item)),
  contains,
  gt: (answer, value) => compared(answer, value, (order) => order > 0),
  gte: (answer, value) => compared(answer, value, (order) => order >= 0),
  lt: (answer, value) => compared(answer, value, (order) => order < 0),
  lte: (answer, value) => compared(answer, value, (order) => order <= 0),
  between: (answer, value) =>
    compared(answer, listOf(value)[0], (order) => order >= 0) &&
    compared(answer, listOf(value)[1], (order) => order <= 0),
  before: (answer, value) => daysFrom(answer, value, (days) => days < 0),
  after: (answer, value) => daysFrom(answer, value, (days) => days > 0),
  older_than_days: (answer, value, today) => daysFrom(today, answer, (age) => age > Number(value)),
  within_days: (answer, value, today) => daysFrom(today, answer, (age) => age >= 0 && age <= Number(value)),
  is_answered: () => true,
  is_empty: () => false,
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** Answers of `multi` are compared as sets; numbers and texts as such. */
function isEqual(answer: unknown, value: unknown): boolean {
  if (!Array.isArray(answer)) return scalarOf(answer) === scalarOf(value)
  const [own, other] = [new Set(answer.map(scalarOf)), new Set(listOf(value).map(scalarOf))]
  return own.size === other.size && [...own].every((item) => other.has(item))
}

/** A consent is compared by whether it was given. */
const scalarOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'accepted' in value ? value.accepted : value

function contains(answer: unknown, value: unknown): boolean {
  if (Array.isArray(answer)) return answer.includes(value)
  return typeof answer === 'string' && answer.includes(String(value))
}

/** Numbers are compared with numbers, days with days; anything else does not hold. */
function compared(answer: unknown, value: unknown, isFine: (order: number) => boolean): boolean {
  if (typeof answer === 'number' && typeof value === 'number') return isFine(answer - value)
  return daysFrom(answer, value, isFine)
}

const DAY_MS = 86_400_000

function daysFrom(later: unknown, earlier: unknown, isFine: (days: number) => boolean): boolean {
  const [to, from] = [dayNumber(later), dayNumber(earlier)]
  return to !== null && from !== null && isFine(to - from)
}

function dayNumber(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null
  const at = Date.parse(`${value}T00:00:00Z`)
  return Number.isNaN(at) ? null : at / DAY_MS
}
