import type { Observation } from '../observation'

/** One product of a purchase, with its observations. */
export interface DecodedLine {
  /** The id of the subscription's item or of the checkout's line; empty for a payment without a checkout. */
  lineKey: string
  /** The price id. A product has it as its `payment` store id. */
  storeProductId: string
  /** False for an item that was removed from the subscription. */
  isPresent: boolean
  observations: Observation[]
}
