import type { HashedSignals } from '../../outward/integrations/provider'

/** An event that an app reports by `POST /v1/events` (wire 2.15), after its signals were hashed. */
export interface ClientEvent {
  /** Null: the caller removes no repetitions. */
  eventId: string | null
  /** As sent. */
  eventType: string
  /** Unix milliseconds. */
  occurredAt: number
  productId: string | null
  /** A decimal number. */
  amount: string | null
  /** Three upper-case letters. */
  currency: string | null
  eventSourceUrl: string | null
  /** Null when no signal was sent. */
  signals: HashedSignals | null
}

/** What is passed on to integrations with an event, and stored nowhere with it. */
export interface CallerTraits {
  ip: string | null
  userAgent: string | null
}

const RESERVED = /^(revenue|purchase|entitlement|subscription|subscriber)\./

/** The type under which an event is stored: an event of an app must not look like one of svc. */
export const storedType = (eventType: string): string => (RESERVED.test(eventType) ? `client.${eventType}` : eventType)

export const NO_SIGNALS: HashedSignals = {
  email: null,
  phone: null,
  externalId: null,
  firstName: null,
  lastName: null,
  city: null,
  country: null,
}
