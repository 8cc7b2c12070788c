import type { RowChanges } from '../../../base/db/row-changes'
import { FUNNELS } from '../../../funnels/publication/project-file/model'
import type { IdsByName, Writing } from '../../../projects/project-file/section'
import { changed, idOf, idOrNull } from '../../../projects/project-file/stored'
import { AUDIENCES } from '../../audiences/project-file/model'
import { EXPERIMENTS } from '../../experiments/project-file/model'
import type { PlacementTarget } from '../model'
import type { Placement } from '../service'
import type { PlacementState, TargetState } from './model'

/** The rows of the placements that a plan changes, each with its next revision. */
export function placementRows({
  pairs,
  rows,
  ids,
}: Writing<readonly Placement[], PlacementState>): RowChanges<Placement> {
  const revisions = new Map(rows.map(({ id, revision }) => [id, revision]))
  return changed(pairs, (id, identifier, state) => ({
    id,
    identifier,
    ...state,
    rows: state.rows.map(({ audience, target }) => ({
      audienceId: idOrNull(ids.of(AUDIENCES), audience),
      target: toTarget(target, ids),
    })),
    revision: (revisions.get(id) ?? 0) + 1,
  }))
}

function toTarget(target: TargetState, ids: IdsByName): PlacementTarget {
  if (target.type === 'none') return target
  if (target.type === 'funnel') return { type: 'funnel', funnelId: idOf(ids.of(FUNNELS), target.funnel) }
  return { type: 'experiment', experimentId: idOf(ids.of(EXPERIMENTS), target.experiment) }
}
