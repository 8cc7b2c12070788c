import { EVENT_TYPES } from '../../people/events/event-types'
import type { SkipReason } from '../deliveries/model'
import type { Provider } from './provider'

/** Whether an entry of `enabledEvents` can match anything: `*`, a type, or a prefix of types such as `purchase.*`. */
export const isKnownFilter = (filter: string): boolean =>
  filter === '*' ||
  EVENT_TYPES.some((type) => (filter.endsWith('.*') ? type.startsWith(filter.slice(0, -1)) : type === filter))

const isWanted = (filters: readonly string[], type: string): boolean =>
  filters.some((filter) => (filter.endsWith('*') ? type.startsWith(filter.slice(0, -1)) : type === filter))

/** Refunds and cancellations: ads providers never get them, whatever the mapping says (wire 5.10). */
const NEVER_TO_ADS: ReadonlySet<string> = new Set([
  'purchase.refunded',
  'purchase.refund_reversed',
  'purchase.cancelled',
  'purchase.revoked',
])

interface Settings {
  enabledEvents: readonly string[]
  eventMapping: Readonly<Record<string, string>>
  includeSandbox: boolean
}

/** The name that `eventMapping` gives to a type; null when it names none. */
export const mappedNameOf = ({ eventMapping }: Pick<Settings, 'eventMapping'>, type: string): string | null =>
  Object.hasOwn(eventMapping, type) ? (eventMapping[type] ?? null) : null

/** Whether a connection gets an event of the feed; if not, why. What depends on the person is seen at the attempt. */
export function judgeEvent(
  { kind, hasMapping }: Pick<Provider, 'kind' | 'hasMapping'>,
  settings: Settings,
  { type, environment }: { type: string; environment: 'PRODUCTION' | 'SANDBOX' },
): 'SEND' | SkipReason {
  if (kind === 'ADS' && NEVER_TO_ADS.has(type)) return 'no_mapping'
  if (mappedNameOf(settings, type) === null && !hasMapping(type)) return 'no_mapping'
  if (!isWanted(settings.enabledEvents, type)) return 'filtered_by_event_scope'
  return environment === 'SANDBOX' && !settings.includeSandbox ? 'sandbox' : 'SEND'
}
