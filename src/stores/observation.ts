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

/** What a store says about one charge or free period of a purchase. Instants are milliseconds UTC. */
export interface TransactionPart {
  transactionId: string
  storeProductId: string
  /** What the charge was for, where the store has put another product in its place since, without a charge. */
  chargedStoreProductId?: string
  purchaseDate: number
  originalPurchaseDate: number
  /** End of the paid period; null = never ends (one-time products). */
  expiresAt: number | null
  /** The end is that of a period which has begun and is still to be paid: access goes on, and nothing was extended. */
  awaitsCharge?: true
  isTrial: boolean
  isIntroOffer: boolean
  offerId: string | null
  /** What was charged; null when the store does not tell (then no revenue line is written). */
  price: Money | null
  quantity: number
  ownershipType: OwnershipType
  /** The store's own word: a customer's buying, or an automatic renewal; a grant is given by the seller. */
  reason: 'PURCHASE' | 'RENEWAL' | 'GRANT'
}

/** What a store says about how the chain goes on; an absent member was not said and changes nothing. */
export interface RenewalPart {
  autoRenews?: boolean
  /** Store product of the next period when it differs; null clears it. */
  pendingStoreProductId?: string | null
  /** `NONE` ends trouble, `GRACE` and `RETRY` (hold, unpaid) begin or continue it. */
  billingTrouble?: 'NONE' | 'GRACE' | 'RETRY'
  gracePeriodExpiresAt?: number | null
  /** When the pause began (or begins); null = not paused. */
  pausedAt?: number | null
  autoResumeAt?: number | null
  priceConsent?: 'PENDING' | 'ACCEPTED' | 'DECLINED' | null
}

/** What the store says the chain is at `eventAt` (the store's clock). */
export interface Report {
  kind: 'REPORT'
  /** Unique within the purchase; the same id and kind again is a duplicate. */
  id: string
  eventAt: number
  transaction?: TransactionPart
  renewal?: RenewalPart
  /** The store says that the current transaction ended (or ends) then, with its reason. */
  ended?: { at: number; reason: ExpiryReason }
  /** The end was moved without a charge. */
  extendedTo?: number
  /** The period of another purchase that this one continues (Android's linked purchase token). */
  replaces?: { storeProductId: string; isTrial: boolean; isRunning: boolean }
}

/** Money or rights taken back, or given back, for one transaction. */
export interface Marker {
  kind: 'REFUND' | 'REVOCATION' | 'REVERSAL'
  id: string
  eventAt: number
  transactionId: string
  /** What was returned; null = all of the transaction's price. */
  amount: Money | null
  /** A refund that the customer's bank forced: its money line is a CHARGEBACK. */
  isChargeback?: boolean
}

export type Observation = Report | Marker
