import type { Entitlement } from '../../../people/entitlements/compute'
import type { PurchaseState } from '../../../people/purchases/model'
import type { CatalogSnapshot } from '../../../projects/catalog/snapshot'
import type { OwnershipType, PurchaseEnvironment, Store } from '../../../stores/observation'

/** What can differ between two services about one person. */
export const FINDING_KINDS = [
  'ACCESS_ONLY_THERE',
  'ACCESS_ONLY_HERE',
  'OTHER_END',
  'OTHER_PRODUCT',
  'OTHER_STORE',
  'PURCHASE_ONLY_THERE',
  'PURCHASE_ONLY_HERE',
  'OTHER_OWNER',
  'OTHER_STATE',
  'PERSON_UNKNOWN_THERE',
  'PERSON_UNKNOWN_HERE',
] as const

export type FindingKind = (typeof FINDING_KINDS)[number]

/** An access as the other service has it, ended ones included. */
export interface TheirEntitlement {
  identifier: string
  /** Effective end, grace included; null = never ends. */
  end: number | null
  /** The store's product and, of Google, its base plan. Null during an outage of a store. */
  product: string | null
  plan: string | null
}

export interface TheirPurchase {
  isSubscription: boolean
  product: string
  plan: string | null
  /** Null for a store that we do not have. */
  store: Store | null
  storeName: string
  transactionId: string | null
  start: number
  /** Start of the chain; null when it is not said. */
  originalStart: number | null
  /** Effective end; null = never ends. */
  end: number | null
  isSandbox: boolean
  isTrial: boolean
  isIntroOffer: boolean
  /** Null when it is not known. */
  ownership: OwnershipType | null
  hasTrouble: boolean
  /** Null when the service does not say. */
  isRefunded: boolean | null
  isUnsubscribed: boolean
  hasResumeDate: boolean
}

/** One person, as the other service answers. */
export interface TheirSide {
  /** The instant of their answer, by their clock. Both sides are judged at it. */
  at: number
  /** The first of the person's ids. */
  customerId: string
  /** When they saw the person first. */
  firstSeen: number | null
  entitlements: readonly TheirEntitlement[]
  purchases: readonly TheirPurchase[]
}

/** One of our purchases, in its state at the instant of their answer. */
export interface OurPurchase {
  id: string
  subscriberId: string
  store: Store
  environment: PurchaseEnvironment
  productId: string | null
  productIdentifier: string
  originalTransactionId: string
  state: PurchaseState
}

export interface OurSide {
  /** Every access that a purchase could give, at the instant of their answer. */
  entitlements: readonly Entitlement[]
  purchases: readonly OurPurchase[]
}

/** A purchase of ours that has the transaction which seemed to be missing. */
export interface FoundPurchase {
  purchase: OurPurchase
  /** The person whom the finding names, when it belongs to another person; null = the same person. */
  owner: string | null
}

export interface Comparison {
  theirs: TheirSide
  /** The answer shows that the person was unknown there until now. */
  isNewThere: boolean
  /** Null when no subscriber here has that id. */
  ours: OurSide | null
  catalog: Pick<
    CatalogSnapshot,
    'products' | 'productByIdentifier' | 'productByIosId' | 'productsByAndroidId' | 'productByPaymentId'
  >
  skipSandbox: boolean
  /** When ours was read, by our clock. */
  readAt: number
  /** What the search in the whole project has found, by transaction. */
  found: ReadonlyMap<string, FoundPurchase>
}

/** A difference, before a reason is looked up. */
export interface Difference {
  kind: FindingKind
  /** An access, or a product of a store. */
  identifier: string
  ours: string
  theirs: string
  /** The access that it is about, where it is about one. */
  access: string | null
  /** The purchase of ours that it is about. */
  purchaseId: string | null
}

export interface Outcome {
  differences: Difference[]
  /** Purchases of theirs to search for in the whole project. */
  missing: TheirPurchase[]
  /** Until when an end lies too close to the reading to judge it; null = none does. */
  tooCloseUntil: number | null
  /** Accesses that the other service gives for hours only, during an outage of a store. */
  temporary: string[]
  /** Stores of theirs that we do not have. */
  otherStores: string[]
}

/** Ends and starts are the same within this: the other service has whole seconds. */
export const TOLERANCE_MS = 1000

export const isSameInstant = (a: number | null, b: number | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) <= TOLERANCE_MS

export const isLive = (end: number | null, at: number): boolean => end === null || end > at

/** Identifies a transaction at a store. */
export const transactionKey = ({ store, transactionId }: Pick<TheirPurchase, 'store' | 'transactionId'>): string =>
  `${store} ${transactionId}`
