import type { Schemas } from '../../api/schemas'

type Concern = Pick<Schemas['OverviewConcern'], 'code' | 'message' | 'action'>

/** The screen on which a concern is mended, by the part of the server that tells of it. */
const PLACES: Record<string, string> = {
  AUDIENCES: '/growth/audiences',
  CATALOG: '/catalogue',
  CHECKOUT: '/connections/stores/payment',
  COMPARE: '/connections/comparisons',
  CONNECTIONS: '/connections',
  DATA_EXPORT: '/connections/data-exports',
  DATA_REQUESTS: '/subscribers/data-requests',
  DELIVERIES: '/connections/deliveries',
  EXCHANGE_RATES: '/charts/unconverted-lines',
  FIGURES: '/settings',
  FORWARDING: '/connections/forwarding',
  IDENTITY_TOKENS: '/settings',
  PLACEMENTS: '/growth/placements',
  PROJECT: '/settings/api-keys',
  PURCHASES_RELINK: '/catalogue',
  PURCHASES_REPAIR: '/revenue/transactions',
  REFUND_SHIELD: '/revenue/refund-shield',
  REMOTE_CONFIG: '/growth',
  STORE_NOTIFICATIONS: '/connections/store-events',
  WEBHOOKS: '/connections/webhooks',
}

/** Places of what the sentences name. The first that is found counts. */
const NAMED: readonly (readonly [text: RegExp, path: string])[] = [
  [/stores\.refundShield|refundShield credentials/, '/revenue/refund-shield'],
  [/stores\.ios|\bios credentials/i, '/connections/stores/ios'],
  [/stores\.android|\bandroid credentials/i, '/connections/stores/android'],
  [/stores\.payment|\bpayment credentials/i, '/connections/stores/payment'],
  [/offerings/, '/catalogue/offerings'],
]

export function placeOf({ code, message, action }: Concern): string | null {
  const text = `${message} ${action ?? ''}`
  return NAMED.find(([named]) => named.test(text))?.[1] ?? PLACES[code] ?? null
}

/**
 * What to do in the words of the console, where the server names a key of the project file or a command. The longest
 * name that is found counts; null where there is none.
 */
export function mendingOf({ message, action }: Concern, words: Readonly<Record<string, string>>): string | null {
  const text = `${message} ${action ?? ''}`
  const found = Object.keys(words).filter((name) => text.includes(name))
  const [longest] = found.toSorted((a, b) => b.length - a.length)
  return longest === undefined ? null : (words[longest] ?? null)
}
