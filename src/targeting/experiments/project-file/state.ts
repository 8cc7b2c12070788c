import { toIsoOrNull } from '../../../base/lib/time'
import { nameOf, nameOrNull } from '../../../projects/project-file/stored'
import type { Variant } from '../model'
import { readMetrics, readVariants } from '../stored'
import type { Experiment } from '../stored-experiments'
import type { ExperimentState } from './model'

/** What an experiment names by id. */
export interface ExperimentNames {
  audiences: ReadonlyMap<string, string>
  funnels: ReadonlyMap<string, string>
}

/** A saved experiment in the words of the file; what somebody broke in it is left out. */
export const experimentState = (row: Experiment, { audiences, funnels }: ExperimentNames): ExperimentState => ({
  name: row.name,
  type: row.type,
  audience: nameOrNull(audiences, row.audienceId),
  metrics: readMetrics(row.metrics),
  variants: readVariants(row.variants).map((variant) => (row.type === 'FUNNEL' ? withSlug(variant, funnels) : variant)),
  mutualExclusionGroup: row.mutualExclusionGroup,
  scheduledStartAt: toIsoOrNull(row.scheduledStartAt),
  scheduledStopAt: toIsoOrNull(row.scheduledStopAt),
  status: row.status,
})

/** A funnel that is gone keeps its id for a slug. */
function withSlug(variant: Variant, funnels: ReadonlyMap<string, string>): Variant {
  const { funnelId = '' } = { ...(variant.value as { funnelId?: string } | null) }
  return { ...variant, value: { funnel: nameOf(funnels, funnelId) } }
}

/** The same experiment after offerings have got new names: it names them itself, not by id. */
export const withOfferings = (state: ExperimentState, names: ReadonlyMap<string, string>): ExperimentState =>
  state.type !== 'OFFERING'
    ? state
    : {
        ...state,
        variants: state.variants.map((variant) => ({
          ...variant,
          value: names.get(String(variant.value)) ?? variant.value,
        })),
      }
