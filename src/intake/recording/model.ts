import type { Context } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import type { SubscriberImage } from '../../people/events/service'
import type { StoredLines } from '../../people/purchases/line-rows'
import type { PurchaseState } from '../../people/purchases/model'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { Observation, ProductType, PurchaseEnvironment, Store } from '../../stores/observation'
import type { LineChange } from './grant-booking'

/** What a receipt or a notification states about one purchase. */
export interface PurchaseReport {
  store: Store
  environment: PurchaseEnvironment
  /** Identifies the purchase within store and project (wire 4.2). */
  chainKey: string
  /** Identifies the line within the chain. Absent: that of the recorded purchase, or of a chain that has one line. */
  lineKey?: string
  /** Further names under which the source knows the purchase. */
  aliases?: readonly string[]
  originalTransactionId: string
  productType: ProductType
  /** Signed by the store into the purchase; null when there is none. */
  accountToken: string | null
  presentedContext: Record<string, unknown> | null
  /** Access ids of a new grant without a product (store MANUAL). */
  accessIds?: readonly string[] | null
  observations: readonly Observation[]
}

/** A subscription that never renews counts as a one-time purchase, whatever the catalogue calls its product. */
export const soldType = (isNonRenewing: boolean, type: ProductType): ProductType =>
  isNonRenewing && type === 'SUBSCRIPTION' ? 'NON_CONSUMABLE' : type

/** Takes changes of purchases, whose events are written later. */
export interface ChangeTaker {
  add(owner: SubscriberRow, change: PurchaseChange): void
}

/** The subscriber who owns a purchase, or will own it. */
export interface Owner {
  subscriber: SubscriberRow
  /** This transaction created the subscriber. It has no purchases and no balances yet, so they need not be read. */
  isNew: boolean
  /** Takes the change, so that its events are written with those of the commit; absent = they are written at once. */
  news?: ChangeTaker
}

/** An owner that existed before this transaction. */
export const present = (subscriber: SubscriberRow, news?: ChangeTaker): Owner => ({
  subscriber,
  isNew: false,
  ...(news && { news }),
})

/**
 * The result of recording observations; `image` is null when nothing changed, when nothing is bought yet, or when the
 * events are written later.
 */
export interface RecordedObservations {
  purchase: PurchaseRow | null
  /** What the owner holds afterwards. */
  image: SubscriberImage | null
}

/** A purchase that changed: the row before and after, and its money lines before and after. */
export interface PurchaseChange {
  held: PurchaseRow | null
  row: PurchaseRow
  after: PurchaseState
  lines: LineChange
  stored: StoredLines
  /** The store product of the earlier purchase that this one replaces. */
  replacedStoreProductId?: string | undefined
  /** Its owner had no purchase and no balance before. */
  isFirst: boolean
  /** The purchase never gave anything, so its end is no event. */
  isEndUntold?: boolean
}

/** Fetches a purchase from the store, outside of any transaction, and records the answer in one transaction. */
export type Refresh = (
  ctx: Context,
  project: ProjectState,
  purchase: PurchaseRow,
  cause: EventCause,
) => Promise<unknown>

/** A change that a store's list contains and that is not recorded here, and the function that records it. */
export interface UnreportedRefund {
  purchase: PurchaseRow
  refresh: Refresh
}
