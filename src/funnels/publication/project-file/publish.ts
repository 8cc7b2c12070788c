import { canonicalJson } from '../../../base/lib/hash'
import type { Pair } from '../../../projects/project-file/model'
import type { FunnelState, WantedFunnel } from './model'

/** The state of a funnel after the file is applied. */
export function publishedState({ publish, ...content }: WantedFunnel, before: FunnelState | null): FunnelState {
  const publishedBefore = before?.published ?? 'no'
  if (publish) return { ...content, published: 'current' }
  const isSame = before !== null && contentOf({ ...content, published: publishedBefore }) === contentOf(before)
  return { ...content, published: publishedBefore === 'current' && !isSame ? 'older' : publishedBefore }
}

/** The content that a version stores. The name is not part of it: it belongs to the funnel itself. */
const contentOf = ({ name: _name, published: _published, ...content }: FunnelState): string => canonicalJson(content)

/** Whether applying the file creates a version. */
export const isPublishing = ({ before, after }: Pair<FunnelState>): boolean =>
  after?.published === 'current' && (before?.published !== 'current' || contentOf(before) !== contentOf(after))
