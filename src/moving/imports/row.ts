import type { Money } from '../../base/lib/money'
import type { OwnershipType, ProductType, Store } from '../../stores/observation'

/** `ONE_TIME`: it is no subscription, and the file does not say whether it is consumed. */
export type FileProductType = ProductType | 'ONE_TIME'

/** One row of a file, read by its mapping (wire 5.16). Instants are milliseconds UTC; null = the file does not say. */
export interface ImportRow {
  /** The physical line on which the record starts; the header is line 1. */
  line: number
  subscriberExternalId: string
  deviceKey: string | null
  store: Store
  /** As in the file; before any catalogue. */
  productIdentifier: string | null
  purchaseDate: number | null
  originalTransactionId: string | null
  storeTransactionId: string | null
  purchaseToken: string | null
  /** A signed transaction. */
  receipt: string | null
  /** Of the payment provider: `sub_…` or `pi_…`. */
  providerId: string | null
  isSubscription: boolean | null
  expiresDate: number | null
  originalPurchaseDate: number | null
  gracePeriodExpiresDate: number | null
  refundedAt: number | null
  cancelledAt: number | null
  billingIssueAt: number | null
  autoRenews: boolean | null
  autoResumeAt: number | null
  isTrial: boolean | null
  isIntroOffer: boolean | null
  isSandbox: boolean | null
  /** Gross, of the whole quantity. */
  price: Money | null
  country: string | null
  ownershipType: OwnershipType | null
  quantity: number | null
  renewalNumber: number | null
  email: string | null
  displayName: string | null
  attributes: Readonly<Record<string, string>>
  firstSeenAt: number | null
  lastSeenAt: number | null
  updatedAt: number | null
  offerId: string | null
  /** Identifiers of accesses, for rows of `promotional` without a product of the catalogue. */
  entitlements: readonly string[] | null
  /** The values of the product itself, where the file has columns for it. Nothing is recorded of it. */
  productName?: string
  productType?: FileProductType
  /** ISO 8601 */
  productPeriod?: string
}

/**
 * Why a row was not read, or with `WARNING` what is to be known of a row that was. `column` is a header of the file;
 * null = the record has another number of fields.
 */
export interface RowFault {
  line: number
  column: string | null
  message: string
  /** Absent = the row was not read. */
  severity?: 'WARNING'
}
