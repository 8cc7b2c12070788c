import { describe, expect, test } from 'bun:test'
import { day, ORDER, TOKEN, usd } from './play.fixtures'
import { decodeVoided, partialRefundMarker, refundedUnits, refundMarker } from './voided'

const row = (members: Record<string, unknown> = {}) => ({
  kind: 'androidpublisher#voidedPurchase',
  purchaseToken: TOKEN,
  orderId: ORDER,
  purchaseTimeMillis: String(day(0)),
  voidedTimeMillis: String(day(5)),
  voidedSource: 0,
  voidedReason: 1,
  ...members,
})

test('a voided order is a refund of all of it, the same that a notification tells', () => {
  const result = decodeVoided(row())
  expect(result).toEqual({ ok: true, purchaseToken: TOKEN, marker: refundMarker(ORDER, day(5)) })
  expect('marker' in result && result.marker.id).toBe(refundMarker(ORDER, day(6)).id)
})

test('forced by the bank it is a chargeback', () =>
  expect(decodeVoided(row({ voidedReason: 7 }))).toMatchObject({ marker: { kind: 'REFUND', isChargeback: true } }))

test('some units: the purchase tells how many in all', () =>
  expect(decodeVoided(row({ voidedQuantity: 2 }))).toEqual({
    ok: true,
    purchaseToken: TOKEN,
    partlyRefundedAt: day(5),
  }))

test('an order without id has that of its token', () =>
  expect(decodeVoided(row({ orderId: null }))).toMatchObject({
    marker: { transactionId: expect.stringMatching(/^android:/) },
  }))

describe('refused, with the member at fault', () => {
  const cases: [value: unknown, field: string][] = [
    [null, 'body'],
    [row({ purchaseToken: '' }), 'purchaseToken'],
    [row({ voidedTimeMillis: 'yesterday' }), 'voidedTimeMillis'],
    [row({ voidedTimeMillis: '-1' }), 'voidedTimeMillis'],
    [row({ voidedTimeMillis: '99999999999999999' }), 'voidedTimeMillis'],
    [row({ voidedQuantity: 'two' }), 'voidedQuantity'],
  ]
  for (const [value, field] of cases)
    test(JSON.stringify(value)?.slice(0, 60) ?? '', () =>
      expect(decodeVoided(value)).toEqual({ ok: false, reason: 'malformed', field }),
    )
})

describe('the share of some units', () => {
  const shares = (price: number, of: number) =>
    Array.from(
      { length: of },
      (_, from) => partialRefundMarker(ORDER, day(1), { from, to: from + 1, of }, usd(price))[0]?.amount?.amountMicros,
    )
  test('is cut over all refunds together, so that they add up', () => {
    expect(shares(10, 7)).toEqual([1, 1, 2, 1, 2, 1, 2])
    expect(shares(9_990_000, 3)).toEqual([3_330_000, 3_330_000, 3_330_000])
  })
  test('is exact beyond what floating point multiplies', () =>
    expect(shares(Number.MAX_SAFE_INTEGER, 1)).toEqual([Number.MAX_SAFE_INTEGER]))
  test('is nothing when no unit is new', () => {
    expect(partialRefundMarker(ORDER, day(1), { from: 2, to: 2, of: 3 }, usd(10))).toEqual([])
    expect(partialRefundMarker(ORDER, day(1), { from: 2, to: 1, of: 3 }, usd(10))).toEqual([])
  })
  test('units told of another order do not count', () => {
    const [told] = partialRefundMarker(ORDER, day(1), { from: 0, to: 2, of: 3 }, usd(10))
    expect(refundedUnits(told ? [told] : [], ORDER)).toBe(2)
    expect(refundedUnits(told ? [told] : [], 'GPA.other')).toBe(0)
  })
})
