import { Type } from '@sinclair/typebox'
import { unitsOf } from '../../../core/money/money'
import type { MappingInput, Money } from '../provider'

/** Names or tokens of events at an attribution provider, by our type; `ios:` and `android:` before it win. */
export type EventTokens = Readonly<Record<string, string>>

const TYPE_OF_EVENT = '^(?:(?:ios|android):)?[a-z_]{1,40}(?:\\.[a-z_]{1,40}){1,2}$'

export const eventTokens = (maxLength: number) =>
  Type.Record(Type.String({ pattern: TYPE_OF_EVENT }), Type.String({ minLength: 1, maxLength, pattern: '^[!-~]+$' }), {
    additionalProperties: false,
    maxProperties: 100,
  })

export const appId = Type.String({ minLength: 1, maxLength: 155, pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]*$' })
export const secretKey = Type.String({ minLength: 1, maxLength: 500, pattern: '^[!-~]+$' })

export type AppPlatform = 'ios' | 'android'

export interface App {
  platform: AppPlatform
  id: string
}

interface AppIds {
  iosAppId?: string
  androidAppId?: string
}

export const appsOf = ({ iosAppId, androidAppId }: AppIds): App[] => [
  ...(iosAppId === undefined ? [] : [{ platform: 'ios' as const, id: iosAppId }]),
  ...(androidAppId === undefined ? [] : [{ platform: 'android' as const, id: androidAppId }]),
]

/**
 * The app of the platform of the purchase's store, or else of the platform on which the person was seen: a purchase on
 * the web and access that was given by hand belong to no app of their own.
 */
export function appFor(
  { event, person }: Pick<MappingInput<unknown>, 'event' | 'person'>,
  apps: readonly App[],
): App | { skip: 'no_mapping' | 'missing_identity' } {
  const seenOn = person.attributes.platform ?? event.platform
  const wanted = event.platform === 'ios' || event.platform === 'android' ? event.platform : seenOn
  const found = apps.find(({ platform }) => platform === wanted) ?? (event.source === 'TEST' ? apps[0] : undefined)
  return found ?? { skip: wanted === null ? 'missing_identity' : 'no_mapping' }
}

/** Types that are sent as revenue although no token names them. */
const SUBSCRIPTION_REVENUE = [
  'purchase.initial',
  'purchase.trial_converted',
  'purchase.renewed',
  'purchase.recovered',
] as const
const ONE_TIME_REVENUE = 'purchase.non_renewing'

/** The provider's own names for the two kinds of revenue. */
export interface RevenueNames {
  subscription: string
  oneTime: string
}

/** The provider's name for the event: by the connection's mapping, by its tokens, or the name of revenue. */
export function nameOf(
  { event, mappedName, credentials }: MappingInput<{ eventTokens?: EventTokens }>,
  platform: AppPlatform,
  names: RevenueNames | null,
): string | null {
  const tokens = credentials.eventTokens ?? {}
  const own = mappedName ?? tokens[`${platform}:${event.type}`] ?? tokens[event.type]
  return own ?? (names && revenueName(event.type, names))
}

function revenueName(type: string, { subscription, oneTime }: RevenueNames): string | null {
  if (type === ONE_TIME_REVENUE) return oneTime
  return SUBSCRIPTION_REVENUE.some((one) => one === type) ? subscription : null
}

/** Money that came in. Refunds and reversals have an amount too, but it is no revenue. */
export const isRevenue = (type: string): boolean => type !== 'purchase.refunded' && type !== 'purchase.refund_reversed'

export const isRenewal = (type: string): boolean => type === 'purchase.renewed' || type === 'purchase.recovered'

export interface Amount {
  units: number
  currency: string
}

/** In USD where that is known, otherwise in the currency of the purchase; null for a free purchase. */
export function amountOf(money: Money | null): Amount | null {
  if (money === null || money.amountMicros === 0) return null
  return money.usdMicros === null
    ? { units: unitsOf(money.amountMicros), currency: money.currency }
    : { units: unitsOf(money.usdMicros), currency: 'USD' }
}

export const revenueOf = ({ event, money }: Pick<MappingInput<unknown>, 'event' | 'money'>): Amount | null =>
  isRevenue(event.type) ? amountOf(money) : null

/** Why an event without a person whom the provider can recognise is not sent. */
export const nobody = ({ person }: Pick<MappingInput<unknown>, 'person'>) => ({
  skip: person.hasHiddenDevices ? ('no_consent' as const) : ('missing_identity' as const),
})
