import { Type } from '@sinclair/typebox'
import { unitsOf } from '../../../core/money/money'
import type { MappingInput, Money } from '../provider'

export const ChatCredentials = (title: string) =>
  Type.Object({ webhookUrl: Type.String({ minLength: 1, maxLength: 2048 }) }, { additionalProperties: false, title })

/** Types that are worth a line, and how it starts. */
const LABELS: Readonly<Record<string, string>> = {
  'purchase.initial': 'New purchase',
  'purchase.trial_converted': 'Trial converted',
  'purchase.refunded': 'Refund',
  'purchase.expired': 'Subscription ended',
  'purchase.billing_issue': 'Billing issue',
  'integration.test': 'Test message',
}

const STORES = {
  IOS_STORE: 'App Store',
  ANDROID_STORE: 'Google Play',
  PAYMENT: 'web payment',
  MANUAL: 'granted by hand',
} as const

export const hasLine = (type: string): boolean => Object.hasOwn(LABELS, type)

const MOST_CHARACTERS = 200

/**
 * One line about an event. `harmless` makes a text that people chose harmless in the chat: it is applied to each of
 * them, after everything that would break the line has become a space.
 */
export function lineOf(
  { event, person, money, mappedName }: MappingInput<unknown>,
  harmless: (text: string) => string,
): string {
  const safe = (text: string | null): string | null => (text === null ? null : harmless(flattened(text)))
  const { reason } = event.data
  const parts = [
    safe(person.appUserId ?? person.subscriberId),
    safe(event.productId),
    money && shownMoney(money),
    typeof reason === 'string' ? safe(reason.toLowerCase().replaceAll('_', ' ')) : null,
    event.store && STORES[event.store],
  ].filter((part) => part !== null)
  const label = safe(mappedName) ?? LABELS[event.type] ?? 'Event'
  const sandbox = event.environment === 'SANDBOX' ? '[Sandbox] ' : ''
  return parts.length === 0 ? `${sandbox}${label}` : `${sandbox}${label}: ${parts.join(', ')}`
}

/** Line breaks, control and formatting characters are removed, and so is text that is too long for one line. */
const flattened = (text: string): string => {
  const flat = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
  const characters = [...flat]
  return characters.length <= MOST_CHARACTERS ? flat : `${characters.slice(0, MOST_CHARACTERS).join('')}…`
}

function shownMoney({ amountMicros, currency, usdMicros }: Money): string {
  const own = `${shownUnits(amountMicros)} ${currency}`
  return usdMicros === null || currency === 'USD' ? own : `${own} (${shownUnits(usdMicros)} USD)`
}

function shownUnits(micros: number): string {
  const units = unitsOf(micros)
  return Number.isInteger(units) ? String(units) : units.toFixed(2)
}
