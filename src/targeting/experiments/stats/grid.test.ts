import { expect, test } from 'bun:test'
import { type Counts, compareByDraws, interval95, posterior } from './posterior'
import { sampleRatio, twoProportionPValue } from './proportions'

// The same numbers computed in another way: closed forms and integration over a grid, without any function of svc.

/** Lanczos, g = 7. */
function logGamma(x: number): number {
  const terms = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ]
  const sum = terms.reduce((total, term, index) => total + (index === 0 ? term : term / (x - 1 + index)), 0)
  const t = x + 6.5
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b)

/** The probability that the second is better (Miller, "Formulas for Bayesian A/B Testing", 2015). */
function chanceOfSecond(one: Counts, other: Counts): number {
  const [a, b] = [posterior(one), posterior(other)]
  let sum = 0
  for (let i = 0; i < b.alpha; i++)
    sum += Math.exp(
      logBeta(a.alpha + i, b.beta + a.beta) - Math.log(b.beta + i) - logBeta(1 + i, b.beta) - logBeta(a.alpha, a.beta),
    )
  return sum
}

/** Simpson's rule. */
function integrate(of: (x: number) => number, from: number, to: number, steps = 4000): number {
  const width = (to - from) / steps
  let sum = of(from) + of(to)
  for (let i = 1; i < steps; i++) sum += of(from + i * width) * (i % 2 === 1 ? 4 : 2)
  return (sum * width) / 3
}

const density = ({ alpha, beta }: { alpha: number; beta: number }) => {
  const scale = logBeta(alpha, beta)
  return (x: number) => Math.exp((alpha - 1) * Math.log(x) + (beta - 1) * Math.log1p(-x) - scale)
}

const counts = (exposures: number, conversions: number): Counts => ({ exposures, conversions })
const SMALL = [counts(0, 0), counts(1, 0), counts(1, 1), counts(9, 2), counts(100, 0), counts(100, 37)]
const SIZEABLE = [counts(100, 100), counts(2000, 31), counts(2000, 44), counts(10_000, 1000), counts(10_000, 1080)]
const PAIRS = [...SMALL, ...SIZEABLE].flatMap((one, index, all) =>
  all.slice(index).map((other) => [one, other] as const),
)

test('the chance of two variants is that of the closed form, and the losses follow from it', () => {
  for (const [one, other] of PAIRS) {
    const [a, b] = compareByDraws([one, other])
    const gap = (other.conversions + 1) / (other.exposures + 2) - (one.conversions + 1) / (one.exposures + 2)
    expect(Math.abs((b?.probabilityBest ?? 9) - chanceOfSecond(one, other))).toBeLessThan(0.0075)
    // The difference of the two losses is the difference of the two rates.
    expect(Math.abs((a?.expectedLoss ?? 9) - (b?.expectedLoss ?? 9) - gap)).toBeLessThan(0.005)
  }
})

test('an interval holds 95 % of the density, half of the rest on each side', () => {
  for (const count of [counts(9, 2), counts(100, 37), counts(2000, 31), counts(10_000, 1080)]) {
    const [low, high] = interval95(count)
    const of = density(posterior(count))
    const least = 1e-12
    expect(integrate(of, least, low)).toBeCloseTo(0.025, 6)
    expect(integrate(of, low, high)).toBeCloseTo(0.95, 6)
  }
})

test('a p-value is the tail of the normal density beyond z', () => {
  for (const [one, other] of PAIRS) {
    const n = one.exposures + other.exposures
    const pooled = (one.conversions + other.conversions) / n
    const error = Math.sqrt(pooled * (1 - pooled) * (1 / one.exposures + 1 / other.exposures))
    const z = Math.abs(one.conversions / one.exposures - other.conversions / other.exposures) / error
    const wanted = Number.isFinite(z)
      ? 1 - 2 * integrate((x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI), 0, z)
      : 1
    expect(twoProportionPValue(one, other)).toBeCloseTo(wanted, 9)
  }
})

test('a mismatch of shares is the tail of the chi-square density', () => {
  for (const exposures of [
    [10, 12],
    [100, 140],
    [50, 60, 70],
    [1000, 1100, 1000, 950],
    Array(20)
      .fill(500)
      .map((n, i) => n + i),
  ]) {
    const srm = sampleRatio(exposures.map((count) => ({ exposures: count, weight: 1 / exposures.length })))
    const mean = exposures.reduce((sum, count) => sum + count, 0) / exposures.length
    const chi2 = exposures.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0)
    const half = (exposures.length - 1) / 2
    // Over the square root of x, where the density of one degree of freedom has no pole.
    const of = (root: number) =>
      2 * Math.exp((2 * half - 1) * Math.log(root) - (root * root) / 2 - half * Math.LN2 - logGamma(half))
    expect(srm.chi2).toBeCloseTo(chi2, 8)
    expect(srm.pValue).toBeCloseTo(1 - integrate(of, 1e-9, Math.sqrt(chi2)), 7)
  }
})

test('ten million exposures and twenty variants have sound numbers, the same each time', () => {
  const many = Array.from({ length: 20 }, () => counts(10_000_000, 1_000_000))
  const chances = compareByDraws(many)
  expect(compareByDraws(many)).toEqual(chances)
  for (const { probabilityBest, expectedLoss } of chances) {
    expect(Math.abs(probabilityBest - 1 / 20)).toBeLessThan(0.005)
    // The highest of twenty normal draws lies 1.8675 deviations above their mean (Harter, 1961).
    expect(expectedLoss / (1.86748 * Math.sqrt(0.09 / 10_000_000))).toBeCloseTo(1, 1)
  }
  const [low, high] = interval95(counts(10_000_000, 1_000_000))
  expect((high - low) / (2 * 1.959964 * Math.sqrt(0.09 / 10_000_000))).toBeCloseTo(1, 4)
})
