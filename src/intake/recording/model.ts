import type { SubscriberImage } from '../../people/events/service'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { Observation, ProductType, PurchaseEnvironment, Store } from '../../stores/observation'

/** What a receipt or a notification says of one purchase. */
export interface PurchaseReport {
  store: Store
  environment: PurchaseEnvironment
  /** Names the purchase within store and project (wire 4.2). */
  chainKey: string
  originalTransactionId: string
  productType: ProductType
  /** Signed by the store into the purchase; null when there is none. */
  accountToken: string | null
  presentedContext: Record<string, unknown> | null
  /** Access ids of a new grant without a product (store MANUAL). */
  accessIds?: readonly string[] | null
  observations: readonly Observation[]
}

/** Whose purchase it is, or becomes. */
export interface Owner {
  subscriber: SubscriberRow
  /** Made by this transaction: it holds nothing yet, so nothing of it need be read. */
  isNew: boolean
}

/** Somebody who was there before, whatever they hold. */
export const present = (subscriber: SubscriberRow): Owner => ({ subscriber, isNew: false })

/** What an observation led to; `image` is null when it changed nothing, or when nothing is bought yet. */
export interface RecordedObservations {
  purchase: PurchaseRow | null
  /** What the owner holds after it. */
  image: SubscriberImage | null
}
