import type { AnyEvent } from '../../../api/schemas'

export type Event = AnyEvent

/** What an event is about, in a few words: product, access, currency, or the id of the new owner. */
export function subjectOf({ data, after }: Event): string {
  const purchase = memberOf(after, 'purchase')
  const named = [
    memberOf(purchase, 'productIdentifier'),
    memberOf(purchase, 'productId'),
    data.access,
    data.code,
    data.key,
    data.appUserId,
  ]
  return named.find((one): one is string => typeof one === 'string') ?? ''
}

const memberOf = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined

export interface EventMoney {
  amountMicros: number
  currency: string
}

/** The price of the transaction of an event; null when no money moved. */
export function moneyOf({ data }: Event): EventMoney | null {
  const price = memberOf(data.transaction, 'price')
  const amountMicros = memberOf(price, 'amountMicros')
  const currency = memberOf(price, 'currency')
  return typeof amountMicros === 'number' && typeof currency === 'string' ? { amountMicros, currency } : null
}
