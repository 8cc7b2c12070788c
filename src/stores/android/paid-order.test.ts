import { describe, expect, test } from 'bun:test'
import type { androidpublisher_v3 } from 'googleapis/build/src/apis/androidpublisher'
import { decodePaidOrder, type PaidProduct } from './paid-order'
import { day, isoDay, ORDER, TOKEN, usd } from './play.fixtures'

type Order = androidpublisher_v3.Schema$Order
type Line = androidpublisher_v3.Schema$LineItem

const dollars = (units: string, nanos = 0) => ({ currencyCode: 'USD', units, nanos })
const phase = (name: 'base' | 'freeTrial' | 'introductoryPrice' | 'prorationPeriod'): Line => ({
  subscriptionDetails: { basePlanId: 'monthly', offerPhaseDetails: { [`${name}Details`]: {} } },
})
const line = (members: Line = {}): Line => ({ productId: 'pro', total: dollars('9', 990_000_000), ...members })
const order = (lineItems: Line[], members: Order = {}): Order => ({
  orderId: ORDER,
  purchaseToken: TOKEN,
  state: 'PROCESSED',
  createTime: isoDay(0),
  lineItems,
  ...members,
})

const read = (resource: unknown) => decodePaidOrder(resource, { orderId: ORDER, purchaseToken: TOKEN })
function products(resource: unknown): Record<string, PaidProduct> {
  const result = read(resource)
  if (!result.ok) throw new Error(result.field)
  return Object.fromEntries(result.order.products)
}

describe('the total of each product', () => {
  test('is what was paid for its line, taxes included', () => {
    const lineItems = [line({ tax: dollars('1') }), line({ productId: 'extra', total: dollars('3') })]
    expect(read(order(lineItems))).toMatchObject({ ok: true, order: { createdAt: day(0) } })
    expect(products(order(lineItems, { total: dollars('12', 990_000_000) }))).toEqual({
      pro: { total: usd(9_990_000), phase: null },
      extra: { total: usd(3_000_000), phase: null },
    })
  })
  test('of several lines of one product is one sum', () =>
    expect(products(order([line({ ...phase('prorationPeriod'), total: dollars('2') }), line(phase('base'))]))).toEqual({
      pro: { total: usd(11_990_000), phase: 'BASE' },
    }))
  test('is zero where Google writes a currency only, and unknown where it writes nothing', () => {
    expect(products(order([line({ total: { currencyCode: 'USD' } })])).pro?.total).toEqual(usd(0))
    expect(products(order([line({ total: {} }), line({ productId: 'extra' })])).pro?.total).toBeNull()
  })
  test('is that of the order when the line has none and no other product is in it', () => {
    const bare = { productId: 'pro' }
    expect(products(order([bare], { total: dollars('7') })).pro?.total).toEqual(usd(7_000_000))
    const two = products(order([bare, line({ productId: 'extra' })], { total: dollars('7') }))
    expect(two.pro?.total).toBeNull()
  })
  test('is unknown across currencies and below zero', () => {
    const euros = { currencyCode: 'EUR', units: '1' }
    expect(products(order([line(), line({ total: euros })])).pro?.total).toBeNull()
    expect(products(order([line({ total: dollars('-1') })])).pro?.total).toBeNull()
  })
})

test('the phase is that of the order', () => {
  const phases = (['base', 'freeTrial', 'introductoryPrice', 'prorationPeriod'] as const).map(
    (name) => products(order([line(phase(name))])).pro?.phase,
  )
  expect(phases).toEqual(['BASE', 'FREE_TRIAL', 'INTRODUCTORY', 'PRORATION'])
})

test.each([
  ['another order', { orderId: `${ORDER}..0` }, 'orderId'],
  ['the order of another purchase', { purchaseToken: 'other' }, 'purchaseToken'],
  ['lines that are none', { lineItems: 'none' }, 'lineItems'],
])('%s is refused', (_name, members, field) =>
  expect(read({ ...order([line()]), ...members })).toEqual({ ok: false, reason: 'malformed', field }),
)

test('an order without lines says nothing', () => expect(products({ orderId: ORDER, state: 'PROCESSED' })).toEqual({}))
