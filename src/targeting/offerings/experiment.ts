import type { CatalogSnapshot, Offering } from '../../projects/catalog/snapshot'
import type { Outcome } from '../experiments/assign'
import type { CompiledExperiment } from '../experiments/model'

/** The offering that an experiment makes the default, with the experiment and its variant. */
export interface PresentedOffering {
  offering: Offering
  experimentId: string
  variantId: string
  /**
   * Value of `X-Svc-Experiment`; null for held-out subscribers, who get the control and no experiment is named to them.
   */
  source: string | null
}

/**
 * The offering of the first OFFERING experiment that has a variant for the caller and whose offering still exists (wire
 * 2.11).
 */
export function offeringByExperiment(
  { offerings }: CatalogSnapshot,
  experiments: readonly CompiledExperiment<never>[],
  outcomes: ReadonlyMap<string, Outcome>,
): PresentedOffering | null {
  for (const { id, key, type } of experiments) {
    const outcome = type === 'OFFERING' ? outcomes.get(id) : undefined
    const variant = outcome?.variant
    const offering = variant && offerings.find(({ identifier }) => identifier === variant.value)
    if (!offering) continue
    const source = outcome?.reason === 'HOLDOUT' ? null : `${key}:${variant.id}`
    return { offering, experimentId: id, variantId: variant.id, source }
  }
  return null
}
