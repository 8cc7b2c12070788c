import { isPaidAt } from '../figures/lives'
import type { ReadRows } from './chart'
import { lifeRows } from './lifelines'
import type { Ages, Lifeline, Reckon, Reckoner } from './reckoner'

/** The most months after the first charge that a heat map shows. */
const MONTHS = 36

const range = (first: number) => Array.from({ length: MONTHS + 1 - first }, (_, index) => first + index)
const nameOf = (months: number) => `m${months}`

/** `m0` to `m36`: the share that is paid for n months after the first charge. */
export const RETENTION_NAMES = range(0).map(nameOf)
/** `m1` to `m36`: what the first n months brought. */
export const REVENUE_NAMES = range(1).map(nameOf)

type Amount = (life: Lifeline, at: number) => number

const paidAt: Amount = (life, at) => (isPaidAt(life, at) ? 1 : 0)

const netBefore: Amount = ({ net }, at) => net.reduce((sum, one) => (one.at < at ? sum + one.micros : sum), 0)

export const retentionCells: Reckon<Months> = (ages) => reckoner(ages, range(0), paidAt, (sum, size) => sum / size)

export const revenueCells: Reckon<Months> = (ages) => reckoner(ages, range(1), netBefore, (sum) => sum)

/** What a subscription adds to each age, and how many of the ages it has reached. */
interface Months {
  amounts: readonly number[]
  reached: number
}

function reckoner(
  { days, until }: Ages,
  months: readonly number[],
  amountAt: Amount,
  toValue: (sum: number, size: number) => number,
): Reckoner<Months> {
  return {
    digest: (life) => {
      const instants = months.map((count) => days.plusMonths(life.firstChargedAt, count))
      const end = instants.findIndex((at) => at > until)
      return { amounts: instants.map((at) => amountAt(life, at)), reached: end === -1 ? months.length : end }
    },
    cell: () => {
      let [size, reached] = [0, months.length]
      const sums = months.map(() => 0)
      return {
        add: (one) => {
          size++
          reached = Math.min(reached, one.reached)
          for (const [index, amount] of one.amounts.entries()) sums[index] = (sums[index] ?? 0) + amount
        },
        // Null from the first age on that not all have reached.
        values: () =>
          Object.fromEntries(
            months.map((count, index): [string, number | null] => [
              nameOf(count),
              size > 0 && index < reached ? toValue(sums[index] ?? 0, size) : null,
            ]),
          ),
      }
    },
  }
}

const rowsOf = (first: number, amount: Amount): Record<string, ReadRows> =>
  Object.fromEntries(
    range(first).map((months) => [
      nameOf(months),
      lifeRows((life, { days }) => amount(life, days.plusMonths(life.firstChargedAt, months))),
    ]),
  )

export const RETENTION_ROWS = rowsOf(0, paidAt)
export const REVENUE_ROWS = rowsOf(1, netBefore)
