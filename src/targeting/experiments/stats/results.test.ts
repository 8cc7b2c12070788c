import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../../base/lib/clock'
import type { ExperimentFacts, VariantFacts } from './facts'
import type { Recommendation } from './recommendation'
import { computeResults, computeResultsInSteps, HOLDOUT_VARIANT } from './results'
import cases from './stats.cases.json'

const SEED = 20261120
const NOW = Date.UTC(2026, 10, 20, 8)
const usd = { amountMicros: 0, currency: 'USD' }

type Row = readonly number[]

const toVariant = (
  [exposures = 0, conversions = 0, purchases = 0, refunds = 0]: Row,
  index: number,
  weight: number,
) => ({
  ...{ variantId: 'abcdefghijklmnopqrst'[index] ?? '', name: 'ABCDEFGHIJKLMNOPQRST'[index] ?? '', weight },
  ...{ exposures, conversions, revenue: usd, matured: { purchases, refunds } },
})

const facts = (
  rows: readonly Row[],
  more: Partial<ExperimentFacts> = {},
  weights?: readonly number[],
): ExperimentFacts => ({
  ...{ experimentId: 'exp_1', key: 'checkout_test', status: 'RUNNING', startedAt: NOW - 8 * DAY, completedAt: null },
  ...{
    variants: rows.map((row, i): VariantFacts => toVariant(row, i, weights?.[i] ?? 1 / rows.length)),
    holdout: null,
  },
  ...{ crossovers: 0, removed: 0, ...more },
})

interface Case extends Recommendation {
  name: string
  variants: number[][]
  status?: ExperimentFacts['status']
  days?: number | null
  ranDays?: number
  weights?: number[]
  crossovers?: number
}

function toFacts({ variants, status = 'RUNNING', days = 8, ranDays, weights, crossovers = 0 }: Case): ExperimentFacts {
  const startedAt = days === null ? null : NOW - days * DAY
  const completedAt = startedAt === null || ranDays === undefined ? null : startedAt + ranDays * DAY
  return facts(variants, { status, startedAt, completedAt, crossovers }, weights)
}

// The cases are data of this repository; the inferred type has a different shape for every row.
const recommendations = cases.recommendations as unknown as Case[]

for (const one of recommendations)
  test(one.name, () => {
    const { action, reason, sentence } = one
    expect(computeResults(toFacts(one), NOW).recommendation).toEqual({ action, reason, sentence })
  })

test('the document has every number of every variant', () => {
  const { variants, ...rest } = computeResults(
    facts([
      [1000, 100],
      [1000, 120],
    ]),
    NOW,
  )
  expect(rest).toMatchObject({ experimentId: 'exp_1', key: 'checkout_test', status: 'RUNNING', computedAt: NOW })
  expect(rest.srm).toEqual({ chi2: 0, df: 1, pValue: 1, isMismatch: false })
  expect(variants[0]).toMatchObject({ variantId: 'a', name: 'A', weight: 0.5, exposures: 1000, conversions: 100 })
  expect(variants[0]).toMatchObject({
    conversionRate: 0.1,
    interval95: [0.0829364, 0.120169],
    pValue: null,
    revenue: usd,
  })
  expect(variants[1]).toMatchObject({ conversionRate: 0.12, pValue: 0.152918 })
})

test('two result readings that disagree', () => {
  const safeOnly = computeResults(
    facts([
      [10_000, 1000],
      [10_000, 1080],
    ]),
    NOW,
  )
  expect(safeOnly.variants[1]?.expectedLoss).toBeLessThan(0.0002)
  expect(safeOnly.variants[1]?.pValue).toBeGreaterThan(0.05)
  expect(safeOnly.recommendation).toMatchObject({ action: 'KEEP_RUNNING', reason: 'NOT_ENOUGH_DATA' })

  const significantOnly = computeResults(
    facts([
      [10_000, 1000],
      [10_000, 1198],
      [10_000, 1200],
    ]),
    NOW,
  )
  expect(significantOnly.variants[2]?.pValue).toBeLessThan(0.001)
  expect(significantOnly.variants[2]?.expectedLoss).toBeGreaterThan(0.0002)
  expect(significantOnly.recommendation).toMatchObject({ action: 'KEEP_RUNNING', reason: 'NOT_ENOUGH_DATA' })
})

const row = fc
  .tuple(fc.integer({ min: 0, max: 2_000_000 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([exposures, share]): Row => [exposures, Math.round(exposures * share)])
const close = fc
  .tuple(
    fc.integer({ min: 100, max: 200_000 }),
    fc.integer({ min: 1, max: 50 }),
    fc.array(fc.double({ min: 0.7, max: 1.3, noNaN: true }), { minLength: 2, maxLength: 4 }),
  )
  .map(([exposures, percent, lifts]): Row[] =>
    lifts.map((lift) => [exposures, Math.round((exposures * percent * lift) / 100)]),
  )

test('neither reading is ever overruled by the other', () => {
  const seen = new Set<string>()
  const property = fc.property(close, (rows) => {
    const { variants, recommendation } = computeResults(facts(rows), NOW)
    seen.add(recommendation.reason)
    const [control, ...challengers] = variants
    const limit = 0.002 * (((control?.conversions ?? 0) + 1) / ((control?.exposures ?? 0) + 2)) * 1.00001
    if (recommendation.action === 'SHIP') {
      const shipped = challengers.find(({ name }) => recommendation.sentence.startsWith(`Ship ${name}:`))
      expect(shipped?.pValue).toBeLessThan(0.05)
      expect(shipped?.conversionRate).toBeGreaterThan(control?.conversionRate ?? 1)
      expect(shipped?.expectedLoss).toBeLessThan(limit)
      expect(shipped?.probabilityBest).toBeGreaterThan(control?.probabilityBest ?? 1)
    }
    if (recommendation.reason === 'NO_WINNER') {
      expect(control?.expectedLoss).toBeLessThan(limit)
      const better = challengers.filter((one) => one.conversionRate > (control?.conversionRate ?? 1))
      expect(better.every(({ pValue }) => (pValue ?? 0) >= 0.05 / challengers.length - 1e-6)).toBe(true)
    }
  })
  fc.assert(property, { seed: SEED, numRuns: 60 })
  expect([...seen].sort()).toEqual(['NOT_ENOUGH_DATA', 'NO_WINNER', 'SHIP'])
}, 600_000)

test('any counts give finite numbers and a whole sentence', () => {
  const property = fc.property(fc.array(row, { minLength: 2, maxLength: 4 }), (rows) => {
    const { variants, srm, recommendation } = computeResults(facts(rows), NOW)
    const numbers = variants.flatMap((one) => [
      one.conversionRate,
      ...one.interval95,
      one.pValue ?? 0,
      one.expectedLoss,
    ])
    expect([...numbers, srm.chi2, srm.pValue].every(Number.isFinite)).toBe(true)
    expect(variants.map(({ pValue }) => pValue === null)).toEqual(rows.map((_row, index) => index === 0))
    expect(recommendation.sentence).toMatch(/^[A-Z][^\n]*[.]$/)
    expect(recommendation.sentence).not.toMatch(/NaN|undefined|Infinity|e-\d/)
  })
  fc.assert(property, { seed: SEED, numRuns: 40 })
}, 600_000)

test('twins are told apart by nothing', () => {
  const { variants } = computeResults(
    facts([
      [1000, 100],
      [1000, 100],
      [1000, 100],
    ]),
    NOW,
  )
  expect(variants.slice(1).map(({ pValue }) => pValue)).toEqual([1, 1])
  for (const { probabilityBest } of variants) expect(Math.abs((probabilityBest ?? 0) - 1 / 3)).toBeLessThan(0.01)
})

test('the held-out group is shown last and decides nothing', () => {
  const rows = [
    [10_000, 1000],
    [10_000, 1200],
  ]
  const without = computeResults(facts(rows), NOW)
  const { exposures, conversions, revenue, matured } = toVariant([500, 400], 0, 1)
  const withHoldout = computeResults(facts(rows, { holdout: { exposures, conversions, revenue, matured } }), NOW)
  expect(withHoldout.variants.slice(0, 2)).toEqual(without.variants)
  expect(withHoldout).toMatchObject({ srm: without.srm, recommendation: without.recommendation })
  expect(withHoldout.variants[2]).toMatchObject({ variantId: HOLDOUT_VARIANT, exposures: 500, conversionRate: 0.8 })
  expect(withHoldout.variants[2]).toMatchObject({ pValue: null, probabilityBest: null, expectedLoss: null })
})

test('facts stay as they were, and the same facts give the same document', () => {
  const frozen = Object.freeze(
    facts(
      [
        [1000, 100],
        [1000, 120],
        [1000, 90],
      ].map((one) => Object.freeze(one)),
    ),
  )
  Object.freeze(frozen.variants)
  expect(computeResults(frozen, NOW)).toEqual(computeResults(frozen, NOW))
})

test('computed with turns of the loop between, the document is the same', async () => {
  const given = facts([
    [1000, 100],
    [1000, 120],
  ])
  let hasTurned = false
  setImmediate(() => {
    hasTurned = true
  })
  expect(await computeResultsInSteps(given, NOW)).toEqual(computeResults(given, NOW))
  expect(hasTurned).toBe(true)
  await expect(computeResultsInSteps(facts([[10, 1]]), NOW)).rejects.toThrow(RangeError)
})

// Each guard alone keeps a clear winner from being shipped.
const WINNER = [
  [10_000, 1000, 900, 36],
  [10_000, 1200, 1100, 44],
]
const guards: [name: string, ExperimentFacts, reason: Recommendation['reason']][] = [
  ['none', facts(WINNER), 'SHIP'],
  ['too early', facts(WINNER, { startedAt: NOW - 7 * DAY + 1 }), 'MIN_DURATION'],
  ['stopped too early', facts(WINNER, { completedAt: NOW - 2 * DAY, status: 'COMPLETED' }), 'MIN_DURATION'],
  ['a split far from the weights', facts(WINNER, {}, [0.6, 0.4]), 'SRM'],
  ['too many changed variant', facts(WINNER, { crossovers: 21 }), 'CROSSOVER'],
  ['too many held a removed variant', facts(WINNER, { removed: 21 }), 'CROSSOVER'],
  ['both together', facts(WINNER, { crossovers: 11, removed: 11 }), 'CROSSOVER'],
  ['as many as may', facts(WINNER, { crossovers: 10, removed: 10 }), 'SHIP'],
  ['refunds', facts([WINNER[0] ?? [], [10_000, 1200, 1100, 55]]), 'REFUND_GUARD'],
  ['a loss that is too large', facts([...WINNER, [10_000, 1199, 1100, 44]]), 'NOT_ENOUGH_DATA'],
  ['a difference that can be chance', facts([WINNER[0] ?? [], [10_000, 1080, 1100, 44]]), 'NOT_ENOUGH_DATA'],
  [
    'too few',
    facts([
      [90, 9],
      [90, 60],
    ]),
    'NOT_ENOUGH_DATA',
  ],
  ['nothing better', facts([WINNER[1] ?? [], WINNER[0] ?? []]), 'NO_WINNER'],
]
for (const [name, given, reason] of guards)
  test(`ships only when every guard holds: ${name}`, () => {
    const { recommendation } = computeResults(given, NOW)
    expect([recommendation.reason, recommendation.action === 'SHIP']).toEqual([reason, reason === 'SHIP'])
  })

test('every reason has been seen above', () => {
  const reasons = new Set([...recommendations, ...guards.map(([, , reason]) => ({ reason }))].map((one) => one.reason))
  expect([...reasons].sort()).toEqual([
    'CROSSOVER',
    'MIN_DURATION',
    'NOT_ENOUGH_DATA',
    'NO_WINNER',
    'REFUND_GUARD',
    'SHIP',
    'SRM',
  ])
})

const impossible: [name: string, ExperimentFacts][] = [
  [
    'more conversions than exposures',
    facts([
      [10, 11],
      [10, 1],
    ]),
  ],
  [
    'fewer than none',
    facts([
      [10, -1],
      [10, 1],
    ]),
  ],
  [
    'half a subscriber',
    facts([
      [10, 0.5],
      [10, 1],
    ]),
  ],
  [
    'no number',
    facts([
      [Number.NaN, 0],
      [10, 1],
    ]),
  ],
  [
    'more refunds than purchases',
    facts([
      [10, 1, 1, 2],
      [10, 1],
    ]),
  ],
  ['one variant', facts([[10, 1]])],
  [
    'a weight of 0',
    facts(
      [
        [10, 1],
        [10, 1],
      ],
      {},
      [1, 0],
    ),
  ],
  [
    'more crossovers than exposures',
    facts(
      [
        [10, 1],
        [10, 1],
      ],
      { crossovers: 21 },
    ),
  ],
]
for (const [name, given] of impossible)
  test(`refuses ${name}`, () => expect(() => computeResults(given, NOW)).toThrow(RangeError))
