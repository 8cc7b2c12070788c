import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { ExperimentTableRow } from './stored-experiments'

/** An experiment of wire 7.6, as the dashboard and the command line show it. */
export const toExperimentView = (row: ExperimentTableRow, revision: number) => ({
  id: row.id,
  key: row.key,
  name: row.name,
  type: row.type,
  status: row.status,
  audienceId: row.audienceId,
  bucketBy: row.bucketBy,
  variants: row.variants,
  metrics: row.metrics,
  mutualExclusionGroup: row.mutualExclusionGroup,
  placementId: row.placementId,
  scheduledStartAt: toIsoOrNull(row.scheduledStartAt),
  scheduledStopAt: toIsoOrNull(row.scheduledStopAt),
  startedAt: toIsoOrNull(row.startedAt),
  completedAt: toIsoOrNull(row.completedAt),
  winnerVariantId: row.winnerVariantId,
  revision,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export type ExperimentView = ReturnType<typeof toExperimentView>
