import { isSameContent } from '../../funnels/publication/publish'
import type { SavedFunnel } from '../../funnels/publication/service'
import { isTarget, type PlacementTarget } from '../../targeting/placements/model'
import type { Placement } from '../../targeting/placements/service'
import type { Saved } from './current'
import { audienceName, objectsIn, type TargetingNames, type TargetingRows } from './current-targeting'
import type { FunnelState, PlacementState, TargetState } from './model'

/** Offerings by id, as they will be called. */
export type OfferingNames = ReadonlyMap<string, string>

/** Funnels and placements in the words of the file, under the given names. */
export const readShown = (
  { funnels, placements }: TargetingRows,
  names: TargetingNames,
  offerings: OfferingNames,
): { funnels: Saved<FunnelState>[]; placements: Saved<PlacementState>[] } => ({
  funnels: funnels.map((row) => ({
    id: row.id,
    name: names.funnels.get(row.id) ?? row.slug,
    formerName: row.slug,
    state: funnelState(row, offerings),
  })),
  placements: placements.map((row) => ({
    id: row.id,
    name: names.placements.get(row.id) ?? row.identifier,
    formerName: row.identifier,
    state: placementState(row, names),
  })),
})

function funnelState({ name, status, draft, published }: SavedFunnel, offerings: OfferingNames): FunnelState {
  const stands = published && isSameContent(published, draft) ? 'current' : 'older'
  return {
    name,
    defaultLocale: draft.defaultLocale,
    locales: [...draft.locales],
    published: status === 'PUBLISHED' && published ? stands : 'no',
    theme: draft.theme,
    settings: { offering: offerings.get(draft.settings.offeringId ?? '') ?? null },
    pages: [...draft.pages],
  }
}

const placementState = ({ name, isActive, rows }: Placement, names: TargetingNames): PlacementState => ({
  name,
  isActive,
  rows: objectsIn(rows).flatMap(({ audienceId, target }) =>
    isTarget(target) ? { audience: audienceName(audienceId, names), target: targetState(target, names) } : [],
  ),
})

/** What is gone keeps its id for a name. */
function targetState(target: PlacementTarget, { funnels, experiments }: TargetingNames): TargetState {
  if (target.type === 'none') return target
  if (target.type === 'funnel') return { type: 'funnel', funnel: funnels.get(target.funnelId) ?? target.funnelId }
  return { type: 'experiment', experiment: experiments.get(target.experimentId) ?? target.experimentId }
}
