import type { MetricValues } from './metric'

export const LTV = {
  name: 'ltv',
  summary: 'Lifetime value of those who paid',
  definition:
    'Of everyone who was charged more than nothing in the cell: all that they have paid until now less what they got back. mean is rounded half away from zero; median and p90 are values of the list, by nearest rank.',
}

/** @param nets lifetime net of each payer in USD micros, ascending */
export function ltvValues(nets: readonly number[]): MetricValues {
  if (nets.length === 0) return { mean: null, median: null, p90: null }
  const sum = nets.reduce((total, net) => total + net, 0)
  const mean = Math.sign(sum) * Math.round(Math.abs(sum) / nets.length)
  return { mean, median: rank(nets, 0.5), p90: rank(nets, 0.9) }
}

/** The smallest value that at least this part of the list does not exceed. */
const rank = (sorted: readonly number[], part: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null
