import type { Context } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { listByChain, type PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import { lookFor } from './ask'
import { recordUpdate } from './news'
import { ANDROID } from './tokens'

/** Fetches a purchase again and records it for its owner. Used by a restore without receipts and by the reconciler. */
export async function refreshAndroidPurchase(
  ctx: Context,
  project: ProjectState,
  { chainKey, fold }: PurchaseRow,
  cause: EventCause,
): Promise<void> {
  const family = fold.productType === 'SUBSCRIPTION' ? 'SUBSCRIPTION' : 'ONE_TIME'
  const looked = await lookFor(ctx, project, {
    purchaseToken: chainKey,
    family,
    storeProductId: null,
    readsRefunds: true,
  })
  await ctx.write((tx) => recordUpdate(tx, project, { ...looked, marker: null }, cause))
}

/** Like `refreshAndroidPurchase`, by the token of a purchase. One that is not recorded is left alone. */
export async function refreshAndroidToken(
  ctx: Context,
  project: ProjectState,
  token: string,
  cause: EventCause,
): Promise<void> {
  const [purchase] = await listByChain(ctx, project.id, ANDROID, token)
  if (purchase) await refreshAndroidPurchase(ctx, project, purchase, cause)
}
