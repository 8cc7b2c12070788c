import type { ChartValues, ReadRows } from './chart'
import { type Ages, type Lifeline, type LifeValues, lifeRows } from './lifelines'

/** The most months after the first charge that a heat map shows. */
const MONTHS = 36

const range = (first: number) => Array.from({ length: MONTHS + 1 - first }, (_, index) => first + index)
const nameOf = (months: number) => `m${months}`

/** `m0` to `m36`: the share that is paid for n months after the first charge. */
export const RETENTION_NAMES = range(0).map(nameOf)
/** `m1` to `m36`: what the first n months brought. */
export const REVENUE_NAMES = range(1).map(nameOf)

type Amount = (life: Lifeline, at: number) => number

const isPaidAt: Amount = ({ changes }, at) =>
  changes.reduce((sum, one) => (one.at <= at ? sum + one.change : sum), 0) > 0 ? 1 : 0

const netBefore: Amount = ({ net }, at) => net.reduce((sum, one) => (one.at < at ? sum + one.micros : sum), 0)

export const retentionCells: LifeValues = (_all, ages) => (own) =>
  valuesOf(own, ages, range(0), (lives, months) => sumAt(lives, ages, months, isPaidAt) / lives.length)

export const revenueCells: LifeValues = (_all, ages) => (own) =>
  valuesOf(own, ages, range(1), (lives, months) => sumAt(lives, ages, months, netBefore))

const sumAt = (lives: readonly Lifeline[], { days }: Ages, months: number, amount: Amount): number =>
  lives.reduce((sum, life) => sum + amount(life, days.plusMonths(life.firstChargedAt, months)), 0)

/** Null from the first age on that not all have reached. */
function valuesOf(
  own: readonly Lifeline[],
  { days, until }: Ages,
  months: readonly number[],
  cellOf: (own: readonly Lifeline[], months: number) => number,
): ChartValues {
  const isReached = (count: number) =>
    own.length > 0 && own.every((life) => days.plusMonths(life.firstChargedAt, count) <= until)
  const [first = 0] = months
  const reached = months.findIndex((count) => !isReached(count))
  const end = reached === -1 ? MONTHS + 1 : first + reached
  return Object.fromEntries(months.map((count) => [nameOf(count), count < end ? cellOf(own, count) : null]))
}

const rowsOf = (first: number, amount: Amount): Record<string, ReadRows> =>
  Object.fromEntries(
    range(first).map((months) => [
      nameOf(months),
      lifeRows((life, { days }) => amount(life, days.plusMonths(life.firstChargedAt, months))),
    ]),
  )

export const RETENTION_ROWS = rowsOf(0, isPaidAt)
export const REVENUE_ROWS = rowsOf(1, netBefore)
