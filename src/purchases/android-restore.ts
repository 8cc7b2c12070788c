import type { Context } from '../context'
import { AppError } from '../errors'
import { causeOf } from '../events/model'
import { DAY } from '../lib/clock'
import { isSimulatedPlay } from '../projects/android-store'
import type { ProjectState } from '../projects/state'
import type { SubscriberRow } from '../subscribers/service'
import { namedProducts } from './android-match'
import { refreshAndroidPurchase } from './android-news'
import { submitAndroidReceipt } from './android-receipt'
import { ANDROID } from './android-record'
import { findByChain, listBySubscriber, type PurchaseRow } from './queries'
import type { RestoringStore } from './restore'

/** Android purchases in a restore (wire 2.8). */
export const androidRestoring: RestoringStore = {
  submit: (ctx, project, key, input) =>
    submitAndroidReceipt(ctx, project, key, { ...input, obfuscatedAccountId: null }),
  async isHeld(ctx, project, subscriber, { receipt, productId }) {
    if (namedProducts(project.catalog, productId).length === 0)
      throw new AppError('RECEIPT_PRODUCT_UNKNOWN', { productId })
    const purchase = await findByChain(ctx, project.id, ANDROID, receipt)
    return purchase?.subscriberId === subscriber.id
  },
}

/** Asks Google again about the subscriber's purchases that end, or ended, within a day; nothing where there is no app. */
export async function recheckAndroid(ctx: Context, project: ProjectState, { id }: SubscriberRow): Promise<void> {
  const now = ctx.clock.now()
  const cause = causeOf('RESTORE', null, ANDROID)
  for (const purchase of await listBySubscriber(ctx, id))
    if (
      purchase.store === ANDROID &&
      endsNear(purchase, now) &&
      (project.android || isSimulatedPlay(ctx, purchase.chainKey))
    )
      await refreshAndroidPurchase(ctx, project, purchase, cause)
}

const endsNear = ({ effectiveEnd }: PurchaseRow, now: number): boolean =>
  effectiveEnd !== null && Math.abs(effectiveEnd - now) <= DAY
