import type { Context, Tx } from '../../base/context'
import { requireLock, withCredentialLock } from '../credential-lock/lock'
import { removeStore, type StoreEdit } from './edit-store'

declare module '../../base/state' {
  interface SliceHooks {
    /** Runs in the transaction that removes the Android credentials. */
    onAndroidRemoved: (tx: Tx, projectId: string) => Promise<void>
  }
}

/** Removes the Android app with its service account; 404 without one. 409 while its connection is changed. */
export const removeAndroidCredentials = (ctx: Context, edit: StoreEdit): Promise<void> =>
  withCredentialLock(ctx, edit.by.projectId, 'delete', (lock) =>
    removeStore(ctx, edit, 'android', async (_saved, { tx, projectId }) => {
      await requireLock(tx, lock)
      for (const forget of tx.hooks.onAndroidRemoved ?? []) await forget(tx, projectId)
    }),
  )
