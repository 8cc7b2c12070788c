import { toIsoOrNull } from '../../base/lib/time'
import { type AudienceNames, audienceName } from '../../core/audience/file'
import { readMetrics, readVariants } from './json-columns'
import type { ExperimentStatus, ExperimentType, Variant } from './model'
import type { Experiment } from './stored-experiments'

/** An experiment as a project file writes it. */
export interface ExperimentState {
  name: string
  type: ExperimentType
  /** Null = everybody. */
  audience: string | null
  bucketBy: string | null
  metrics: string[]
  /** The value of a FUNNEL experiment's variant is `{ funnel }`, by its slug. */
  variants: Variant[]
  mutualExclusionGroup: string | null
  scheduledStartAt: string | null
  scheduledStopAt: string | null
  status: ExperimentStatus
}

/** The names of audiences and the slugs of funnels, by id. */
export interface ExperimentNames extends AudienceNames {
  funnels: ReadonlyMap<string, string>
}

export const experimentState = (row: Experiment, names: ExperimentNames): ExperimentState => ({
  name: row.name,
  type: row.type,
  audience: audienceName(row.audienceId, names),
  bucketBy: row.bucketBy,
  metrics: readMetrics(row.metrics),
  variants: readVariants(row.variants).map((variant) => (row.type === 'FUNNEL' ? withSlug(variant, names) : variant)),
  mutualExclusionGroup: row.mutualExclusionGroup,
  scheduledStartAt: toIsoOrNull(row.scheduledStartAt),
  scheduledStopAt: toIsoOrNull(row.scheduledStopAt),
  status: row.status,
})

/** Where the funnel does not exist any more, its id is the slug. */
function withSlug(variant: Variant, { funnels }: ExperimentNames): Variant {
  const { funnelId = '' } = { ...(variant.value as { funnelId?: string } | null) }
  return { ...variant, value: { funnel: funnels.get(funnelId) ?? funnelId } }
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
