import type { Context } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import { lookFor } from './ask'
import { recordUpdate } from './news'

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
