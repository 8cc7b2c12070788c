import { canonicalJson } from '../../base/lib/hash'
import { readShown } from './current-shown'
import type { TargetingNames, TargetingRows } from './current-targeting'
import type { FunnelState, ProjectFile, Wanted, WantedFunnel } from './model'
import { type Pair, pairUp } from './pair'
import type { TargetingPlan } from './plan-targeting'

/** Funnels and placements before and after the file. */
export function planShown(
  file: ProjectFile,
  rows: TargetingRows,
  names: TargetingNames,
  offerings: readonly Pair<unknown>[],
  prune: boolean,
): Pick<TargetingPlan, 'funnels' | 'placements'> {
  const offeringNames = new Map(offerings.flatMap(({ id, name }) => (id === null ? [] : [[id, name]])))
  const saved = readShown(rows, names, offeringNames)
  const before = new Map(saved.funnels.map(({ name, state }) => [name, state]))
  const wanted = file.funnels?.map(
    ({ state, ...rest }): Wanted<FunnelState> => ({ ...rest, state: toState(state, before.get(rest.name) ?? null) }),
  )
  return {
    funnels: pairUp(saved.funnels, wanted ?? null, prune ? () => null : null),
    placements: pairUp(saved.placements, file.placements, prune ? () => null : null),
  }
}

function toState({ publish, ...content }: WantedFunnel, before: FunnelState | null): FunnelState {
  const stands = before?.published ?? 'no'
  if (publish) return { ...content, published: 'current' }
  const isSame = before !== null && contentOf({ ...content, published: stands }) === contentOf(before)
  return { ...content, published: stands === 'current' && !isSame ? 'older' : stands }
}

/** What a version keeps; a name is the funnel's own. */
export const contentOf = ({ name: _name, published: _published, ...content }: FunnelState): string =>
  canonicalJson(content)

/** Whether applying makes a version. */
export const isPublishing = ({ before, after }: Pair<FunnelState>): boolean =>
  after?.published === 'current' && (before?.published !== 'current' || contentOf(before) !== contentOf(after))
