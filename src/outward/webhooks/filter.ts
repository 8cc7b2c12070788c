import { EVENT_TYPES } from '../../people/events/event-types'

/** The type of a test send. It is in no feed. */
export const TEST_TYPE = 'webhook.test'

const KNOWN: readonly string[] = [...EVENT_TYPES, TEST_TYPE]

/** Whether a filter of `eventTypes` can match anything: `*`, a type, or a prefix of types such as `purchase.*`. */
export const isKnownFilter = (filter: string): boolean =>
  filter === '*' ||
  KNOWN.some((type) => (filter.endsWith('.*') ? type.startsWith(filter.slice(0, -1)) : type === filter))

/** Whether one of the filters matches the type. */
export const isWantedType = (filters: readonly string[], type: string): boolean =>
  filters.some((filter) => (filter.endsWith('*') ? type.startsWith(filter.slice(0, -1)) : type === filter))
