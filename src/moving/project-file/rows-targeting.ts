import type { RowChanges } from '../../base/db/row-changes'
import type { Ids } from '../../base/lib/ids'
import type { FunnelChange } from '../../funnels/publication/service'
import type { Audience } from '../../targeting/audiences/service'
import type { Experiment } from '../../targeting/experiments/stored-experiments'
import type { Flag } from '../../targeting/flags/service'
import type { Placement } from '../../targeting/placements/service'
import type { TargetingRows } from './current-targeting'
import type { Pair } from './pair'
import type { TargetingPlan } from './plan-targeting'
import { changed, idsByName, named } from './rows'
import { experimentRow, NEW_EXPERIMENT } from './rows-experiments'
import { flagRow } from './rows-flags'
import { shownRowsOf } from './rows-shown'

export interface TargetingChanges {
  audiences: RowChanges<Audience>
  flags: RowChanges<Flag>
  experiments: RowChanges<Experiment>
  funnels: RowChanges<FunnelChange>
  placements: RowChanges<Placement>
}

/** The rows that a plan of targeting changes; new objects get their ids here. */
export function targetingRowsOf(
  plan: TargetingPlan,
  saved: TargetingRows,
  offerings: readonly Pair<unknown>[],
  ids: Ids,
  now: number,
): { changes: TargetingChanges; targeting: TargetingPlan } {
  const targeting = {
    audiences: named(plan.audiences, () => ids.next('aud')),
    flags: named(plan.flags, () => ids.next('flg')),
    experiments: named(plan.experiments, () => ids.next('exp')),
    funnels: named(plan.funnels, () => ids.next('fnl')),
    placements: named(plan.placements, () => ids.next('plc')),
  }
  const audienceIds = idsByName(targeting.audiences)
  const funnelIds = idsByName(targeting.funnels)
  const rows = new Map(saved.experiments.map((row) => [row.id, row]))
  const changes = {
    audiences: changed(targeting.audiences, (id, name, state): Audience => ({ id, name, ...state, isDefault: false })),
    flags: changed(targeting.flags, (id, name, state) => flagRow(id, name, state, audienceIds)),
    experiments: changed(targeting.experiments, (id, key, state) =>
      experimentRow({ ...(rows.get(id) ?? NEW_EXPERIMENT), id, key }, state, { audienceIds, funnelIds }, now),
    ),
    ...shownRowsOf(targeting, saved, { audienceIds, funnelIds, offeringIds: idsByName(offerings) }),
  }
  return { changes, targeting }
}
