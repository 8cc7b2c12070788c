import type { ExperimentFacts, VariantFacts } from './facts'
import { type Chances, posteriorRate } from './posterior'
import { canTest, type SampleRatio } from './proportions'

export interface Reading {
  facts: ExperimentFacts
  srm: SampleRatio
  /** By variant, in declared order, as are the p-values against the first. */
  chances: readonly Chances[]
  pValues: readonly number[]
  now: number
}

/** The largest average loss of a safe choice, as a fraction of the rate of the control. */
const LOSS_SHARE = 0.002
const SIGNIFICANCE = 0.05

export interface Judged extends VariantFacts {
  rate: number
  pValue: number
  chances: Chances
  /** The p-value must be below this: 0.05 shared among the challengers (Bonferroni), because each can win by chance. */
  needed: number
  isTestable: boolean
  /** The frequentist reading: the variant converts better than the control, and chance is an unlikely explanation. */
  isSignificant: boolean
  /** The Bayesian reading: choosing the variant loses almost nothing. */
  isSafe: boolean
}

/** Both readings of every variant, the control first. */
export function judge({ facts, chances, pValues }: Reading): Judged[] {
  const [control] = facts.variants
  if (!control) return []
  const needed = SIGNIFICANCE / (facts.variants.length - 1)
  return facts.variants.map((variant, index) => {
    const { probabilityBest = 0, expectedLoss = 1 } = chances[index] ?? {}
    const pValue = pValues[index] ?? 1
    const rate = variant.conversions / variant.exposures
    const isTestable = canTest(control, variant)
    const isBetter = rate > control.conversions / control.exposures
    return {
      ...{ ...variant, rate, pValue, chances: { probabilityBest, expectedLoss }, needed, isTestable },
      isSignificant: isBetter && isTestable && pValue < needed,
      isSafe: expectedLoss < LOSS_SHARE * posteriorRate(control),
    }
  })
}
