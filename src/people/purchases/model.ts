import type { Money } from '../../base/lib/money'
import type { PurchaseStatus } from '../../core/purchase/status'
import type { ExpiryReason, OwnershipType, PeriodPrice, PriceAfter, ProductType } from '../../stores/observation'

export type TransactionKind =
  | 'INITIAL'
  | 'TRIAL'
  | 'TRIAL_CONVERSION'
  | 'RENEWAL'
  | 'REACTIVATION'
  | 'PRODUCT_CHANGE'
  | 'ADJUSTMENT'
  | 'NON_RENEWING_PURCHASE'
  | 'CREDIT_PURCHASE'
  | 'REFUND'
  | 'REFUND_REVERSAL'
  | 'CHARGEBACK'
  | 'GRANT'

/** A purchase as the fold of its observations, without applying the clock. Instants are milliseconds UTC. */
export interface PurchaseFold {
  /** Type of the product. It decides the types of events and of money lines. */
  productType: ProductType
  storeProductId: string
  storeTransactionId: string
  /** The ids of the copies of the current transaction, where it has some. */
  aliases?: readonly string[]
  purchaseDate: number
  originalPurchaseDate: number
  expiresAt: number | null
  /** See `TransactionPart`. */
  awaitsCharge?: true
  gracePeriodExpiresAt: number | null
  isTrial: boolean
  isIntroOffer: boolean
  offerId: string | null
  /** The price of one period, or of the whole purchase when it has no periods. */
  price: Money | null
  /** See `TransactionPart`. */
  period?: string
  /** See `TransactionPart`. */
  country?: string
  /** What it will cost from its next period on, where that is known to differ. */
  priceAfter?: PriceAfter
  quantity: number
  /** What each period costs, since when by the store's dates; absent where the store reports charges only. */
  recurring?: PeriodPrice & { since: number }
  ownershipType: OwnershipType
  autoRenews: boolean
  pendingStoreProductId: string | null
  billingTrouble: 'NONE' | 'GRACE' | 'RETRY'
  pausedAt: number | null
  autoResumeAt: number | null
  priceConsent: 'PENDING' | 'ACCEPTED' | 'DECLINED' | null
  /** When auto-renew was last switched off; null while it is on. */
  cancelledAt: number | null
  /** When the current transaction was refunded; null when it was not, or when the refund was reversed. */
  refundedAt: number | null
  revokedAt: number | null
  expiryReason: ExpiryReason | null
  /** Event time of the newest observation. */
  storeEventAt: number
}

/** A purchase at an instant: the fold, with its status by wire 4.2. */
export interface PurchaseState extends PurchaseFold {
  status: PurchaseStatus
}

/**
 * One money line. `key` (see `transactionLines`) is unique within store and project, and stays when the kind changes.
 */
export interface TransactionLine {
  key: string
  storeTransactionId: string
  /** The ids of the copies of the store transaction, where it has some. */
  aliases?: readonly string[]
  kind: TransactionKind
  /** Signed: refunds and chargebacks are negative. Null when the store does not give the price. */
  price: Money | null
  /** Of a charge: see `TransactionPart`. */
  period?: string
  occurredAt: number
  storeProductId: string
  /** Of a charge with which the store renews and changes the product: the product of the period before. */
  changedFrom?: string
  isTrial: boolean
  quantity: number
  /** 0 for the first paid period, 1 for its first renewal, ... */
  renewalNumber: number
  /** The part of the price that a refund returned, in thousandths of a per cent, where the store reports it. */
  share?: number
  /** Names the refund of a part of the price. */
  refundId?: string
}
