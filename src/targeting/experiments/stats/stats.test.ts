import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { betaCdf, betaDensity, betaQuantile } from './beta'
import { type Counts, compareByDraws, interval95 } from './posterior'
import { sampleRatio, twoProportionPValue } from './proportions'
import { drawBeta, drawGamma, randomWords } from './random'
import cases from './stats.cases.json'
import { chiSquareSurvival, erfc, normalSurvival } from './tails'

const SEED = 20261120
const { tolerances } = cases
const holds = <T>(property: fc.IProperty<T>, numRuns = 200) => fc.assert(property, { seed: SEED, numRuns })

const toCounts = ([exposures = 0, conversions = 0]: readonly number[]): Counts => ({ exposures, conversions })
const counts = (most = 5_000_000) =>
  fc
    .tuple(fc.integer({ min: 0, max: most }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([exposures, share]): Counts => ({ exposures, conversions: Math.round(exposures * share) }))
const shape = fc.record({
  alpha: fc.double({ min: 1, max: 1e5, noNaN: true }),
  beta: fc.double({ min: 1, max: 1e5, noNaN: true }),
})

function expectNear(value: number, wanted: number, relative: number): void {
  const distance = Math.abs(value - wanted)
  if (distance > relative * Math.max(Math.abs(wanted), 1e-300)) expect(value).toBe(wanted)
  expect(Number.isFinite(value)).toBe(true)
}

for (const [x = 0, alpha = 1, beta = 1, wanted = 0] of cases.betaCdf)
  test(`betaCdf of ${x}, Beta(${alpha}, ${beta})`, () =>
    expectNear(betaCdf(x, { alpha, beta }), wanted, tolerances.betaCdf))

for (const [p = 0, alpha = 1, beta = 1, wanted = 0] of cases.betaQuantile)
  test(`betaQuantile of ${p}, Beta(${alpha}, ${beta})`, () =>
    expectNear(betaQuantile(p, { alpha, beta }), wanted, tolerances.betaQuantile))

for (const [x = 0, wanted = 0] of cases.erfc) test(`erfc of ${x}`, () => expectNear(erfc(x), wanted, tolerances.erfc))

for (const [z = 0, wanted = 0] of cases.normalSurvival)
  test(`normalSurvival of ${z}`, () => expectNear(normalSurvival(z), wanted, tolerances.normalSurvival))

for (const [chi2 = 0, df = 0, wanted = 0] of cases.chiSquareSurvival)
  test(`chiSquareSurvival of ${chi2}, ${df}`, () =>
    expectNear(chiSquareSurvival(chi2, df), wanted, tolerances.chiSquareSurvival))

const asCase = <T>(value: unknown): T => value as T

for (const row of cases.twoProportionPValue) {
  const [a, b, wanted] = asCase<[number[], number[], number]>(row)
  test(`twoProportionPValue of ${a} and ${b}`, () =>
    expectNear(twoProportionPValue(toCounts(a), toCounts(b)), wanted, tolerances.twoProportionPValue))
}

for (const row of cases.sampleRatio) {
  const [exposures, weights, chi2, df, pValue] = asCase<[number[], number[], number, number, number]>(row)
  test(`sampleRatio of ${exposures} at ${weights}`, () => {
    const srm = sampleRatio(exposures.map((count, index) => ({ exposures: count, weight: weights[index] ?? 0 })))
    expectNear(srm.chi2, chi2, tolerances.sampleRatio)
    expectNear(srm.pValue, pValue, tolerances.sampleRatio)
    expect(srm).toMatchObject({ df, isMismatch: pValue < 0.001 })
  })
}

for (const [exposures = 0, conversions = 0, low = 0, high = 0] of cases.interval95)
  test(`interval95 of ${conversions} in ${exposures}`, () => {
    const found = interval95({ exposures, conversions })
    expectNear(found[0], low, tolerances.interval95)
    expectNear(found[1], high, tolerances.interval95)
  })

for (const row of cases.compareByDraws) {
  const [variants, wanted] = asCase<[number[][], number[][]]>(row)
  test(`compareByDraws of ${JSON.stringify(variants)}`, () => {
    const [ofProbability = 0, ofLoss = 0] = tolerances.compareByDraws
    for (const [index, found] of compareByDraws(variants.map(toCounts)).entries()) {
      const [probability = 0, loss = 0] = wanted[index] ?? []
      expect(Math.abs(found.probabilityBest - probability)).toBeLessThan(ofProbability)
      expect(Math.abs(found.expectedLoss - loss)).toBeLessThan(Math.max(ofLoss, loss * 0.02))
    }
  })
}

for (const row of cases.randomWords) {
  const [start, wanted] = asCase<[[number, number, number, number], number[]]>(row)
  test('randomWords gives the published output', () => {
    const words = randomWords(start)
    expect(wanted.map(() => words())).toEqual(wanted)
  })
}

test('the incomplete beta function agrees with Simpson sums of its density', () =>
  holds(
    fc.property(fc.integer({ min: 3, max: 400 }), fc.integer({ min: 3, max: 400 }), (alpha, beta) => {
      const x = alpha / (alpha + beta)
      const steps = 4000
      let sum = betaDensity(x, { alpha, beta })
      for (let i = 1; i < steps; i++) sum += betaDensity((x * i) / steps, { alpha, beta }) * (i % 2 === 1 ? 4 : 2)
      expectNear(betaCdf(x, { alpha, beta }), (sum * x) / steps / 3, 1e-7)
    }),
    40,
  ))

test('the two sides of a Beta distribution mirror each other', () =>
  holds(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), shape, (x, { alpha, beta }) => {
      const sum = betaCdf(x, { alpha, beta }) + betaCdf(1 - x, { alpha: beta, beta: alpha })
      // 1 - x itself is off by half a unit in its last place, which a steep function shows.
      expect(Math.abs(sum - 1)).toBeLessThan(1e-9)
    }),
  ))

test('quantiles invert the distribution and rise with p', () =>
  holds(
    fc.property(fc.double({ min: 0.001, max: 0.99, noNaN: true }), shape, (p, beta) => {
      const x = betaQuantile(p, beta)
      expect(Math.abs(betaCdf(x, beta) - p)).toBeLessThan(1e-9)
      expect(betaQuantile(p + 0.005, beta)).toBeGreaterThan(x)
    }),
  ))

test('tails never rise', () =>
  holds(
    fc.property(fc.double({ min: 0, max: 200, noNaN: true }), fc.integer({ min: 1, max: 20 }), (x, df) => {
      expect(chiSquareSurvival(x + 0.1, df)).toBeLessThanOrEqual(chiSquareSurvival(x, df))
      expect(chiSquareSurvival(x, df + 1)).toBeGreaterThanOrEqual(chiSquareSurvival(x, df))
      expect(normalSurvival(x / 10 + 0.1)).toBeLessThan(normalSurvival(x / 10))
      expect(Math.abs(normalSurvival(x) + normalSurvival(-x) - 1)).toBeLessThan(1e-12)
    }),
  ))

test('one degree of freedom is a squared normal', () =>
  holds(
    fc.property(fc.double({ min: 0.001, max: 8, noNaN: true }), (z) =>
      expectNear(chiSquareSurvival(z * z, 1), 2 * normalSurvival(z), 1e-11),
    ),
  ))

test('intervals hold the rate, lie in 0..1 and narrow with data', () =>
  holds(
    fc.property(counts(), ({ exposures, conversions }) => {
      const [low, high] = interval95({ exposures, conversions })
      const rate = exposures === 0 ? 0 : conversions / exposures
      expect(low >= 0 && low <= rate && rate <= high && high <= 1 && low < high).toBe(true)
      const [low4, high4] = interval95({ exposures: exposures * 4 + 4, conversions: conversions * 4 + 2 })
      expect(high4 - low4).toBeLessThan(high - low)
    }),
  ))

test('a p-value is a probability and the same from either side', () =>
  holds(
    fc.property(counts(), counts(), (a, b) => {
      const p = twoProportionPValue(a, b)
      expect(p >= 0 && p <= 1).toBe(true)
      expect(twoProportionPValue(b, a)).toBe(p)
      expect(twoProportionPValue(a, a)).toBe(1)
    }),
  ))

test('no exposures, all or nobody converted tell nothing', () => {
  const none = { exposures: 0, conversions: 0 }
  expect(twoProportionPValue(none, none)).toBe(1)
  expect(twoProportionPValue(none, { exposures: 10, conversions: 3 })).toBe(1)
  expect(twoProportionPValue({ exposures: 9, conversions: 9 }, { exposures: 4, conversions: 4 })).toBe(1)
  expect(
    sampleRatio([
      { exposures: 0, weight: 0.5 },
      { exposures: 0, weight: 0.5 },
    ]),
  ).toMatchObject({ chi2: 0, pValue: 1 })
})

test('draws have the mean and the variance of their distribution', () => {
  for (const alpha of [1, 2.5, 40, 1e6]) {
    const words = randomWords([1, 2, 3, 4])
    const draws = Array.from({ length: 40_000 }, () => drawGamma(words, alpha))
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length
    const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length
    expectNear(mean, alpha, 0.02)
    expectNear(variance, alpha, 0.05)
  }
})

test('draws of a Beta follow its distribution everywhere (Kolmogorov-Smirnov)', () => {
  const words = randomWords([5, 6, 7, 8])
  const draws = Float64Array.from({ length: 20_000 }, () => drawBeta(words, 3, 30)).toSorted()
  const gaps = Array.from(draws, (x, index) => Math.abs(betaCdf(x, { alpha: 3, beta: 30 }) - index / draws.length))
  expect(Math.max(...gaps)).toBeLessThan(1.63 / Math.sqrt(draws.length)) // 1 % point
})

test(
  'chances: sum of 1, no negative loss, the same every time, and the order of variants hardly matters',
  () =>
    holds(
      fc.property(fc.array(counts(), { minLength: 2, maxLength: 5 }), (variants) => {
        const chances = compareByDraws(variants)
        expect(Math.abs(chances.reduce((sum, { probabilityBest }) => sum + probabilityBest, 0) - 1)).toBeLessThan(1e-9)
        expect(chances.every(({ expectedLoss }) => expectedLoss >= 0 && expectedLoss <= 1)).toBe(true)
        expect(compareByDraws(variants)).toEqual(chances)
        const mirrored = compareByDraws(variants.toReversed()).toReversed()
        for (const [index, { probabilityBest }] of chances.entries())
          expect(Math.abs((mirrored[index]?.probabilityBest ?? 9) - probabilityBest)).toBeLessThan(0.02)
      }),
      15,
    ),
  600_000,
)
