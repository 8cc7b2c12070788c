import type { Money } from '../base/lib/money'

export type Store = 'IOS_STORE' | 'ANDROID_STORE' | 'PAYMENT' | 'MANUAL'
export type PurchaseEnvironment = 'PRODUCTION' | 'SANDBOX'
export type ProductType = 'SUBSCRIPTION' | 'CONSUMABLE' | 'NON_CONSUMABLE'
export type OwnershipType = 'PURCHASED' | 'FAMILY_SHARED'
export type ExpiryReason =
  | 'UNSUBSCRIBED'
  | 'BILLING_ERROR'
  | 'PRICE_INCREASE'
  | 'PRODUCT_UNAVAILABLE'
  | 'DEVELOPER'
  | 'REPLACED'
  | 'PAUSED'
  | 'UNKNOWN'

/** What a store reports about one charge or free period of a purchase. Instants are milliseconds UTC. */
export interface TransactionPart {
  transactionId: string
  /**
   * What the store calls the sale, where copies of its transaction have ids of their own. Transactions of one purchase
   * with the same sale are one charge.
   */
  sale?: string
  /** Whether the store has taken the transaction back, as of the report; absent = the report does not tell. */
  isRevoked?: boolean
  /** A subscription that never renews. The store does not know its end, so the catalogue's period decides. */
  isNonRenewing?: true
  storeProductId: string
  /** The product that was charged, where the store later replaced the product of the period without a new charge. */
  chargedStoreProductId?: string
  purchaseDate: number
  originalPurchaseDate: number
  /** End of the paid period; null = never ends (one-time products). */
  expiresAt: number | null
  /** The period has started and its charge is still open. Access continues; the store has not extended the period. */
  awaitsCharge?: true
  /** Access for which no period was charged: an item that was added within a period. It has no money line. */
  isUncharged?: true
  isTrial: boolean
  isIntroOffer: boolean
  offerId: string | null
  /** What was charged; null when the store does not say. Then no money line is written. */
  price: Money | null
  /** What the charge pays for, as an ISO 8601 duration, where the store reports it. Else the catalogue does. */
  period?: string
  /** The country of the storefront, as two letters of ISO 3166-1, where the store names it. */
  country?: string
  quantity: number
  ownershipType: OwnershipType
  /** As the store calls it: the customer bought, or the store renewed by itself. `GRANT` was given by the seller. */
  reason: 'PURCHASE' | 'RENEWAL' | 'GRANT'
  /**
   * Of a renewal: an earlier period sold another product, and no proration charged the rest of a period for this one. Then
   * it is a change of product if the period just before it sold another one.
   */
  mayChangeProduct?: true
}

/** A charge within a period: more seats, a proration, an item added by hand. It starts no period. */
export interface Adjustment {
  transactionId: string
  storeProductId: string
  chargedAt: number
  price: Money
  quantity: number
}

/** What each period of a subscription costs, which can differ from the last charge. */
export interface PeriodPrice {
  price: Money
  /** ISO 8601; null = the period of the product. */
  period: string | null
}

/** The price that is known to follow, and the instant from which on it applies. */
export interface PriceAfter {
  price: Money
  from: number
}

/**
 * What a store says about the future of the chain. The store did not mention an absent member, and it changes nothing.
 */
export interface RenewalPart {
  autoRenews?: boolean
  /** When auto-renew was switched off, where the report states so later; absent = at the time of the report. */
  cancelledAt?: number
  /** Store product of the next period when it differs from the present one; null clears it. */
  pendingStoreProductId?: string | null
  /** `GRACE` and `RETRY` (on hold, unpaid) start or continue a billing problem; `NONE` ends it. */
  billingTrouble?: 'NONE' | 'GRACE' | 'RETRY'
  gracePeriodExpiresAt?: number | null
  /** When the pause started (or starts); null = not paused. */
  pausedAt?: number | null
  autoResumeAt?: number | null
  priceConsent?: 'PENDING' | 'ACCEPTED' | 'DECLINED' | null
  /** Null: it is not known, so the last charge counts. */
  recurring?: PeriodPrice | null
  priceAfter?: PriceAfter | null
  /** What the next period costs. */
  next?: NextPeriod
}

/** The terms of the next period, as of the report. */
export interface NextPeriod {
  storeProductId: string
  price: Money
  /** A result of `offerStateOf`. */
  offer: string | null
}

/** Names the offer under which a period is sold; null = the full price. */
export const offerStateOf = ({
  isIntroOffer,
  offerId,
}: Pick<TransactionPart, 'isIntroOffer' | 'offerId'>): string | null => (isIntroOffer ? 'INTRO' : offerId)

/**
 * What an imported row says about one transaction. `TRANSACTION`: its id is the store's. `PERIOD`: the row has no id of
 * the store, so the transaction is known by the start of its period. `PURCHASE`: the row only says that the purchase
 * exists and when it ends.
 */
export type Imported = 'TRANSACTION' | 'PERIOD' | 'PURCHASE'

/** The state of the chain at `eventAt` (by the store's clock), as the store reports it. */
export interface Report {
  kind: 'REPORT'
  /** Unique within the purchase. A second report of the same kind with the same id is a duplicate. */
  id: string
  eventAt: number
  transaction?: TransactionPart
  renewal?: RenewalPart
  adjustment?: Adjustment
  /** The current transaction ended (or will end) at this instant, for this reason. */
  ended?: { at: number; reason: ExpiryReason }
  /** The store moved the end of the period to this instant without a charge. */
  extendedTo?: number
  /** The period of the other purchase that this one continues (Android's linked purchase token). */
  replaces?: { storeProductId: string; isTrial: boolean; isRunning: boolean }
  /** The report was read from another service's export. What a store reports about the same transaction comes first. */
  imported?: Imported
}

/** A refund, a revocation or their reversal, for one transaction. */
export interface Marker {
  kind: 'REFUND' | 'REVOCATION' | 'REVERSAL'
  id: string
  eventAt: number
  transactionId: string
  /** The amount returned; null = the whole price of the transaction. */
  amount: Money | null
  /** The part of the price that was returned, in thousandths of a per cent; absent = the amount says it. */
  share?: number
  /** The transaction gives no access from `eventAt` on, whatever part of the price was returned. */
  endsAccess?: true
  /** True when the customer's bank forced the refund: its money line is then a CHARGEBACK. */
  isChargeback?: boolean
}

export type Observation = Report | Marker
