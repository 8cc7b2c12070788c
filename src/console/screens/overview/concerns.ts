import type { Schemas } from '../../api/schemas'
import type { texts as english } from '../../text/en/findings'

type Concern = Pick<Schemas['OverviewConcern'], 'code' | 'message' | 'action' | 'finding'>

/** The screen on which a concern is mended, by the part of the server that reports it. */
const PLACES: Record<string, string> = {
  AUDIENCES: '/growth/audiences',
  CATALOG: '/catalogue',
  CHECKOUT: '/connections/stores/payment',
  COMPARE: '/connections/comparisons',
  CONNECTIONS: '/connections',
  CUSTOM_DOMAINS: '/growth/domains',
  DATA_EXPORT: '/connections/data-exports',
  DATA_REQUESTS: '/subscribers/data-requests',
  DELIVERIES: '/connections/deliveries',
  EXCHANGE_RATES: '/charts/unconverted-lines',
  FIGURES: '/settings',
  FORWARDING: '/connections/forwarding',
  FUNNEL_PAYMENTS: '/connections/stores/payment',
  IDENTITY_TOKENS: '/settings',
  PLACEMENTS: '/growth/placements',
  PROJECT: '/settings/api-keys',
  PURCHASES_RELINK: '/catalogue',
  PURCHASES_REPAIR: '/revenue/transactions',
  REFUND_SHIELD: '/revenue/refund-shield',
  REMOTE_CONFIG: '/growth',
  SDK_DOOR: '/connections/former-sdk',
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

export function placeOf({ code, message, action }: Omit<Concern, 'finding'>): string | null {
  const text = `${message} ${action ?? ''}`
  return NAMED.find(([named]) => named.test(text))?.[1] ?? PLACES[code] ?? null
}

/** The texts of an area, and the names of the stores in it. */
interface FindingTexts extends Pick<typeof english, 'words' | 'andMore' | 'sections' | 'modes'> {
  storeNames: Readonly<Record<string, string>>
  /** The words of a reason that the server wrote. */
  reasonOf: (text: string) => string
}

/** Title and hint in the language of the console; the server's English text for a finding that has none here. */
export function wordsOf(
  { finding, message, action }: Concern,
  texts: FindingTexts,
): [title: string, hint: string | null] {
  const words = finding && (texts.words as Record<string, (typeof english)['words']['NO_API_KEY']>)[finding.code]
  if (!words) return [message, action]
  const values = shown(finding.params, texts)
  const [title, hint] = words
  return [fill(title, values), hint && fill(hint, values)]
}

/** Whether the words of a concern have a reason that the server wrote. */
export const hasReason = ({ finding }: Pick<Concern, 'finding'>): boolean => typeof finding?.params.error === 'string'

type Values = Readonly<Record<string, string | number>>

function shown(params: Values, { andMore, sections, modes, storeNames, reasonOf }: FindingTexts): Values {
  const named = (names: Readonly<Record<string, string>>, key: string) => {
    const value = params[key]
    return value === undefined ? {} : { [key]: names[value] ?? value }
  }
  const hasMore = Number(params.more ?? 0) > 0
  return {
    ...{ ...params, ...named(storeNames, 'store'), ...named(sections, 'section') },
    ...{ ...named(modes, 'mode'), ...named(modes, 'keyMode') },
    ...(typeof params.error === 'string' && { error: reasonOf(params.error) }),
    ...(hasMore && { names: fill(andMore, params) }),
  }
}

const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
