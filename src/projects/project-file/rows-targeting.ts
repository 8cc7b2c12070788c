import type { Audience } from '../../audiences/service'
import type { RowChanges } from '../../db/row-changes'
import type { Experiment } from '../../experiments/admin'
import type { FlagEnvironment, FlagRule } from '../../flags/model'
import { type Flag, plainRule } from '../../flags/service'
import type { Ids } from '../../lib/ids'
import { parseIso } from '../../lib/time'
import { splitFlagName, type TargetingRows } from './current-targeting'
import type { ExperimentState, FlagRuleState, FlagState } from './model'
import type { TargetingPlan } from './plan-targeting'
import { changed, idOf, idsByName, named } from './rows'

export interface TargetingChanges {
  audiences: RowChanges<Audience>
  flags: RowChanges<Flag>
  experiments: RowChanges<Experiment>
}

type AudienceIds = ReadonlyMap<string, string>

/** The rows that planned audiences, flags and experiments change; new objects get their ids here. */
export function targetingRowsOf(
  plan: TargetingPlan,
  saved: TargetingRows,
  ids: Ids,
  now: number,
): { changes: TargetingChanges; targeting: TargetingPlan } {
  const targeting = {
    audiences: named(plan.audiences, () => ids.next('aud')),
    flags: named(plan.flags, () => ids.next('flg')),
    experiments: named(plan.experiments, () => ids.next('exp')),
  }
  const audienceIds = idsByName(targeting.audiences)
  const rows = new Map(saved.experiments.map((row) => [row.id, row]))
  const changes = {
    audiences: changed(targeting.audiences, (id, name, state): Audience => ({ id, name, ...state, isDefault: false })),
    flags: changed(targeting.flags, (id, name, state) => flagRow(id, name, state, audienceIds)),
    experiments: changed(targeting.experiments, (id, key, state) =>
      experimentRow({ ...(rows.get(id) ?? NEW), id, key }, state, audienceIds, now),
    ),
  }
  return { changes, targeting }
}

function flagRow(id: string, name: string, { rules, ...state }: FlagState, audienceIds: AudienceIds): Flag {
  const { key, env } = splitFlagName(name)
  const ruleRows = rules.map((rule) => ruleRow(rule, audienceIds))
  return { id, key, env: env as FlagEnvironment, ...state, rules: ruleRows } // The name was made of one.
}

const ruleRow = ({ audience, ...rule }: FlagRuleState, audienceIds: AudienceIds): FlagRule =>
  plainRule({ ...rule, audienceId: audience === null ? null : idOf(audienceIds, audience) })

const NEW = { placementId: null, startedAt: null, completedAt: null, winnerVariantId: null }

type Kept = Pick<Experiment, 'id' | 'key' | keyof typeof NEW>

/** What the file does not speak about stays as it is. */
const experimentRow = (
  { id, key, placementId, startedAt, completedAt, winnerVariantId }: Kept,
  state: ExperimentState,
  audienceIds: AudienceIds,
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
  variants: state.variants,
  metrics: state.metrics,
  mutualExclusionGroup: state.mutualExclusionGroup,
  scheduledStartAt: instantOf(state.scheduledStartAt),
  scheduledStopAt: instantOf(state.scheduledStopAt),
  startedAt: state.status === 'RUNNING' ? (startedAt ?? now) : startedAt,
})

const instantOf = (text: string | null): number | null => (text === null ? null : parseIso(text))
