import type { EventRow } from '../../people/events/feed'

/** What sends: a webhook endpoint, an integration, or a forward of store notifications. */
export type DeliveryKindName = 'WEBHOOK' | 'INTEGRATION' | 'FORWARD'

export type DeliveryStatus = 'PENDING' | 'DELIVERING' | 'SUCCEEDED' | 'FAILED' | 'DEAD' | 'DISMISSED' | 'SKIPPED'

/** Why an event was not sent (wire 5.10). A webhook knows only `no_mapping`. */
export type SkipReason = 'no_mapping' | 'filtered_by_event_scope' | 'no_consent' | 'sandbox' | 'missing_identity'

/** Why a target was disabled by the server and not by a person. */
export type DisabledReason = 'GONE' | 'FAILING'

/** One attempt, as the delivery log keeps it. */
export interface AttemptEntry {
  /** Unix milliseconds at which the attempt started. */
  at: number
  statusCode: number | null
  /** Null when an answer came. */
  error: string | null
  durationMs: number
  /** The first 1 KiB of the answer. */
  responseSnippet: string | null
}

/** A delivery whose next attempt starts now. */
export interface OpenDelivery {
  id: string
  kind: DeliveryKindName
  projectId: string
  targetId: string
  type: string
  subscriberId: string | null
  isTest: boolean
  /** 1 for the first attempt. */
  attempt: number
  /** The event that it delivers; null for a delivery without one, and for one whose event is no longer kept. */
  event: EventRow | null
  eventId: string | null
  /** What the sender saved with a delivery that has no event. */
  payload: string | null
}

/** The result of one attempt. */
export type AttemptResult =
  /** An answer came. Only the status decides; a sender that reads more into the body changes the status itself. */
  | { kind: 'answer'; status: number; headers: Headers; body: Uint8Array }
  /** No answer: `reason` is a short word such as `timeout`, `unreachable` or `private_address`. */
  | { kind: 'fault'; reason: string }
  /** It must not be sent. Ends the delivery as SKIPPED. */
  | { kind: 'skip'; reason: SkipReason }
  /** It can never be sent. Ends the delivery as DEAD. */
  | { kind: 'dead'; reason: string }
