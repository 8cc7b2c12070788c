import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { bucket } from '../../base/lib/bucket'
import { variantOf } from '../../core/bucket/bucket'
import { simpleMatchers } from '../../core/rules/matches.fixtures'
import { assign } from '../experiments/assign'
import { compileExperiments } from '../experiments/compile'
import type { ExperimentRow } from '../experiments/model'
import { compilePlacement } from './compile'
import type { ExperimentDocument, PlacementReason, PlacementRow, Resolution, RowReason } from './model'
import { resolvePlacement } from './resolve'
import cases from './resolve.cases.json'

const SEED = 20261120
const OFFERING = 'off_1'
const OFFERED = { identifier: 'turkey', isDefault: false, metadata: {}, packages: [] }
type Attributes = Record<string, string>
type Funnel = { id: string; versionNo: number; name: string }
interface Setting {
  rows: PlacementRow[] | null
  isActive: boolean
  caller: { bucketingId: string | null; deviceKey: string | null }
  attributes: Attributes
  held: Record<string, string>
  holdoutPercentage: number
  funnels: string[]
  experiment?: Partial<ExperimentRow> & { weights?: number[] }
  rival?: boolean
}
interface Case extends Partial<Setting> {
  name: string
  reason: PlacementReason
  row: number | null
  shown: null | string | (Omit<ExperimentDocument<Funnel>, 'variants'> & { variants: [string, number, string][] })
  passed: RowReason[]
}

const matchers = simpleMatchers(cases.audiences)
const funnelOf = (id: string): Funnel => ({ id, versionNo: Number(id.slice(4)), name: `Funnel ${id}` })

function experimentsOf({ experiment = {}, rival }: Setting): ExperimentRow[] {
  const base = cases.experiment as ExperimentRow
  const { weights, ...change } = experiment
  const variants = base.variants.map((variant, index) => ({ ...variant, weight: weights?.[index] ?? variant.weight }))
  const row = { ...base, variants, ...change }
  return rival ? [row, { ...row, id: 'exp_2', key: 'rival', createdAt: 2 }] : [row]
}

function resolve(part: Partial<Setting>): Resolution<Funnel> {
  const setting: Setting = { ...(cases.defaults as object as Setting), rows: null, ...part }
  const { rows, isActive, caller, attributes, held, holdoutPercentage, funnels } = setting
  const { experiments } = compileExperiments(experimentsOf(setting), matchers)
  const { bucketingId } = caller
  const heldMap = new Map(Object.entries(held))
  const { outcomes } = assign({ experiments, subject: attributes, bucketingId, held: heldMap, holdoutPercentage })
  const stored = rows && { identifier: 'onboarding', isActive, revision: 4, rows }
  const placement = stored && compilePlacement(stored, matchers).placement
  return resolvePlacement(
    placement,
    { ...caller, subject: attributes, outcomes },
    {
      experiments: new Map(experiments.map((experiment) => [experiment.id, experiment])),
      funnels: new Map(funnels.map((id) => [id, funnelOf(id)])),
      offerings: new Map([[OFFERING, OFFERED]]),
    },
  )
}

function documentOf(id: string, variantId: string | null, experimentKey: string | null) {
  const { versionNo } = funnelOf(id)
  const of = { placementId: 'onboarding', placementRevision: 4, funnelId: id, funnelVersionNo: versionNo }
  return { ...funnelOf(id), presentedContext: { ...of, variantId, experimentKey } }
}

/** The whole answer that a case expects. */
function answerOf(shown: Case['shown']): unknown {
  if (shown === 'nothing') return { placement: null, funnel: null, experiment: null, offering: null }
  const empty = { placement: { identifier: 'onboarding', revision: 4 }, funnel: null, experiment: null, offering: null }
  if (shown === null) return empty
  if (shown === OFFERING) return { ...empty, offering: OFFERED }
  if (typeof shown === 'string') return { ...empty, funnel: documentOf(shown, null, null) }
  const variants = shown.variants.map(([variantId, weight, id]) => ({
    variantId,
    weight,
    funnel: documentOf(id, variantId, shown.key),
  }))
  return { ...empty, experiment: { ...shown, variants } }
}

describe('cases', () => {
  for (const { name, reason, row, shown, passed, ...setting } of cases.cases as unknown as Case[])
    test(name, () =>
      expect(resolve(setting)).toEqual({ answer: answerOf(shown), reason, row, passed, faults: [] } as never),
    )
})

test('what is broken in a stored placement is reported with its place', () => {
  const rows = [
    { audienceId: null, target: { type: 'paywall' } },
    { audienceId: 'broken', target: { type: 'none' } },
    { audienceId: 'missing', target: { type: 'none' } },
  ] as unknown as PlacementRow[]
  const { placement, faults } = compilePlacement({ identifier: 'x', isActive: true, revision: 1, rows }, matchers)
  expect(faults).toEqual([
    { path: 'rows[0]', message: 'target.type must be none, funnel, experiment or offering' },
    { path: 'rows[1]', message: '$like is no operator' },
  ])
  expect(placement.rows.some(({ matches }) => matches({}))).toBe(false)
})

test('an audience that fails when asked passes its row over and is reported', () => {
  const target = { type: 'none' as const }
  const matches = () => {
    throw new Error('no such thing')
  }
  const placement = { identifier: 'x', isActive: true, revision: 1, rows: [{ matches, target }] }
  const caller = { subject: {}, bucketingId: null, deviceKey: null, outcomes: new Map() }
  const found = resolvePlacement(placement, caller, {
    experiments: new Map(),
    funnels: new Map(),
    offerings: new Map(),
  })
  expect(found).toMatchObject({ reason: 'NO_ROW', faults: [{ path: 'rows[0]', message: 'no such thing' }] })
})

const everyone: PlacementRow[] = [{ audienceId: null, target: { type: 'experiment', experimentId: 'exp_1' } }]
const anyId = fc.string({ unit: 'binary', minLength: 1 })

test('whatever device draws, it draws the variant of the server', () => {
  const heldVariant = fc.constantFrom<{ exp_1?: string }>({}, { exp_1: 'a' }, { exp_1: 'b' }, { exp_1: 'gone' })
  fc.assert(
    fc.property(
      anyId,
      fc.option(anyId),
      heldVariant,
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      (id, other, held, weight) => {
        const deviceKey = other ?? id
        const weights = [weight, 1 - weight]
        const { experiment } = resolve({
          rows: everyone,
          caller: { bucketingId: id, deviceKey },
          held,
          experiment: { weights },
        }).answer
        if (!experiment) throw new Error('the experiment must be sent')
        const drawn = variantOf(
          bucket(deviceKey, experiment.key),
          experiment.variants.map((variant) => variant.weight),
        )
        const saved = held.exp_1 === 'gone' ? undefined : held.exp_1
        const ofServer = saved ?? ['a', 'b'][variantOf(bucket(id, 'onboarding_test'), weights)] ?? ''
        expect(experiment.variants[drawn]?.variantId).toBe(ofServer)
        if (experiment.assignedVariantId !== null) expect(experiment.assignedVariantId).toBe(ofServer)
      },
    ),
    { seed: SEED, numRuns: 300 },
  )
})

test('no stored placement makes resolving throw, and never are two of funnel, experiment and offering there', () => {
  const target = fc.oneof(
    fc.constantFrom(
      { type: 'none' },
      { type: 'funnel', funnelId: 'fnl_1' },
      { type: 'experiment', experimentId: 'exp_1' },
      { type: 'offering', offeringId: OFFERING },
    ),
    fc.anything(),
  )
  const row = fc.oneof(
    fc.record({ audienceId: fc.constantFrom(null, 'all', 'turkey', 'broken', 'missing'), target }),
    fc.anything(),
  )
  fc.assert(
    fc.property(
      fc.oneof(fc.array(row), fc.anything()),
      fc.uniqueArray(fc.constantFrom('fnl_1', 'fnl_2')),
      (rows, funnels) => {
        const { answer, reason, row: decided, passed } = resolve({ rows: rows as PlacementRow[], funnels })
        expect([answer.funnel, answer.experiment, answer.offering].filter((one) => one !== null).length).toBeLessThan(2)
        if (decided !== null) expect(passed).toHaveLength(decided)
        expect(reason === 'NO_ROW' || reason === 'UNKNOWN' || decided !== null).toBe(true)
      },
    ),
    { seed: SEED, numRuns: 300 },
  )
})
