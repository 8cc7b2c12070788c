import type { EventRow } from '../../people/events/feed'
import type { Money, OutEvent } from './provider'
import type { TrackPayload } from './track-payload'

/** What is sent to providers about an event, and its money. */
export interface EventFacts {
  event: OutEvent
  money: Money | null
}

/** The type of a test send. It has no money, so that it counts in no report. */
export const TEST_TYPE = 'integration.test'

const NO_PURCHASE = {
  ...{ store: null, platform: null, productId: null, storeProductId: null, quantity: 1 },
  ...{ transactionId: null, storeTransactionId: null, purchaseId: null },
} as const

const PLATFORMS = { IOS_STORE: 'ios', ANDROID_STORE: 'android', PAYMENT: 'web', MANUAL: null } as const

export function factsOfEvent(row: EventRow): EventFacts {
  const { id, type, occurredAt, environment, data } = row
  const image = membersOf(row.after)
  const purchase = membersOf(image.purchase ?? membersOf(row.before).purchase)
  const transaction = membersOf(data.transaction)
  const store = storeOf(purchase.store)
  const event: OutEvent = {
    ...{ source: 'FEED', id, type, occurredAt, environment },
    store,
    platform: store && PLATFORMS[store],
    productId: textOf(purchase.productIdentifier),
    storeProductId: textOf(purchase.storeProductId),
    quantity: typeof purchase.quantity === 'number' ? purchase.quantity : 1,
    transactionId: textOf(transaction.id),
    storeTransactionId: textOf(transaction.storeTransactionId) ?? textOf(purchase.storeTransactionId),
    purchaseId: textOf(purchase.id),
    url: null,
    access: Object.keys(membersOf(image.access)).sort(),
    data,
  }
  return { event, money: moneyOf(data) }
}

export const factsOfTrack = ({ event: { amountMicros, currency, ...event } }: TrackPayload): EventFacts => ({
  event: {
    ...NO_PURCHASE,
    ...event,
    ...{ source: 'TRACK', environment: 'PRODUCTION', access: [], data: {} },
  },
  money:
    amountMicros === null || currency === null
      ? null
      : { amountMicros, currency, usdMicros: currency === 'USD' ? amountMicros : null },
})

export const factsOfTest = (id: string, now: number): EventFacts => ({
  event: {
    ...NO_PURCHASE,
    ...{ source: 'TEST', id, type: TEST_TYPE, occurredAt: now, environment: 'PRODUCTION' },
    ...{ platform: 'ios', url: null, access: [], data: {} },
  },
  money: null,
})

/** The money of the charge; of a refund, what went back. */
function moneyOf(data: EventRow['data']): Money | null {
  const transaction = membersOf(data.transaction)
  const refund = readMoney(data.refund)
  if (refund) return { ...refund, usdMicros: dollarsOfRefund(refund, transaction) }
  const price = readMoney(transaction.price) ?? readMoney(data.price)
  if (!price) return null
  const told = typeof transaction.usdMicros === 'number' ? transaction.usdMicros : null
  const usdMicros = told ?? (price.currency === 'USD' ? price.amountMicros : null)
  return positive({ ...price, usdMicros })
}

/** The line of the refund has its amount in dollars, by the rate of the charge. */
function dollarsOfRefund(
  refund: Omit<Money, 'usdMicros'>,
  { price, usdMicros }: Record<string, unknown>,
): number | null {
  if (refund.currency === 'USD') return refund.amountMicros
  const line = readMoney(price)
  const isSame = line?.currency === refund.currency && Math.abs(line.amountMicros) === Math.abs(refund.amountMicros)
  return isSame && typeof usdMicros === 'number' ? Math.abs(usdMicros) : null
}

const positive = ({ amountMicros, currency, usdMicros }: Money): Money => ({
  amountMicros: Math.abs(amountMicros),
  currency,
  usdMicros: usdMicros === null ? null : Math.abs(usdMicros),
})

function readMoney(value: unknown): Omit<Money, 'usdMicros'> | null {
  const { amountMicros, currency } = membersOf(value)
  return typeof amountMicros === 'number' && typeof currency === 'string' ? { amountMicros, currency } : null
}

const storeOf = (value: unknown): OutEvent['store'] =>
  value === 'IOS_STORE' || value === 'ANDROID_STORE' || value === 'PAYMENT' || value === 'MANUAL' ? value : null

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {} // JSON of an event.
