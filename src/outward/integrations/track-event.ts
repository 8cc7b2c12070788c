import type { Tx } from '../../base/context'
import type { HashedSignals } from './provider'

/** An event of `POST /v1/events` in the form in which it is forwarded. Plaintext signals never get here. */
export interface TrackEvent {
  /** The caller's `eventId`, or the id under which the event was stored. */
  eventId: string
  /** As sent, without the prefix `client.`: this is what `eventMapping` names. */
  eventType: string
  /** Unix milliseconds. */
  occurredAt: number
  /** `sub_…`; null when the event names no subscriber. */
  subscriberId: string | null
  productId: string | null
  amountMicros: bigint | null
  /** Three upper-case letters. */
  currency: string | null
  eventSourceUrl: string | null
  signals: HashedSignals
  /** As sent; they are sealed with the delivery at once, and wiped when it ends. */
  ip: string | null
  userAgent: string | null
}

/**
 * Makes the deliveries of a track event, in the transaction that stores it: one for each connection of kind ADS or
 * ANALYTICS whose `eventMapping` names the type. Without such a connection it reads nothing but a list in memory or one
 * indexed row, so it may be called for each event.
 */
export type ForwardTrackEvent = (tx: Tx, projectId: string, trackEvent: TrackEvent) => Promise<void>
