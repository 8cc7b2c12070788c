/** Shapes of a Beta distribution; both at least 1, which a Beta(1,1) start guarantees. */
export interface Beta {
  alpha: number
  beta: number
}

/**
 * Probability that a draw of the distribution is at most `x`: the regularised incomplete beta function, by the
 * continued fraction of DLMF 8.17.22. Example: Beta(2, 3) at 0.5 is 0.6875.
 */
export function betaCdf(x: number, { alpha, beta }: Beta): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction converges fast on one side of the mean only; DLMF 8.17.4 gives the other side.
  if (x > (alpha + 1) / (alpha + beta + 2)) return 1 - lowerTail(1 - x, x, { alpha: beta, beta: alpha })
  return lowerTail(x, 1 - x, { alpha, beta })
}

/**
 * The `x` of 0..1 below which a draw falls with probability `p`. It uses Newton's method on `betaCdf`, and bisection
 * where a step leaves the bracket. Example: Beta(101, 901) at 0.025 is 0.082936 (100 of 1000 converted, lower end of 95
 * %).
 */
export function betaQuantile(p: number, shape: Beta): number {
  if (p <= 0) return 0
  if (p >= 1) return 1
  let [low, high] = [0, 1]
  let x = shape.alpha / (shape.alpha + shape.beta)
  for (let turn = 0; turn < 200; turn++) {
    const excess = betaCdf(x, shape) - p
    if (excess > 0) high = x
    else low = x
    const newton = x - excess / betaDensity(x, shape)
    const next = newton > low && newton < high ? newton : (low + high) / 2
    if (Math.abs(next - x) <= 1e-14 * x) return next
    x = next
  }
  return x
}

/** Probability density at `x` strictly between 0 and 1. Example: Beta(2, 3) at 0.5 is 1.5. */
export function betaDensity(x: number, { alpha, beta }: Beta): number {
  const scale = (alpha * beta) / (alpha + beta)
  return (binomialTerm(x, 1 - x, { alpha, beta }) * scale) / (x * (1 - x))
}

function lowerTail(x: number, y: number, { alpha, beta }: Beta): number {
  const front = (binomialTerm(x, y, { alpha, beta }) * beta) / (alpha + beta)
  return front * continuedFraction(x, alpha, beta)
}

// Lentz's method; near the mean it takes a few times the square root of the larger shape.
function continuedFraction(x: number, a: number, b: number): number {
  const most = 200 + 10 * Math.ceil(Math.sqrt(Math.max(a, b)))
  let numerator = 1
  let denominator = 1 / (1 - ((a + b) * x) / (a + 1))
  let value = denominator
  for (let m = 1; m <= most; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    denominator = 1 / (1 + even * denominator)
    numerator = 1 + even / numerator
    value *= denominator * numerator
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    denominator = 1 / (1 + odd * denominator)
    numerator = 1 + odd / numerator
    const factor = denominator * numerator
    value *= factor
    if (Math.abs(factor - 1) < 1e-15) break
  }
  return value
}

// The binomial probability of Loader, "Fast and Accurate Computation of Binomial Probabilities" (2000), for real counts.
// Differences of log-gammas would lose eight digits at a million exposures; this loses none.
function binomialTerm(x: number, y: number, { alpha, beta }: Beta): number {
  const n = alpha + beta
  const exponent =
    stirlingError(n) -
    stirlingError(alpha) -
    stirlingError(beta) -
    devianceTerm(alpha, n * x) -
    devianceTerm(beta, n * y)
  return Math.sqrt(n / (2 * Math.PI * alpha * beta)) * Math.exp(exponent)
}

// log(n!) less Stirling's formula: the series from 16 on, below it by the recurrence of the factorial.
function stirlingError(n: number): number {
  if (n < 16) return stirlingError(n + 1) + (n + 0.5) * Math.log1p(1 / n) - 1
  const s = 1 / (n * n)
  return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - (s * 691) / 360360))))) / n
}

// count * log(count / mean) + mean - count, without the cancellation of the plain form near the mean.
function devianceTerm(count: number, mean: number): number {
  const difference = count - mean
  if (Math.abs(difference) >= 0.1 * (count + mean)) return count * Math.log(count / mean) - difference
  const ratio = difference / (count + mean)
  let sum = difference * ratio
  let power = 2 * count * ratio
  for (let j = 1; j < 100; j++) {
    power *= ratio * ratio
    const next = sum + power / (2 * j + 1)
    if (next === sum) break
    sum = next
  }
  return sum
}
