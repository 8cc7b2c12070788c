import type { CatalogSnapshot, Offering } from '../../projects/catalog/snapshot'
import type { Outcome } from '../experiments/assign'
import type { CompiledExperiment } from '../experiments/model'

/** The offering that an experiment puts in the place of the default one, and by which variant of which experiment. */
export interface PresentedOffering {
  offering: Offering
  experimentId: string
  variantId: string
  /** Value of `X-Svc-Experiment`; null for those held out, who see the control and are told of no experiment. */
  source: string | null
}

/** The first OFFERING experiment that has a variant for the caller and whose offering is still there (wire 2.11). */
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
