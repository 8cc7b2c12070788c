import type {
  Data,
  JWSRenewalInfoDecodedPayload,
  JWSTransactionDecodedPayload,
  ResponseBodyV2DecodedPayload,
} from '@apple/app-store-server-library'
import { DAY } from '../../base/lib/clock'
import type { TransactionPayload } from '../../stores/ios/decode'
import type { RenewalPayload } from '../../stores/ios/renewal'
import type { SimulatorKeys } from '../../stores/test-keys/keys'
import { signTransaction } from './ios'

export type NotificationKind = readonly [type: string, subtype: string | null]

/** All notifications about a purchase, with each subtype. */
export const PURCHASE_NOTIFICATIONS: readonly NotificationKind[] = [
  ['SUBSCRIBED', 'INITIAL_BUY'],
  ['SUBSCRIBED', 'RESUBSCRIBE'],
  ['DID_RENEW', null],
  ['DID_RENEW', 'BILLING_RECOVERY'],
  ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'],
  ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_ENABLED'],
  ['DID_CHANGE_RENEWAL_PREF', 'UPGRADE'],
  ['DID_CHANGE_RENEWAL_PREF', 'DOWNGRADE'],
  ['DID_CHANGE_RENEWAL_PREF', null],
  ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD'],
  ['DID_FAIL_TO_RENEW', null],
  ['GRACE_PERIOD_EXPIRED', null],
  ['EXPIRED', 'VOLUNTARY'],
  ['EXPIRED', 'BILLING_RETRY'],
  ['EXPIRED', 'PRICE_INCREASE'],
  ['EXPIRED', 'PRODUCT_NOT_FOR_SALE'],
  ['EXPIRED', null],
  ['OFFER_REDEEMED', 'INITIAL_BUY'],
  ['OFFER_REDEEMED', 'RESUBSCRIBE'],
  ['OFFER_REDEEMED', 'UPGRADE'],
  ['OFFER_REDEEMED', 'DOWNGRADE'],
  ['OFFER_REDEEMED', null],
  ['PRICE_INCREASE', 'PENDING'],
  ['PRICE_INCREASE', 'ACCEPTED'],
  ['RENEWAL_EXTENDED', null],
  ['REFUND', null],
  ['REFUND_DECLINED', null],
  ['REFUND_REVERSED', null],
  ['REVOKE', null],
  ['ONE_TIME_CHARGE', null],
  ['CONSUMPTION_REQUEST', null],
]

/** Other notifications of the store, and one type that does not exist. */
export const OTHER_NOTIFICATIONS: readonly NotificationKind[] = [
  ['TEST', null],
  ['RENEWAL_EXTENSION', 'SUMMARY'],
  ['RENEWAL_EXTENSION', 'FAILURE'],
  ['EXTERNAL_PURCHASE_TOKEN', 'UNREPORTED'],
  ['RESCIND_CONSENT', null],
  ['METADATA_UPDATE', null],
  ['MIGRATION', null],
]

/** Notifications of types that a later version of the store may send. */
export const UNKNOWN_NOTIFICATIONS: readonly NotificationKind[] = [
  ['PRICE_CHANGE', null],
  ['MOON_PHASE', 'FULL'],
]

/** A notification to create. */
export interface SimulatedNotification {
  kind: NotificationKind
  /** Unique; a repeated delivery has the same id. */
  notificationId: string
  now: number
  bundleId: string
  /** The present state of the purchase at the store; null when the notification is not about a purchase. */
  transaction: TransactionPayload | null
  /** Replaces members of `simulatedRenewalInfo`; null = without renewal information. */
  renewal?: Partial<RenewalPayload> | null
}

/** The `signedPayload` that the store posts: two signed tokens inside a third one, all of them Sandbox. */
export function signNotification(keys: SimulatorKeys, notification: SimulatedNotification): string {
  const { transaction, renewal } = simulatedParts(notification)
  const data = {
    ...appOf(notification),
    ...(transaction && { signedTransactionInfo: signTransaction(keys, transaction) }),
    ...(renewal && { signedRenewalInfo: signTransaction(keys, renewal) }),
    ...(notification.kind[0] === 'CONSUMPTION_REQUEST' && { consumptionRequestReason: 'UNINTENDED_PURCHASE' }),
  } satisfies Data
  return signTransaction(keys, simulatedEnvelope(notification, data))
}

/** The parts of a notification that the store signs separately. */
export function simulatedParts({ kind, transaction, renewal = {}, now }: SimulatedNotification) {
  const signed = transaction && (toldAgain(transaction, now) satisfies JWSTransactionDecodedPayload)
  const renewalInfo =
    signed && renewal && isRenewing(signed) ? { ...simulatedRenewalInfo(signed, kind), ...renewal } : null
  return { transaction: signed, renewal: renewalInfo }
}

/** The payload of a notification, with its signed parts. */
export function simulatedEnvelope(
  { kind: [type, subtype], notificationId, now, ...rest }: SimulatedNotification,
  data: Data,
): ResponseBodyV2DecodedPayload {
  return {
    notificationType: type,
    ...(subtype === null ? {} : { subtype }),
    notificationUUID: notificationId,
    version: '2.0',
    signedDate: now,
    ...partOf(type, subtype, rest.bundleId, data),
  }
}

function partOf(type: string, subtype: string | null, bundleId: string, data: Data) {
  const app = { environment: 'Sandbox', bundleId }
  if (type === 'RENEWAL_EXTENSION' && subtype === 'SUMMARY')
    return { summary: { ...app, productId: 'pro_monthly', requestIdentifier: 'r', succeededCount: 1, failedCount: 0 } }
  if (type === 'EXTERNAL_PURCHASE_TOKEN')
    return { externalPurchaseToken: { bundleId, externalPurchaseId: 'SANDBOX_1', tokenCreationDate: 0 } }
  return type === 'RESCIND_CONSENT' ? { appData: app } : { data }
}

const appOf = ({ bundleId }: SimulatedNotification) => ({ environment: 'Sandbox', bundleId, bundleVersion: '1' })

const isRenewing = (transaction: TransactionPayload | null): boolean =>
  transaction?.type === 'Auto-Renewable Subscription'

/** The store signs a transaction again for each notification about it. */
const toldAgain = (transaction: TransactionPayload, now: number): TransactionPayload => ({
  ...transaction,
  signedDate: Math.max(transaction.signedDate, now),
})

export const GRACE_MS = 16 * DAY

/** The renewal information that belongs to a notification of this kind about this transaction. */
export function simulatedRenewalInfo(transaction: TransactionPayload, [type, subtype]: NotificationKind) {
  const { originalTransactionId, productId, signedDate, environment, expiresDate = signedDate } = transaction
  const isFailing = type === 'DID_FAIL_TO_RENEW' || type === 'GRACE_PERIOD_EXPIRED'
  const intent = isFailing ? 2 : type === 'EXPIRED' ? (INTENTS.get(subtype ?? '') ?? 5) : null
  return {
    originalTransactionId,
    productId,
    autoRenewProductId: productId,
    autoRenewStatus: ENDING.has(subtype ?? type) ? 0 : 1,
    isInBillingRetryPeriod: isFailing,
    ...(intent === null ? {} : { expirationIntent: intent }),
    ...(subtype === 'GRACE_PERIOD' ? { gracePeriodExpiresDate: expiresDate + GRACE_MS } : {}),
    ...(type === 'PRICE_INCREASE' ? { priceIncreaseStatus: subtype === 'ACCEPTED' ? 1 : 0 } : {}),
    renewalDate: expiresDate,
    recentSubscriptionStartDate: transaction.originalPurchaseDate,
    signedDate,
    environment,
  } satisfies JWSRenewalInfoDecodedPayload & RenewalPayload
}

/** After these notifications the subscription does not renew. */
const ENDING: ReadonlySet<string> = new Set(['AUTO_RENEW_DISABLED', 'VOLUNTARY', 'REFUND', 'REVOKE'])

const INTENTS: ReadonlyMap<string, number> = new Map([
  ['VOLUNTARY', 1],
  ['BILLING_RETRY', 2],
  ['PRICE_INCREASE', 3],
  ['PRODUCT_NOT_FOR_SALE', 4],
])
