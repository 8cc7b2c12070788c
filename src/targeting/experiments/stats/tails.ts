/**
 * The complementary error function: the series of Abramowitz & Stegun 7.1.6 below 2, the continued fraction 7.1.14 from
 * there on. Example: 1 gives 0.157299.
 */
export function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x)
  if (x >= 2) return (Math.exp(-x * x) / Math.sqrt(Math.PI)) * erfcFraction(x)
  let term = x
  let sum = x
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
  }
  return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum
}

function erfcFraction(x: number): number {
  let value = x
  for (let n = 200; n > 0; n--) value = x + n / 2 / value
  return 1 / value
}

/**
 * Probability that a standard normal draw exceeds `z` (standard deviations); Abramowitz & Stegun 26.2.29.
 * Example: 1.959964 gives 0.025.
 */
export const normalSurvival = (z: number): number => erfc(z / Math.SQRT2) / 2

/**
 * Probability that a chi-square draw with `df` (whole) degrees of freedom exceeds `chi2`: the finite sums of
 * Abramowitz & Stegun 26.4.4 (odd) and 26.4.5 (even). Example: 3.841459 with 1 gives 0.05. Without freedom it is 1.
 */
export function chiSquareSurvival(chi2: number, df: number): number {
  if (df <= 0 || chi2 <= 0) return 1
  const y = chi2 / 2
  const isOdd = df % 2 === 1
  let half = isOdd ? 0.5 : 1
  let sum = isOdd ? erfc(Math.sqrt(y)) : Math.exp(-y)
  let term = isOdd ? 2 * Math.sqrt(y / Math.PI) * Math.exp(-y) : y * Math.exp(-y)
  while (half < df / 2) {
    sum += term
    half += 1
    term *= y / half
  }
  return Math.min(1, sum)
}
