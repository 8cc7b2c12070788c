/**
 * Divides a whole amount in proportion to weights, by the largest remainder: the parts are whole and their sum is the
 * amount. Of equal remainders the first one gets the unit. A negative weight counts as 0. With no weight above 0 the first
 * part is the amount: 1000 by [999, 499, -3] -> [667, 333, 0], 5 by [0, 0] -> [5, 0].
 */
export function divide(amount: number, weights: readonly number[]): number[] {
  const shares = weights.map((weight) => BigInt(Math.max(0, weight)))
  const total = shares.reduce((sum, share) => sum + share, 0n)
  if (total === 0n) return weights.map((_, index) => (index === 0 ? amount : 0))
  const whole = BigInt(amount)
  const parts = shares.map((share) => (whole * share) / total)
  const left = Number(whole - parts.reduce((sum, part) => sum + part, 0n))
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: (whole * share) % total }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1))
  const raised = new Set(byRemainder.slice(0, left).map(({ index }) => index))
  return parts.map((part, index) => Number(part) + (raised.has(index) ? 1 : 0))
}
