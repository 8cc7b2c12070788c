import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { AudienceReference } from '../audiences/check'
import type { AudienceRow } from '../audiences/service'
import type { FlagTableRow } from '../flags/service'
import type { ExperimentTableRow } from './stored-experiments'

// The objects of wire 7.6 as the dashboard and the command line show them.

export const toAudienceView = (row: AudienceRow, references: AudienceReference[]) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  rules: row.rules,
  isDefault: row.isDefault,
  references,
  ...stamps(row),
})

export type AudienceView = ReturnType<typeof toAudienceView>

export const toFlagView = (row: FlagTableRow) => ({
  id: row.id,
  key: row.key,
  env: row.env,
  type: row.type,
  description: row.description,
  defaultValue: row.defaultValue,
  rules: row.rules,
  isEnabled: row.isEnabled,
  ...stamps(row),
})

export type FlagView = ReturnType<typeof toFlagView>

export const toExperimentView = (row: ExperimentTableRow) => ({
  id: row.id,
  key: row.key,
  name: row.name,
  type: row.type,
  status: row.status,
  audienceId: row.audienceId,
  variants: row.variants,
  metrics: row.metrics,
  mutualExclusionGroup: row.mutualExclusionGroup,
  placementId: row.placementId,
  scheduledStartAt: toIsoOrNull(row.scheduledStartAt),
  scheduledStopAt: toIsoOrNull(row.scheduledStopAt),
  startedAt: toIsoOrNull(row.startedAt),
  completedAt: toIsoOrNull(row.completedAt),
  winnerVariantId: row.winnerVariantId,
  ...stamps(row),
})

export type ExperimentView = ReturnType<typeof toExperimentView>

const stamps = ({ createdAt, updatedAt }: { createdAt: number; updatedAt: number }) => ({
  createdAt: toIso(createdAt),
  updatedAt: toIso(updatedAt),
})
