import type { PurchaseEnvironment, Store } from '../../stores/observation'

/** The known facts of the person of an event when it is sent. */
export interface Person {
  /** Sent in place of keys and label when the person was erased. */
  subscriberId: string
  isErased: boolean
  /** The device key of the row that the event names; null when another person has that device now. */
  deviceKey: string | null
  /** The device keys that the person has, merged rows included; the oldest first. */
  keys: readonly string[]
  label: string | null
  attributes: Readonly<Record<string, { value: string; updatedAt: number }>>
  /** Only those that the person was exposed to. */
  experiments: readonly { experimentId: string; variantId: string; exposedAt: number }[]
}

/** A product of the catalogue. */
export interface FormatProduct {
  displayName: string
  isSubscription: boolean
  iosId: string | null
  androidId: string | null
  androidBasePlanId: string | null
  paymentId: string | null
  /** Identifiers of the access that it gives. */
  access: readonly string[]
}

/** A purchase, besides what its event says of it. */
export interface PurchaseFacts {
  store: Store
  environment: PurchaseEnvironment
  productId: string | null
  storeProductId: string
  storeTransactionId: string
  /** The access of a grant without a product; else null. */
  grantedAccess: readonly string[] | null
  /** The offering that the person saw when buying. */
  offering: string | null
  /** Whether it started with a free trial. */
  hasTrial: boolean
  /** The fraction that the store keeps of the charge that the event is about; null where none can be. */
  commission: number | null
}

/** The ledger entry of a virtual currency that an event is about. */
export interface LedgerFacts {
  id: string
  currencyName: string
  /** The store transaction that granted it; null when it was booked by hand. */
  storeTransactionId: string | null
}

/** Both sides of a transfer as they were before it: all device keys, the oldest first, then the label. */
export interface TransferFacts {
  from: readonly string[]
  to: readonly string[]
}

/** Everything besides an event that its body in the vendor's format is made of. What does not apply is null. */
export interface VendorFacts {
  person: Person | null
  /** By id; at least those that the event names. */
  products: Readonly<Record<string, FormatProduct>>
  /** Of a transfer and of a claim: the first purchase that moved and was not granted by hand. */
  purchase: PurchaseFacts | null
  ledger: LedgerFacts | null
  transfer: TransferFacts | null
  /** What the variant of an experiment shows, if that is an offering. */
  offeringOfVariant: string | null
}

export const NO_FACTS: VendorFacts = {
  person: null,
  products: {},
  purchase: null,
  ledger: null,
  transfer: null,
  offeringOfVariant: null,
}
