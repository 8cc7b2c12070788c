import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import type { ProjectState } from '../../projects/project/state'
import type { CommitNews } from '../recording/commit-news'
import type { AndroidLook } from './fetch'

/** Writes the events of recorded looks. A replaced purchase that became known only with its successor has no end. */
export async function tellLooks(
  tx: Tx,
  project: ProjectState,
  looks: readonly AndroidLook[],
  cause: EventCause,
  news: CommitNews,
): Promise<void> {
  const replaced = new Set(looks.map((look) => look.replaced?.purchaseToken))
  await news.tell(tx, project, cause, ({ chainKey }) => replaced.has(chainKey))
}
