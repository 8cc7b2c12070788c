import type { RowChanges } from '../../base/db/row-changes'
import type { FunnelChange } from '../../funnels/publication/service'
import type { PlacementTarget } from '../../targeting/placements/model'
import type { Placement } from '../../targeting/placements/service'
import type { TargetingRows } from './current-targeting'
import type { FunnelState, PlacementState, TargetState } from './model'
import { isPublishing } from './plan-shown'
import type { TargetingPlan } from './plan-targeting'
import { changed, type Identified, idOf, idsByName, type MakeRow } from './rows'

type Ids = ReadonlyMap<string, string>

interface References {
  audienceIds: Ids
  funnelIds: Ids
  offeringIds: Ids
}

type Planned = Pick<TargetingPlan, 'experiments'> & {
  funnels: Identified<FunnelState>[]
  placements: Identified<PlacementState>[]
}

/** The rows that planned funnels and placements change. */
export function shownRowsOf(
  { funnels, placements, experiments }: Planned,
  saved: TargetingRows,
  { audienceIds, funnelIds, offeringIds }: References,
): { funnels: RowChanges<FunnelChange>; placements: RowChanges<Placement> } {
  const publishing = new Set(funnels.filter(isPublishing).map(({ id }) => id))
  const revisions = new Map(saved.placements.map(({ id, revision }) => [id, revision]))
  const experimentIds = idsByName(experiments)
  const funnelRow: MakeRow<FunnelState, FunnelChange> = (id, slug, { name, settings, published, ...content }) => ({
    id,
    slug,
    name,
    draft: {
      ...content,
      settings: settings.offering === null ? {} : { offeringId: idOf(offeringIds, settings.offering) },
    },
    isPublished: publishing.has(id),
  })
  const placementRow: MakeRow<PlacementState, Placement> = (id, identifier, { rows, ...state }) => ({
    id,
    identifier,
    ...state,
    rows: rows.map(({ audience, target }) => ({
      audienceId: audience === null ? null : idOf(audienceIds, audience),
      target: toTarget(target, funnelIds, experimentIds),
    })),
    revision: (revisions.get(id) ?? 0) + 1,
  })
  return { funnels: changed(funnels, funnelRow), placements: changed(placements, placementRow) }
}

function toTarget(target: TargetState, funnelIds: Ids, experimentIds: Ids): PlacementTarget {
  if (target.type === 'none') return target
  if (target.type === 'funnel') return { type: 'funnel', funnelId: idOf(funnelIds, target.funnel) }
  return { type: 'experiment', experimentId: idOf(experimentIds, target.experiment) }
}
