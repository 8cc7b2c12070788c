import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { foldObservations } from '../../people/purchases/fold'
import { transactionLines } from '../../people/purchases/lines'
import { statusAt } from '../../people/purchases/status'
import type { Observation } from '../observation'
import { day, isoDay, ORDER, product, TOKEN, usd } from './play.fixtures'
import { type AndroidProduct, decodeProduct, type ProductFetchContext, productItemFor, reportProduct } from './product'

const REQUEST = { purchaseToken: TOKEN, productId: 'gems' }
const read = (resource: unknown) => decodeProduct(resource, REQUEST)

/** A ProductPurchase of the older API, with some members changed. */
const older = (members: Record<string, unknown> = {}) => ({
  kind: 'androidpublisher#productPurchase',
  orderId: ORDER,
  purchaseState: 0,
  purchaseTimeMillis: String(day(0)),
  consumptionState: 0,
  acknowledgementState: 0,
  ...members,
})

function bought(resource: unknown): AndroidProduct {
  const result = read(resource)
  if (!result.ok) throw new Error(JSON.stringify(result))
  return result.product
}

function observe(resource: unknown, at: number, context: Partial<ProductFetchContext> = {}): Observation[] {
  const purchase = bought(resource)
  const [item] = purchase.items
  if (!item) throw new Error('no item')
  return reportProduct(purchase, item, { fetchedAt: day(at), known: [], ...context })
}

describe('refused', () => {
  const cases: [name: string, resource: unknown, result: object][] = [
    ['no object', 'bought', { reason: 'malformed', field: 'body' }],
    ['neither kind of answer', { orderId: ORDER }, { reason: 'malformed', field: 'purchaseStateContext' }],
    ['pending', product({ purchaseStateContext: { purchaseState: 'PENDING' } }), { reason: 'not_paid' }],
    ['a state unknown here', product({ purchaseStateContext: { purchaseState: 'RESERVED' } }), { reason: 'not_paid' }],
    ['no state', product({ purchaseStateContext: {} }), { reason: 'not_paid' }],
    ['cancelled', product({ purchaseStateContext: { purchaseState: 'CANCELLED' } }), { reason: 'cancelled' }],
    [
      'canceled, in the other spelling',
      product({ purchaseStateContext: { purchaseState: 'CANCELED' } }),
      { reason: 'cancelled' },
    ],
    [
      'no completion',
      product({ purchaseCompletionTime: null }),
      { reason: 'malformed', field: 'purchaseCompletionTime' },
    ],
    ['no line item', product({ productLineItem: [] }), { reason: 'malformed', field: 'productLineItem' }],
    [
      'a quantity below zero',
      product({ productLineItem: [{ productId: 'gems', productOfferDetails: { quantity: -1 } }] }),
      { reason: 'malformed', field: 'productLineItem' },
    ],
    ['pending, older', older({ purchaseState: 2 }), { reason: 'not_paid' }],
    ['cancelled, older', older({ purchaseState: 1 }), { reason: 'cancelled' }],
    ['a state unknown here, older', older({ purchaseState: 9 }), { reason: 'not_paid' }],
    ['a state as text, older', older({ purchaseState: '0' }), { reason: 'malformed', field: 'purchaseState' }],
    ['no time, older', older({ purchaseTimeMillis: null }), { reason: 'malformed', field: 'purchaseTimeMillis' }],
    [
      'a time beyond the year 9999, older',
      older({ purchaseTimeMillis: '9999999999999999' }),
      { reason: 'malformed', field: 'purchaseTimeMillis' },
    ],
    ['an order id that is a number, older', older({ orderId: 7 }), { reason: 'malformed', field: 'orderId' }],
  ]
  for (const [name, resource, result] of cases)
    test(name, () => expect(read(resource)).toEqual({ ok: false, ...result } as never))
  test('older, for a product that neither side names', () =>
    expect(decodeProduct(older(), { ...REQUEST, productId: null })).toEqual({
      ok: false,
      reason: 'malformed',
      field: 'productId',
    }))
})

test('both kinds of answer read alike', () => {
  const newer = product({
    testPurchaseContext: {},
    obfuscatedExternalAccountId: 'a1',
    acknowledgementState: 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED',
    productLineItem: [
      {
        productId: 'gems',
        productOfferDetails: { quantity: 3, refundableQuantity: 2, consumptionState: 'CONSUMPTION_STATE_CONSUMED' },
      },
    ],
  })
  const same = older({
    purchaseType: 0,
    quantity: 3,
    refundableQuantity: 2,
    consumptionState: 1,
    acknowledgementState: 1,
    obfuscatedExternalAccountId: 'a1',
  })
  expect(bought(newer)).toEqual(bought(same))
  expect(bought(newer)).toEqual({
    purchaseToken: TOKEN,
    environment: 'SANDBOX',
    country: null,
    transactionId: ORDER,
    purchasedAt: day(0),
    items: [{ storeProductId: 'gems', offerId: null, quantity: 3, refundableQuantity: 2, isConsumed: true }],
    account: { obfuscatedAccountId: 'a1', obfuscatedProfileId: null },
    isAcknowledged: true,
  })
})

test('bought with a code or a video it is production, and has an id without an order', () => {
  expect(bought(older({ purchaseType: 1 })).environment).toBe('PRODUCTION')
  expect(bought(product({ orderId: null })).transactionId).toMatch(/^android:[0-9a-f]{32}$/)
})

test('a quantity that is not told is one', () => {
  expect(bought(product({ productLineItem: [{ productId: 'gems' }] })).items[0]).toMatchObject({
    quantity: 1,
    refundableQuantity: null,
  })
  expect(bought(older()).items[0]).toMatchObject({ quantity: 1, refundableQuantity: null })
})

test('the item is that of the product asked for', () => {
  const two = bought(product({ productLineItem: [{ productId: 'gems' }, { productId: 'coins' }] }))
  expect(productItemFor(two, 'coins')?.storeProductId).toBe('coins')
  expect(productItemFor(two, 'other')).toBeNull()
})

test('it never ends, and has no price, as the API tells none', () => {
  const fold = foldObservations(observe(product(), 1), 'NON_CONSUMABLE')
  expect(fold && statusAt(fold, day(5000))).toMatchObject({
    status: 'ACTIVE',
    expiresAt: null,
    price: null,
    purchaseDate: day(0),
  })
})

test('fetched again it is the same report', () => {
  const [first, again] = [observe(product(), 1), observe(product(), 9)]
  expect(again[0]?.id).toBe(first[0]?.id ?? '')
})

describe('units given back', () => {
  const left = (refundableQuantity: number) =>
    product({ productLineItem: [{ productId: 'gems', productOfferDetails: { quantity: 3, refundableQuantity } }] })
  /** Bought for ten dollars, as an import or an order states. */
  const [report] = observe(left(3), 0)
  const priced =
    report?.kind === 'REPORT' && report.transaction
      ? { ...report, id: 'import', transaction: { ...report.transaction, price: usd(10_000_000) } }
      : null
  const known: Observation[] = priced ? [priced] : []
  const refunds = (observations: Observation[]) =>
    transactionLines(observations, 'CONSUMABLE').map(({ kind, price }) => [String(kind), price?.amountMicros ?? null])
  const statusOf = (observations: Observation[]) => {
    const fold = foldObservations(observations, 'CONSUMABLE')
    return fold && statusAt(fold, day(9)).status
  }

  test('some: a line of their share, and the purchase stays', () => {
    const life = [...known, ...observe(left(2), 3, { known, partlyRefundedAt: day(3) })]
    expect(refunds(life)).toEqual([
      ['CREDIT_PURCHASE', 10_000_000],
      ['REFUND', -3_333_333],
    ])
    expect(statusOf(life)).toBe('ACTIVE')
  })
  test('one after the other: each its own line, together their share', () => {
    const first = [...known, ...observe(left(2), 3, { known, partlyRefundedAt: day(3) })]
    const both = [...first, ...observe(left(1), 4, { known: first, partlyRefundedAt: day(4) })]
    expect(refunds(both)).toEqual([
      ['CREDIT_PURCHASE', 10_000_000],
      ['REFUND', -3_333_333],
      ['REFUND', -3_333_333],
    ])
  })
  test('the same word again is the same marker, and one that was missed is made up for', () => {
    const first = [...known, ...observe(left(1), 4, { known, partlyRefundedAt: day(3) })]
    const again = [...first, ...observe(left(1), 5, { known: first, partlyRefundedAt: day(4) })]
    expect(refunds(again)).toEqual([
      ['CREDIT_PURCHASE', 10_000_000],
      ['REFUND', -6_666_666],
    ])
  })
  test('all: a full refund of what is left', () => {
    const first = [...known, ...observe(left(2), 3, { known, partlyRefundedAt: day(3) })]
    const all = [...first, ...observe(left(0), 4, { known: first, partlyRefundedAt: day(4) })]
    expect(refunds(all)).toEqual([
      ['CREDIT_PURCHASE', 10_000_000],
      ['REFUND', -3_333_333],
      ['REFUND', -6_666_667],
    ])
    expect(statusOf(all)).toBe('REFUNDED')
  })
  test('of an unknown price: no marker, for without an amount it would take all', () =>
    expect(observe(left(2), 3, { known: observe(left(3), 0), partlyRefundedAt: day(3) })).toHaveLength(1))
  test('none is left out when no notification asked', () => expect(observe(left(2), 3, { known })).toHaveLength(1))
  test('none when Google does not tell how many are left', () =>
    expect(observe(older(), 3, { known, partlyRefundedAt: day(3) })).toHaveLength(1))
})

test('whatever Google answers, nothing is thrown', () => {
  const near = fc.record(
    {
      purchaseState: fc.oneof(fc.integer(), fc.anything()),
      purchaseTimeMillis: fc.oneof(fc.string(), fc.integer()),
      purchaseStateContext: fc.oneof(fc.constant({ purchaseState: 'PURCHASED' }), fc.anything()),
      purchaseCompletionTime: fc.oneof(fc.constant(isoDay(0)), fc.string()),
      productLineItem: fc.anything(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(fc.anything(), near), (resource) => {
      expect(typeof read(resource).ok).toBe('boolean')
    }),
    { numRuns: 500 },
  )
})
