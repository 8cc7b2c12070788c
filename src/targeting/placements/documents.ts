import type { CompiledExperiment } from '../experiments/model'
import type { ExperimentDocument, FunnelDocument, LoadedFunnel } from './model'

export interface Place {
  identifier: string
  revision: number
}

interface Source {
  variantId: string
  experimentKey: string
}

/** A funnel with the context that the next receipt of the client carries; `source` when an experiment shows it. */
export const funnelDocument = <Funnel extends LoadedFunnel>(
  place: Place,
  funnel: Funnel,
  source: Source | null = null,
): FunnelDocument<Funnel> => ({
  ...funnel,
  presentedContext: {
    placementId: place.identifier,
    placementRevision: place.revision,
    funnelId: funnel.id,
    funnelVersionNo: funnel.versionNo,
    variantId: source?.variantId ?? null,
    experimentKey: source?.experimentKey ?? null,
  },
})

/**
 * An experiment with the funnel of each of its variants, in the same order. When the variant is decided, its weight is
 * 1 and the other weights are 0, so that every device key draws it; otherwise they are the declared weights.
 */
export function experimentDocument<Funnel extends LoadedFunnel>(
  place: Place,
  { id, key, variants }: CompiledExperiment<never>,
  funnels: readonly Funnel[],
  bucketingId: string | null,
  assignedVariantId: string | null,
): ExperimentDocument<Funnel> {
  const presented = variants.flatMap(({ id: variantId, weight }, index) => {
    const funnel = funnels[index]
    if (!funnel) return []
    const decided = variantId === assignedVariantId ? 1 : 0
    return {
      variantId,
      weight: assignedVariantId === null ? weight : decided,
      funnel: funnelDocument(place, funnel, { variantId, experimentKey: key }),
    }
  })
  return { id, key, bucketingId, assignedVariantId, variants: presented }
}
