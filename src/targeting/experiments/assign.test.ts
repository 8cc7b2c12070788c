import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { simpleMatchers } from '../../core/rules/matches.fixtures'
import { type Assigned, assign, type Draw, experimentAnswers, type Outcome } from './assign'
import cases from './assign.cases.json'
import { compileExperiments } from './compile'
import type { ExperimentRow } from './model'

const SEED = 20261120
type Attributes = Record<string, string>
type Case = [
  name: string,
  experiments: Partial<ExperimentRow>[],
  attributes: Attributes,
  id: string | null,
  held: Record<string, string>,
  holdoutPercentage: number,
  outcomes: Record<string, string>,
  draws: string[],
]

const matchers = simpleMatchers(cases.audiences)
const row = (part: Partial<ExperimentRow>): ExperimentRow => ({ ...(cases.experiment as ExperimentRow), ...part })
const compiled = (parts: Partial<ExperimentRow>[]) => compileExperiments(parts.map(row), matchers).experiments

interface Asked {
  id?: string | null
  attributes?: Attributes
  held?: Record<string, string>
  holdoutPercentage?: number
}

const ask = (parts: Partial<ExperimentRow>[], asked: Asked = {}): Assigned =>
  assign({
    experiments: compiled(parts),
    subject: asked.attributes ?? {},
    bucketingId: asked.id === undefined ? 'svc_8fK2mQ7xLw' : asked.id,
    held: new Map(Object.entries(asked.held ?? {})),
    holdoutPercentage: asked.holdoutPercentage ?? 0,
  })

function sayOutcome(outcome: Outcome): string {
  if (outcome.reason === 'EXCLUDED') return `EXCLUDED by ${outcome.by}`
  return outcome.variant ? `${outcome.reason} ${outcome.variant.id}` : outcome.reason
}

const sayDraw = ({ experimentId, variantId, replaces }: Draw): string =>
  `${experimentId} ${variantId}${replaces === null ? '' : ` for ${replaces}`}`

describe('cases', () => {
  for (const [
    name,
    parts,
    attributes,
    id,
    held,
    holdoutPercentage,
    outcomes,
    draws,
  ] of cases.cases as unknown as Case[])
    test(name, () => {
      const assigned = ask(parts, { id, attributes, held, holdoutPercentage })
      const said = [...assigned.outcomes].map(([experimentId, outcome]) => [experimentId, sayOutcome(outcome)])
      expect({ outcomes: Object.fromEntries(said), draws: assigned.draws.map(sayDraw) }).toEqual({ outcomes, draws })
      expect(assigned.faults).toEqual([])
    })
})

const two = { id: 'exp_2', key: 'price_test', createdAt: 2 }

test('answers name those that are in, in order, and nothing else', () => {
  const parts = [two, { status: 'PAUSED' as const, id: 'exp_3', key: 'third' }, {}]
  const experiments = compiled(parts)
  expect(experimentAnswers(experiments, ask(parts, { held: { exp_1: 'b' } }))).toEqual([
    { experimentId: 'exp_1', key: 'checkout_test', type: 'FLAG', variantId: 'b', variantName: 'Treatment', value: 2 },
    { experimentId: 'exp_2', key: 'price_test', type: 'FLAG', variantId: 'b', variantName: 'Treatment', value: 2 },
  ])
  expect(experimentAnswers(experiments, ask(parts, { holdoutPercentage: 100 }))).toEqual([])
  expect(experimentAnswers(experiments, ask(parts, { id: null }))).toEqual([])
})

test('a draw is saved with the version of the draw', () => {
  expect(ask([{}]).draws).toEqual([{ experimentId: 'exp_1', variantId: 'a', hashVersion: 1, replaces: null }])
})

test('a broken stored experiment is reported by its key', () => {
  const { faults } = compileExperiments([row({ audienceId: 'broken' }), row({ ...two, variants: [] })], matchers)
  expect(faults).toEqual([
    { path: 'checkout_test', message: '$like is no operator' },
    { path: 'price_test', message: 'variants must be a list' },
  ])
})

test('an audience that fails when asked takes out its own experiment and is reported', () => {
  const [bad, good] = compiled([{}, two])
  if (!bad || !good) throw new Error('two were given')
  const matches = () => {
    throw new Error('no such thing')
  }
  const experiments = [{ ...bad, matches }, good]
  const input = { experiments, subject: {}, bucketingId: 'svc_a1', held: new Map(), holdoutPercentage: 0 }
  const { outcomes, faults } = assign(input)
  expect([...outcomes.values()].map(({ reason }) => reason)).toEqual(['AUDIENCE', 'DRAWN'])
  expect(faults).toEqual([{ path: 'checkout_test', message: 'no such thing' }])
})

const anyWeights = fc
  .array(fc.integer({ min: 1, max: 1000 }), { minLength: 2, maxLength: 20 })
  .map((parts) => parts.map((part) => part / parts.reduce((sum, next) => sum + next)))
const anyVariants = anyWeights.map((weights) =>
  weights.map((weight, index) => ({ id: `v${index}`, name: `V${index}`, weight, value: index })),
)
const anyExperiments = fc
  .array(
    fc.record({
      status: fc.constantFrom(
        'DRAFT' as const,
        'RUNNING' as const,
        'RUNNING' as const,
        'PAUSED' as const,
        'COMPLETED' as const,
      ),
      audienceId: fc.constantFrom(null, 'all', 'turkey', 'missing', 'broken'),
      mutualExclusionGroup: fc.constantFrom(null, null, 'x', 'y'),
      createdAt: fc.integer({ min: 0, max: 3 }),
      variants: anyVariants,
    }),
    { maxLength: 8 },
  )
  .map((parts) => parts.map((part, index) => ({ ...part, id: `exp_${index}`, key: `key_${index}` })))
const anyHeld = fc.dictionary(
  fc.constantFrom('exp_0', 'exp_1', 'exp_2', 'exp_3', 'exp_4'),
  fc.constantFrom('v0', 'v1', 'gone'),
)
const anyAttributes = fc.constantFrom<Attributes>({}, { country: 'TR' })
const isIn = ({ reason }: Outcome): boolean => reason === 'HELD' || reason === 'DRAWN'

describe('laws', () => {
  /** The draw as a client implements it from the wire specification alone. */
  function clientDraw(id: string, key: string, variants: readonly { id: string; weight: number }[]): string {
    const drawn =
      createHash('sha256')
        .update(Buffer.from(`${id}:${key}`, 'utf8'))
        .digest()
        .readUInt32BE() % 10_000
    let bound = 0
    const found = variants.find(({ weight }) => {
      bound += weight * 10_000
      return drawn < Math.floor(bound + 0.5)
    })
    return (found ?? variants.at(-1))?.id ?? ''
  }

  test('the draw of the server is the draw of the client', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), anyVariants, (id, key, variants) => {
        const outcome = ask([{ key, variants }], { id }).outcomes.get('exp_1')
        expect(outcome?.variant?.id).toBe(clientDraw(id, key, variants))
      }),
      { seed: SEED, numRuns: 500 },
    )
  })

  test('a held variant survives every change of weights', () => {
    fc.assert(
      fc.property(fc.string(), anyVariants, anyWeights, (id, variants, weights) => {
        const before = ask([{ variants }], { id })
        const held = Object.fromEntries(before.draws.map((draw) => [draw.experimentId, draw.variantId]))
        const changed = variants.map((variant, index) => ({ ...variant, weight: weights[index] ?? 0 }))
        const after = ask([{ variants: changed }], { id, held })
        expect(after.outcomes.get('exp_1')).toMatchObject({ reason: 'HELD', variant: { id: held.exp_1 } })
        expect(after.draws).toEqual([])
      }),
      { seed: SEED },
    )
  })

  test('a group never gives two', () => {
    fc.assert(
      fc.property(anyExperiments, fc.string(), anyHeld, anyAttributes, (parts, id, held, attributes) => {
        const { outcomes } = ask(parts, { id, held, attributes })
        for (const group of ['x', 'y']) {
          const members = parts.filter(({ mutualExclusionGroup }) => mutualExclusionGroup === group)
          const inside = members.filter((member) => isIn(outcomes.get(member.id) as Outcome))
          expect(inside.length).toBeLessThanOrEqual(1)
        }
      }),
      { seed: SEED, numRuns: 500 },
    )
  })

  test('a holdout gives none, draws none and says so', () => {
    fc.assert(
      fc.property(anyExperiments, fc.string(), anyHeld, (parts, id, held) => {
        const { outcomes, draws } = ask(parts, { id, held, holdoutPercentage: 100 })
        expect([...outcomes.values()].some(isIn)).toBe(false)
        expect(draws).toEqual([])
        const running = parts.filter(({ status }) => status === 'RUNNING')
        for (const { id: running_ } of running) expect(outcomes.get(running_)?.reason).toBe('HOLDOUT')
      }),
      { seed: SEED },
    )
  })

  test('the order of the list never changes an answer, and saving the draws changes none', () => {
    fc.assert(
      fc.property(anyExperiments, fc.string(), anyHeld, anyAttributes, (parts, id, held, attributes) => {
        const first = ask(parts, { id, held, attributes })
        expect(ask(parts.toReversed(), { id, held, attributes })).toEqual(first)
        const saved = Object.fromEntries(first.draws.map((draw) => [draw.experimentId, draw.variantId]))
        const second = ask(parts, { id, held: { ...held, ...saved }, attributes })
        expect(second.draws).toEqual([])
        for (const [experimentId, { variant }] of first.outcomes)
          expect(second.outcomes.get(experimentId)?.variant ?? null).toEqual(variant)
      }),
      { seed: SEED, numRuns: 300 },
    )
  })

  test('every experiment has its outcome, and no stored row makes asking throw', () => {
    const odd = fc.record(Object.fromEntries(Object.keys(cases.experiment).map((name) => [name, fc.anything()])), {
      requiredKeys: [],
    })
    fc.assert(
      fc.property(fc.array(odd), fc.string(), fc.double(), (parts, id, holdoutPercentage) => {
        const rows = parts.map((part, index) => ({ ...part, id: `exp_${index}` }) as unknown as ExperimentRow)
        expect(ask(rows, { id, holdoutPercentage }).outcomes.size).toBe(rows.length)
      }),
      { seed: SEED, numRuns: 300 },
    )
  })
})
