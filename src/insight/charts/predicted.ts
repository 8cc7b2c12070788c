import { roundHalfAway } from '../../core/money/money'
import type { ChartValues } from './chart'
import type { Ages, Lifeline, Reckon } from './reckoner'

/** How far ahead is predicted. */
const MONTHS = 12
/** Of the normal distribution: 95 % of it lies within as many standard deviations. */
const Z95 = 1.959964

/** Net of each month of age that a subscription has completed. */
type Months = readonly number[]

/**
 * The mean cumulative function of net revenue over the months of age: the sum of the means of each month. A month has
 * the mean of the cohort's own subscriptions once all of them have completed it, else that of all that have. The
 * variance is the robust one of recurrent events; the own part and the other are taken as independent.
 */
export const predictor: Reckon<Months> = (ages) => {
  const everyone: Months[] = []
  const tails = new Map<number, Part | null>()
  const tailFrom = (known: number): Part | null => {
    const tail = tails.get(known) ?? partOf(everyone, known, MONTHS)
    tails.set(known, tail)
    return tail
  }
  return {
    digest: (life) => {
      const months = completed(life, ages)
      everyone.push(months)
      return months
    },
    cell: () => {
      const own: Months[] = []
      return { add: (months) => own.push(months), values: () => predict(own, tailFrom) }
    },
  }
}

function predict(own: readonly Months[], tailFrom: (known: number) => Part | null): ChartValues {
  const known = own.reduce((least, { length }) => Math.min(least, length), MONTHS)
  const [head, tail] = own.length === 0 ? [null, null] : [partOf(own, 0, known), tailFrom(known)]
  if (!head || !tail) return { value: null, low: null, high: null }
  const value = head.sum + tail.sum
  const margin = Z95 * Math.sqrt(head.variance + tail.variance)
  return { value: roundHalfAway(value), low: roundHalfAway(value - margin), high: roundHalfAway(value + margin) }
}

function completed({ firstChargedAt, net }: Lifeline, { days, until }: Ages): Months {
  const months: number[] = []
  let start = Number.NEGATIVE_INFINITY
  for (let age = 1; age <= MONTHS; age++) {
    const end = days.plusMonths(firstChargedAt, age)
    if (end > until) break
    months.push(net.reduce((sum, { at, micros }) => (at >= start && at < end ? sum + micros : sum), 0))
    start = end
  }
  return months
}

interface Part {
  sum: number
  variance: number
}

/** The months from one age to another, by those who have completed each; null when no subscription has completed one of them. */
function partOf(lives: readonly Months[], from: number, to: number): Part | null {
  const means: { mean: number; size: number }[] = []
  for (let age = from; age < to; age++) {
    const own = lives.flatMap((months) => months[age] ?? [])
    if (own.length === 0) return null
    means.push({ mean: own.reduce((sum, micros) => sum + micros, 0) / own.length, size: own.length })
  }
  const influence = (months: Months) =>
    means.reduce((sum, { mean, size }, index) => {
      const micros = months[from + index]
      return micros === undefined ? sum : sum + (micros - mean) / size
    }, 0)
  return {
    sum: means.reduce((sum, { mean }) => sum + mean, 0),
    variance: lives.reduce((sum, months) => sum + influence(months) ** 2, 0),
  }
}
