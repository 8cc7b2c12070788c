import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { causeOf, type EventCause } from '../../people/events/model'
import { listBySubscriber, type PurchaseRow } from '../../people/purchases/queries'
import type { SubscriberRow } from '../../people/subscribers/service'
import { isSimulatedPlay } from '../../projects/connections/android-store'
import type { ProjectState } from '../../projects/project/state'
import type { Store } from '../../stores/observation'
import { refreshAndroidPurchase } from '../android/refresh'
import { refreshPaymentPurchase } from '../payment/refresh'

/** Stores that can be queried about a purchase at any time. */
const REFRESH: Partial<Record<Store, typeof refreshAndroidPurchase>> = {
  // Without an Android app the query would throw, and the other purchases would not be queried.
  ANDROID_STORE: async (ctx, project, ...rest) =>
    canRefresh(ctx, project, rest[0]) ? refreshAndroidPurchase(ctx, project, ...rest) : undefined,
  PAYMENT: refreshPaymentPurchase,
}

/** Queries the stores about the subscriber's purchases that end, or ended, within a day (wire 2.8). */
export async function recheckEnding(ctx: Context, project: ProjectState, { id }: SubscriberRow): Promise<void> {
  const now = ctx.clock.now()
  for (const purchase of await listBySubscriber(ctx, id)) {
    const cause: EventCause = causeOf('RESTORE', null, purchase.store)
    if (endsNear(purchase, now)) await REFRESH[purchase.store]?.(ctx, project, purchase, cause)
  }
}

const canRefresh = (ctx: Context, { android }: ProjectState, { chainKey }: PurchaseRow): boolean =>
  android !== null || isSimulatedPlay(ctx, chainKey)

const endsNear = ({ effectiveEnd }: PurchaseRow, now: number): boolean =>
  effectiveEnd !== null && Math.abs(effectiveEnd - now) <= DAY
