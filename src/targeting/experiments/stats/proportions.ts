import type { Counts } from './posterior'
import { chiSquareSurvival, erfc } from './tails'

/**
 * Two-sided p-value (0..1) of the two-proportion z-test with pooled variance (Fleiss, "Statistical Methods for Rates
 * and Proportions", 2.3, without continuity correction). 1 where the test says nothing: no exposures, or all or nobody
 * converted on both sides. Example: 100 of 1000 against 130 of 1000 gives 0.0355.
 */
export function twoProportionPValue(a: Counts, b: Counts): number {
  const pooled = pooledRate(a, b)
  const variance = pooled * (1 - pooled) * (1 / a.exposures + 1 / b.exposures)
  if (!(variance > 0) || !Number.isFinite(variance)) return 1
  const z = (b.conversions / b.exposures - a.conversions / a.exposures) / Math.sqrt(variance)
  return erfc(Math.abs(z) / Math.SQRT2)
}

/** Whether the counts are large enough for a z-test: each of the four expected counts is at least 5 (Cochran, 1954). */
export function canTest(a: Counts, b: Counts): boolean {
  const pooled = pooledRate(a, b)
  return Math.min(a.exposures, b.exposures) * Math.min(pooled, 1 - pooled) >= 5
}

const pooledRate = (a: Counts, b: Counts): number => (a.conversions + b.conversions) / (a.exposures + b.exposures)

export interface SampleRatio {
  chi2: number
  df: number
  pValue: number
  isMismatch: boolean
  /** Whether the counts are large enough for the test: every expected count is at least 5 (Cochran, 1954). */
  isReliable: boolean
}

const MISMATCH_BELOW = 0.001

/**
 * Whether exposures are split as the weights say: Pearson's chi-square of goodness of fit. Weights are above 0 and need
 * not sum to 1. Example: 520 and 480 at equal weights give chi2 1.6, df 1, p 0.206.
 */
export function sampleRatio(groups: readonly { exposures: number; weight: number }[]): SampleRatio {
  const exposures = groups.reduce((sum, group) => sum + group.exposures, 0)
  const weights = groups.reduce((sum, group) => sum + group.weight, 0)
  const expected = groups.map(({ weight }) => (exposures * weight) / weights)
  const chi2 = groups.reduce((sum, group, index) => sum + surprise(group.exposures, expected[index] ?? 0), 0)
  const df = Math.max(0, groups.length - 1)
  const pValue = chiSquareSurvival(chi2, df)
  return { chi2, df, pValue, isMismatch: pValue < MISMATCH_BELOW, isReliable: Math.min(...expected) >= 5 }
}

const surprise = (observed: number, expected: number): number =>
  expected > 0 ? (observed - expected) ** 2 / expected : 0
