import { EVENT_TYPES } from '../../people/events/event-types'
import type { PurchaseEnvironment, Store } from '../../stores/observation'

/** The most cohorts of a project (wire 6). */
export const MOST_COHORTS = 100

/** The event that every subscriber has once: being seen for the first time. */
export const FIRST_SEEN = 'subscriber.first_seen'

/** Who belongs to a cohort. */
export interface CohortDefinition {
  /** `subscriber.first_seen`, a type of the event feed, or a type that the project's apps send to `POST /v1/events`. */
  event: string
  /** When the event happened: in the last days (`P30D`), or from an instant (included) to another (excluded). */
  within?: string | EventWindow
  filters?: CohortFilters
}

export interface EventWindow {
  from: string
  to: string
}

/** All of them must hold. They are about the person as they are now, but for `environment`. */
export interface CohortFilters {
  /** Of the event and of the purchases; PRODUCTION when absent. */
  environment?: PurchaseEnvironment
  /** Has a purchase in this store. */
  store?: Store
  /** Has a purchase of this product; with a store, in that store. */
  productId?: string
  /** The attribute `country`. */
  country?: string
  /** The attribute `platform`. */
  platform?: string
  /** Custom attributes with these values. */
  attributes?: Record<string, string>
}

/** Where the events of a type are. */
export type EventKind = 'FIRST_SEEN' | 'FEED' | 'CLIENT'

export const kindOfEvent = (event: string): EventKind =>
  event === FIRST_SEEN ? 'FIRST_SEEN' : FEED_TYPES.has(event) ? 'FEED' : 'CLIENT'

const FEED_TYPES: ReadonlySet<string> = new Set(EVENT_TYPES)

/** The events of svc itself; an app's event of such a name is saved with `client.` before it. */
const OWN_NAMES = /^(revenue|purchase|entitlement|subscription|subscriber)\./

/** Why no event can have this type, as the end of a sentence, or null. */
export function eventFault(event: string): string | null {
  if (event.trim() === '' || /\p{Cc}/u.test(event) || !event.isWellFormed()) return 'must be the type of an event'
  const isUnknown = OWN_NAMES.test(event) && kindOfEvent(event) === 'CLIENT'
  return isUnknown ? `must be ${FIRST_SEEN}, a type of the event feed or a type that your apps send` : null
}

export const environmentOf = ({ filters }: CohortDefinition): PurchaseEnvironment =>
  filters?.environment ?? 'PRODUCTION'

/** The events of apps and first visits have no environment, and count as PRODUCTION. */
export const hasEvents = (event: string, environment: PurchaseEnvironment): boolean =>
  environment === 'PRODUCTION' || kindOfEvent(event) === 'FEED'
