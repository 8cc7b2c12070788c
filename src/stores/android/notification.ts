import { Value } from '@sinclair/typebox/value'
import type { Marker } from '../observation'
import { orderIdOf } from './order'
import { NotificationResource } from './resource'
import { firstProblem, type Malformed, malformed, millisOf, textOf } from './values'
import { refundMarker } from './voided'

export type AndroidProductType = 'SUBSCRIPTION' | 'ONE_TIME'

/**
 * The work that a real-time developer notification causes (wire 5.5): fetch the state of a purchase, or record the
 * refund of an order.
 */
export type NotificationAction =
  | {
      kind: 'FETCH'
      productType: AndroidProductType
      purchaseToken: string
      storeProductId: string | null
      /** Input for reading the fetched purchase; null when the notification is about something else. */
      chargedAt: number | null
      revokedAt: number | null
      partlyRefundedAt: number | null
    }
  | { kind: 'MARKER'; productType: AndroidProductType; purchaseToken: string; marker: Marker }
  | { kind: 'IGNORED' }

export interface AndroidNotification {
  packageName: string
  eventAt: number
  /** The type as Google spells it: `SUBSCRIPTION_RENEWED`. */
  type: string
  action: NotificationAction
}

export type NotificationResult = { ok: true; notification: AndroidNotification } | Malformed

/** Reads the DeveloperNotification inside a push. */
export function decodeNotification(value: unknown): NotificationResult {
  if (!Value.Check(NotificationResource, value)) return malformed(firstProblem(NotificationResource, value))
  const eventAt = millisOf(value.eventTimeMillis)
  if (eventAt === null) return malformed('eventTimeMillis')
  const present = KINDS.filter((kind) => value[kind])
  // Only one of them may be present. With two, one would be lost.
  if (present.length > 1) return malformed(present[1] ?? 'body')
  return { ok: true, notification: { packageName: value.packageName, eventAt, ...readAction(value, eventAt) } }
}

const KINDS = [
  'subscriptionNotification',
  'oneTimeProductNotification',
  'voidedPurchaseNotification',
  'testNotification',
] as const

type Reading = Pick<AndroidNotification, 'type' | 'action'>

function readAction(value: NotificationResource, eventAt: number): Reading {
  const { subscriptionNotification, oneTimeProductNotification, voidedPurchaseNotification, testNotification } = value
  if (subscriptionNotification) return aboutSubscription(subscriptionNotification, eventAt)
  if (oneTimeProductNotification) return aboutProduct(oneTimeProductNotification)
  if (voidedPurchaseNotification) return aboutVoided(voidedPurchaseNotification, eventAt)
  // A kind that Google added later, or one that is not about a purchase.
  return { type: testNotification ? 'TEST' : 'UNKNOWN', action: { kind: 'IGNORED' } }
}

const SUBSCRIPTION_TYPES = new Map([
  [1, 'SUBSCRIPTION_RECOVERED'],
  [2, 'SUBSCRIPTION_RENEWED'],
  [3, 'SUBSCRIPTION_CANCELED'],
  [4, 'SUBSCRIPTION_PURCHASED'],
  [5, 'SUBSCRIPTION_ON_HOLD'],
  [6, 'SUBSCRIPTION_IN_GRACE_PERIOD'],
  [7, 'SUBSCRIPTION_RESTARTED'],
  [8, 'SUBSCRIPTION_PRICE_CHANGE_CONFIRMED'],
  [9, 'SUBSCRIPTION_DEFERRED'],
  [10, 'SUBSCRIPTION_PAUSED'],
  [11, 'SUBSCRIPTION_PAUSE_SCHEDULE_CHANGED'],
  [12, 'SUBSCRIPTION_REVOKED'],
  [13, 'SUBSCRIPTION_EXPIRED'],
  [17, 'SUBSCRIPTION_ITEMS_CHANGED'],
  [18, 'SUBSCRIPTION_CANCELLATION_SCHEDULED'],
  [19, 'SUBSCRIPTION_PRICE_CHANGE_UPDATED'],
  [20, 'SUBSCRIPTION_PENDING_PURCHASE_CANCELED'],
  [22, 'SUBSCRIPTION_PRICE_STEP_UP_CONSENT_UPDATED'],
])

const CHARGES = ['SUBSCRIPTION_RECOVERED', 'SUBSCRIPTION_RENEWED', 'SUBSCRIPTION_PURCHASED']

const NO_TIMES = { chargedAt: null, revokedAt: null, partlyRefundedAt: null }

/** An unknown type is fetched too, for the fetched state shows what happened. */
function aboutSubscription(
  word: NonNullable<NotificationResource['subscriptionNotification']>,
  eventAt: number,
): Reading {
  const { notificationType, purchaseToken, subscriptionId } = word
  const type = SUBSCRIPTION_TYPES.get(notificationType) ?? `SUBSCRIPTION_${notificationType}`
  // Nothing was bought, and the purchase that it would have replaced continues.
  if (type === 'SUBSCRIPTION_PENDING_PURCHASE_CANCELED') return { type, action: { kind: 'IGNORED' } }
  return {
    type,
    action: {
      ...NO_TIMES,
      kind: 'FETCH',
      productType: 'SUBSCRIPTION',
      purchaseToken,
      storeProductId: textOf(subscriptionId),
      chargedAt: CHARGES.includes(type) ? eventAt : null,
      revokedAt: type === 'SUBSCRIPTION_REVOKED' ? eventAt : null,
    },
  }
}

function aboutProduct(word: NonNullable<NotificationResource['oneTimeProductNotification']>): Reading {
  const { notificationType, purchaseToken, sku } = word
  // The buyer cancelled a pending purchase before paying it.
  if (notificationType === 2) return { type: 'ONE_TIME_PRODUCT_CANCELED', action: { kind: 'IGNORED' } }
  const type = notificationType === 1 ? 'ONE_TIME_PRODUCT_PURCHASED' : `ONE_TIME_PRODUCT_${notificationType}`
  const fetch = { kind: 'FETCH', productType: 'ONE_TIME', purchaseToken, storeProductId: textOf(sku) } as const
  return { type, action: { ...fetch, ...NO_TIMES } }
}

const PARTIAL_BY_QUANTITY = 2

/** A notification of a partial refund has no quantity; the fetched purchase shows how many units are left. */
function aboutVoided(word: NonNullable<NotificationResource['voidedPurchaseNotification']>, eventAt: number): Reading {
  const { purchaseToken, orderId, refundType } = word
  const productType = word.productType === 1 ? 'SUBSCRIPTION' : 'ONE_TIME'
  if (refundType === PARTIAL_BY_QUANTITY) {
    const fetch = { kind: 'FETCH', productType, purchaseToken, storeProductId: null } as const
    return { type: 'PURCHASE_PARTLY_VOIDED', action: { ...fetch, ...NO_TIMES, partlyRefundedAt: eventAt } }
  }
  const marker = refundMarker(orderIdOf(textOf(orderId), purchaseToken), eventAt)
  return { type: 'PURCHASE_VOIDED', action: { kind: 'MARKER', productType, purchaseToken, marker } }
}
