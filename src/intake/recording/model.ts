import type { SubscriberImage } from '../../people/events/service'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { Observation, ProductType, PurchaseEnvironment, Store } from '../../stores/observation'

/** What a receipt or a notification says about one purchase. */
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

/** The subscriber who owns a purchase, or will own it. */
export interface Owner {
  subscriber: SubscriberRow
  /** This transaction created the subscriber. It has no purchases and no balances yet, so they need not be read. */
  isNew: boolean
}

/** An owner that existed before this transaction. */
export const present = (subscriber: SubscriberRow): Owner => ({ subscriber, isNew: false })

/** The result of recording observations; `image` is null when nothing changed, or when nothing is bought yet. */
export interface RecordedObservations {
  purchase: PurchaseRow | null
  /** What the owner holds afterwards. */
  image: SubscriberImage | null
}
