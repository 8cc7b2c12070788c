import type { RowChanges } from '../../../base/db/row-changes'
import { parseIso } from '../../../base/lib/time'
import { FUNNELS } from '../../../funnels/publication/project-file/model'
import type { IdsByName, Writing } from '../../../projects/project-file/section'
import { changed, idOf, idOrNull } from '../../../projects/project-file/stored'
import { AUDIENCES } from '../../audiences/project-file/model'
import type { ExperimentState } from '../file-state'
import type { Variant } from '../model'
import type { Experiment } from '../stored-experiments'
import { funnelOf } from './model'

/** The columns of a new experiment that a file cannot set. */
const NEW_EXPERIMENT = { placementId: null, startedAt: null, completedAt: null, winnerVariantId: null }

type Kept = Pick<Experiment, 'id' | 'key' | keyof typeof NEW_EXPERIMENT>

/** The rows of the experiments that a plan changes. */
export function experimentRows({
  pairs,
  rows,
  ids,
  now,
}: Writing<readonly Experiment[], ExperimentState>): RowChanges<Experiment> {
  const saved = new Map(rows.map((row) => [row.id, row]))
  return changed(pairs, (id, key, state) =>
    experimentRow({ ...(saved.get(id) ?? NEW_EXPERIMENT), id, key }, state, ids, now),
  )
}

/** The columns that a file cannot set keep their values. */
const experimentRow = (
  { id, key, placementId, startedAt, completedAt, winnerVariantId }: Kept,
  state: ExperimentState,
  ids: IdsByName,
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
  audienceId: idOrNull(ids.of(AUDIENCES), state.audience),
  bucketBy: state.bucketBy,
  variants: state.type === 'FUNNEL' ? state.variants.map((variant) => withFunnelId(variant, ids)) : state.variants,
  metrics: state.metrics,
  mutualExclusionGroup: state.mutualExclusionGroup,
  scheduledStartAt: instantOf(state.scheduledStartAt),
  scheduledStopAt: instantOf(state.scheduledStopAt),
  startedAt: state.status === 'RUNNING' ? (startedAt ?? now) : startedAt,
})

const withFunnelId = (variant: Variant, ids: IdsByName): Variant => ({
  ...variant,
  value: { funnelId: idOf(ids.of(FUNNELS), funnelOf(variant)) },
})

const instantOf = (text: string | null): number | null => (text === null ? null : parseIso(text))
