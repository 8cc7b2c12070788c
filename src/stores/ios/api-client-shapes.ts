import { type Static, Type } from '@sinclair/typebox'
import { MAX_INSTANT } from '../../base/lib/time'

// The answers of the App Store Server API, with the members that are used here. Other members are ignored.

const open = { additionalProperties: true }
const Token = Type.String({ minLength: 1 })
const Instant = Type.Integer({ minimum: 0, maximum: MAX_INSTANT })

export const TransactionInfo = Type.Object({ signedTransactionInfo: Token }, open)
export type TransactionInfo = Static<typeof TransactionInfo>

const LastTransaction = Type.Object(
  {
    originalTransactionId: Token,
    /** 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked. */
    status: Type.Integer(),
    signedTransactionInfo: Token,
    signedRenewalInfo: Token,
  },
  open,
)

/** The newest transaction of each subscription of one customer, by subscription group. */
export const SubscriptionStatuses = Type.Object(
  {
    environment: Type.String(),
    bundleId: Type.String(),
    appAppleId: Type.Optional(Type.Integer({ minimum: 0 })),
    data: Type.Array(
      Type.Object({ subscriptionGroupIdentifier: Type.String(), lastTransactions: Type.Array(LastTransaction) }, open),
    ),
  },
  open,
)
export type SubscriptionStatuses = Static<typeof SubscriptionStatuses>

/** One delivery attempt of the store. The result is `SUCCESS`, or the reason of the failure in capitals. */
const SendAttempt = Type.Object({ attemptDate: Instant, sendAttemptResult: Type.String() }, open)

export const NotificationHistory = Type.Object(
  {
    /** Token of the next page, while `hasMore` is true. */
    paginationToken: Type.Optional(Type.String()),
    hasMore: Type.Boolean(),
    notificationHistory: Type.Array(
      Type.Object({ signedPayload: Token, sendAttempts: Type.Optional(Type.Array(SendAttempt)) }, open),
    ),
  },
  open,
)
export type NotificationHistory = Static<typeof NotificationHistory>

export const TestNotification = Type.Object({ testNotificationToken: Token }, open)
export type TestNotification = Static<typeof TestNotification>

/** State of a requested test notification. Without attempts it was not sent yet. */
export const TestNotificationStatus = Type.Object(
  { signedPayload: Type.Optional(Token), sendAttempts: Type.Optional(Type.Array(SendAttempt)) },
  open,
)
export type TestNotificationStatus = Static<typeof TestNotificationStatus>

export const Extension = Type.Object(
  {
    originalTransactionId: Token,
    webOrderLineItemId: Type.Optional(Type.String()),
    success: Type.Boolean(),
    /** The new end of the period; absent when it was not extended. */
    effectiveDate: Type.Optional(Instant),
  },
  open,
)
export type Extension = Static<typeof Extension>

export const Failure = Type.Object({ errorCode: Type.Integer() }, open)

/** Which notifications to list. Instants are milliseconds, at most 180 days back. */
export interface NotificationHistoryQuery {
  startDate: number
  endDate: number
  notificationType?: string
  notificationSubtype?: string
  transactionId?: string
  /** Only those that the store failed to deliver. */
  onlyFailures?: boolean
}

export interface ExtensionOrder {
  /** 1 to 90. */
  extendByDays: number
  /** 0 undeclared, 1 customer satisfaction, 2 other, 3 service issue or outage. */
  extendReasonCode: 0 | 1 | 2 | 3
  /** Unique, at most 128 characters. */
  requestIdentifier: string
}

/** How much a customer used of the purchase they want refunded (Apple's ConsumptionRequestV1); 0 = undeclared. */
export interface ConsumptionAnswer {
  customerConsented: boolean
  consumptionStatus: 0 | 1 | 2 | 3
  platform: 1
  sampleContentProvided: boolean
  deliveryStatus: 0
  appAccountToken?: string
  accountTenure: Bucket
  playTime: Bucket
  lifetimeDollarsPurchased: Bucket
  lifetimeDollarsRefunded: Bucket
  userStatus: 0 | 1
  refundPreference: 1 | 2 | 3
}

export type Bucket = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7
