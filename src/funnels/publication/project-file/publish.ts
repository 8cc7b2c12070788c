import { canonicalJson } from '../../../base/lib/hash'
import type { Pair } from '../../../projects/project-file/model'
import type { FunnelState, WantedFunnel } from './model'

/** A funnel after the file, from what it was before. */
export function publishedState({ publish, ...content }: WantedFunnel, before: FunnelState | null): FunnelState {
  const stands = before?.published ?? 'no'
  if (publish) return { ...content, published: 'current' }
  const isSame = before !== null && contentOf({ ...content, published: stands }) === contentOf(before)
  return { ...content, published: stands === 'current' && !isSame ? 'older' : stands }
}

/** What a version keeps; a name is the funnel's own. */
const contentOf = ({ name: _name, published: _published, ...content }: FunnelState): string => canonicalJson(content)

/** Whether applying makes a version. */
export const isPublishing = ({ before, after }: Pair<FunnelState>): boolean =>
  after?.published === 'current' && (before?.published !== 'current' || contentOf(before) !== contentOf(after))
