import type { Context } from '../../base/context'
import { removeStore, type StoreEdit } from './edit-store'

/** Removes the Android app with its service account; 404 without one. */
export const removeAndroidCredentials = (ctx: Context, edit: StoreEdit): Promise<void> =>
  removeStore(ctx, edit, 'android')
