import { parseIso } from '../../base/lib/time'
import type { Variant } from '../../targeting/experiments/model'
import type { Experiment } from '../../targeting/experiments/stored-experiments'
import type { ExperimentState } from './model'
import { idOf } from './rows'

/** What the file does not speak about, of a new experiment. */
export const NEW_EXPERIMENT = { placementId: null, startedAt: null, completedAt: null, winnerVariantId: null }

type Kept = Pick<Experiment, 'id' | 'key' | keyof typeof NEW_EXPERIMENT>

/** What the file does not speak about stays as it is. */
export const experimentRow = (
  { id, key, placementId, startedAt, completedAt, winnerVariantId }: Kept,
  state: ExperimentState,
  { audienceIds, funnelIds }: { audienceIds: ReadonlyMap<string, string>; funnelIds: ReadonlyMap<string, string> },
  now: number,
): Experiment => ({
  id,
  key,
  placementId,
  completedAt,
  winnerVariantId,
  name: state.name,
  type: state.type,
  status: state.status,
  audienceId: state.audience === null ? null : idOf(audienceIds, state.audience),
  variants:
    state.type === 'FUNNEL' ? state.variants.map((variant) => withFunnelId(variant, funnelIds)) : state.variants,
  metrics: state.metrics,
  mutualExclusionGroup: state.mutualExclusionGroup,
  scheduledStartAt: instantOf(state.scheduledStartAt),
  scheduledStopAt: instantOf(state.scheduledStopAt),
  startedAt: state.status === 'RUNNING' ? (startedAt ?? now) : startedAt,
})

const withFunnelId = (variant: Variant, funnelIds: ReadonlyMap<string, string>): Variant => ({
  ...variant,
  value: { funnelId: idOf(funnelIds, (variant.value as { funnel: string }).funnel) }, // As the file was read.
})

const instantOf = (text: string | null): number | null => (text === null ? null : parseIso(text))
