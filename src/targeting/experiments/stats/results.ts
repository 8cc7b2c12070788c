import type { Money } from '../../../base/lib/money'
import type { ExperimentFacts, GroupFacts, VariantFacts } from './facts'
import { type Chances, type Counts, compareByDraws, drawInSteps, interval95 } from './posterior'
import { type SampleRatio, sampleRatio, twoProportionPValue } from './proportions'
import { type Recommendation, recommend } from './recommendation'

export interface VariantResult extends Counts {
  variantId: string
  name: string
  weight: number
  conversionRate: number
  revenue: Money
  interval95: [low: number, high: number]
  /** Null for the control and the holdout; the next two are null for the holdout only. */
  pValue: number | null
  probabilityBest: number | null
  expectedLoss: number | null
}

export interface ExperimentResults {
  experimentId: string
  key: string
  status: ExperimentFacts['status']
  computedAt: number
  variants: VariantResult[]
  srm: Omit<SampleRatio, 'isReliable'>
  recommendation: Recommendation
}

export const HOLDOUT_VARIANT = '__holdout__'

/**
 * The results document. Rates, probabilities and losses are fractions of 1, rounded to six significant digits; the
 * differences between machines are smaller. Throws RangeError for counts that no experiment can have.
 */
export function computeResults(facts: ExperimentFacts, now: number): ExperimentResults {
  assertPossible(facts)
  return document(facts, now, compareByDraws(facts.variants))
}

/** As `computeResults`, but other requests run between the steps: twenty variants take a sixth of a second. */
export async function computeResultsInSteps(facts: ExperimentFacts, now: number): Promise<ExperimentResults> {
  assertPossible(facts)
  const steps = drawInSteps(facts.variants)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return document(facts, now, value)
    await yieldToEventLoop()
  }
}

const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function document(facts: ExperimentFacts, now: number, chances: readonly Chances[]): ExperimentResults {
  const [control] = facts.variants
  const pValues = facts.variants.map((variant) => (control ? twoProportionPValue(control, variant) : 1))
  const { isReliable, ...srm } = sampleRatio(facts.variants)
  const variants = facts.variants.map((variant, index) => ({
    ...describe(variant, variant),
    pValue: index === 0 ? null : rounded(pValues[index] ?? 1),
    ...roundedChances(chances[index]),
  }))
  return {
    experimentId: facts.experimentId,
    key: facts.key,
    status: facts.status,
    computedAt: now,
    variants: facts.holdout ? [...variants, heldOut(facts.holdout)] : variants,
    srm: { ...srm, chi2: rounded(srm.chi2), pValue: rounded(srm.pValue) },
    recommendation: recommend({ facts, srm: { ...srm, isReliable }, chances, pValues, now }),
  }
}

function describe(group: GroupFacts, { variantId, name, weight }: Pick<VariantFacts, 'variantId' | 'name' | 'weight'>) {
  const [low, high] = interval95(group)
  return {
    ...{ variantId, name, weight, exposures: group.exposures, conversions: group.conversions },
    conversionRate: rounded(group.exposures === 0 ? 0 : group.conversions / group.exposures),
    revenue: group.revenue,
    interval95: [rounded(low), rounded(high)] satisfies [number, number],
  }
}

// Held-out subscribers are counted and not exposed, and are not drawn with the variants: a comparison would mislead.
const heldOut = (group: GroupFacts): VariantResult => ({
  ...describe(group, { variantId: HOLDOUT_VARIANT, name: 'Held out', weight: 0 }),
  ...{ pValue: null, probabilityBest: null, expectedLoss: null },
})

const roundedChances = (chances: Chances | undefined) => ({
  probabilityBest: rounded(chances?.probabilityBest ?? 0),
  expectedLoss: rounded(chances?.expectedLoss ?? 0),
})

const rounded = (value: number): number => Number(value.toPrecision(6))

function assertPossible({ variants, holdout, crossovers, removed }: ExperimentFacts): void {
  const groups = holdout ? [...variants, holdout] : variants
  for (const { exposures, conversions, matured } of groups) {
    const isPossible = isPart(conversions, exposures) && isPart(matured.refunds, matured.purchases)
    if (!isPossible) throw new RangeError(`Impossible counts: ${conversions} of ${exposures} converted`)
  }
  if (variants.length < 2) throw new RangeError('An experiment has at least two variants')
  if (variants.some(({ weight }) => !(weight > 0))) throw new RangeError('Weights are above 0')
  const exposed = variants.reduce((sum, { exposures }) => sum + exposures, 0)
  if (!isPart(crossovers, exposed) || !isPart(removed, removed))
    throw new RangeError(`Impossible counts: ${crossovers} of ${exposed} changed variant`)
}

const isPart = (part: number, whole: number): boolean =>
  Number.isSafeInteger(part) && Number.isSafeInteger(whole) && part >= 0 && part <= whole
