export const LTV = {
  name: 'ltv',
  summary: 'Lifetime value of those who paid',
  definition:
    'Of everyone who was charged more than nothing in the cell: all that they have paid until now less what they got back. median is the middle value, or the mean of the two in the middle; p90 the smallest value that nine in ten do not exceed. Means are rounded half away from zero.',
}

/** @param nets lifetime net of each payer in USD micros, ascending */
export function ltvValues(nets: ArrayLike<number>): Record<string, number | null> {
  if (nets.length === 0) return { mean: null, median: null, p90: null }
  let sum = 0
  for (let index = 0; index < nets.length; index++) sum += nets[index] ?? 0
  const p90 = nets[Math.ceil(nets.length * 0.9) - 1] ?? null
  return { mean: rounded(sum / nets.length), median: medianOf(nets), p90 }
}

function medianOf(sorted: ArrayLike<number>): number {
  const middle = sorted.length / 2
  const pair = [sorted[Math.ceil(middle) - 1] ?? 0, sorted[Math.floor(middle)] ?? 0] as const
  return rounded((pair[0] + pair[1]) / 2)
}

const rounded = (value: number): number => Math.sign(value) * Math.round(Math.abs(value))
