import type { Tx } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import type { Store } from '../../stores/observation'
import type { Posted } from './posted'

/** The request of a store for one of its projects, once its sender is verified. */
export interface StorePost {
  project: ProjectState
  bytes: Uint8Array
  contentType: string | null
}

/** A notification that is stored now, and that its store has posted for the first time. */
export interface PostedNotification extends StorePost {
  storeEventId: string
  store: Store
  type: string
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Runs in the transaction that first stores a notification of a store's own request, before it is processed. */
    onNotification: (tx: Tx, notification: PostedNotification) => Promise<void>
  }
}

/** The request, if the store itself has sent it. */
export const postOf = (
  project: ProjectState,
  { via, bytes, contentType }: Pick<Posted, 'via' | 'bytes' | 'contentType'>,
): StorePost | null => (via === 'STORE' ? { project, bytes, contentType } : null)

export async function announce(
  tx: Tx,
  { id, store, type }: { id: string; store: Store; type: string },
  post: StorePost,
): Promise<void> {
  for (const onNotification of tx.hooks.onNotification ?? [])
    await onNotification(tx, { ...post, storeEventId: id, store, type })
}
