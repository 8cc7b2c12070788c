import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readRefundTerms, refundedAmount } from './refund-terms'

const SEED = 20261120
const usd = (amountMicros: number) => ({ amountMicros, currency: 'USD' })

const amounts: [name: string, price: number, percentage: number | undefined, amount: number | null][] = [
  ['no percentage: all of it', 9_990_000, undefined, null],
  ['100 %: all of it', 9_990_000, 100_000, null],
  ['99.999 %', 9_990_000, 99_999, 9_989_900],
  ['50 %', 9_990_000, 50_000, 4_995_000],
  ['67.932 %', 9_990_000, 67_932, 6_786_407],
  ['33.333 %, one of three', 9_990_000, 33_333, 3_329_967],
  ['0.015 %', 9_990_000, 15, 1499],
  ['half a micro is rounded up', 1, 50_000, 1],
  ['less than half a micro is none', 1, 49_999, 0],
  ['0 %', 9_990_000, 0, 0],
  ['50 % of nothing', 0, 50_000, 0],
  ['50 % of the largest price', 9_007_199_254_740_000, 50_000, 4_503_599_627_370_000],
  ['99.999 % of the largest price', 9_007_199_254_740_000, 99_999, 9_007_109_182_747_453],
]
for (const [name, price, revocationPercentage, amount] of amounts)
  test(`refunded: ${name}`, () => {
    const terms = revocationPercentage === undefined ? {} : { revocationPercentage }
    expect(refundedAmount(usd(price), terms)).toEqual(amount === null ? null : usd(amount))
  })

test('of a price never told all is given back', () => {
  expect(refundedAmount(null, { revocationPercentage: 50_000 })).toBeNull()
})

test('a part of a price lies between nothing and the price, and the rest is the other part', () => {
  const prices = fc.nat({ max: 9_007_199_254_740 }).map((price) => price * 1000)
  const property = fc.property(prices, fc.integer({ min: 1, max: 99_999 }), (price, revocationPercentage) => {
    const part = refundedAmount(usd(price), { revocationPercentage })?.amountMicros ?? -1
    const rest =
      refundedAmount(usd(price), { revocationPercentage: 100_000 - revocationPercentage })?.amountMicros ?? -1
    expect(part).toBeGreaterThanOrEqual(0)
    expect(part).toBeLessThanOrEqual(price)
    expect([price, price + 1]).toContain(part + rest)
  })
  fc.assert(property, { seed: SEED, numRuns: 1000 })
})

test('terms of a refund are read when they are of their types', () => {
  const terms = { revocationType: 'REFUND_PRORATED', revocationPercentage: 50_000 }
  expect(readRefundTerms({ ...terms, transactionId: '1' })).toMatchObject(terms)
  expect(readRefundTerms({})).toEqual({})
  expect(readRefundTerms({ revocationType: 'ASSIGNMENT_REVOKE' })).not.toBeNull()
})

const wrong = [
  { revocationPercentage: '50000' },
  { revocationPercentage: -1 },
  { revocationPercentage: 100_001 },
  { revocationPercentage: 0.5 },
  { revocationPercentage: null },
  { revocationType: 1 },
  { revocationType: null },
  null,
  'text',
]
for (const payload of wrong)
  test(`${JSON.stringify(payload)} are no terms`, () => {
    expect(readRefundTerms(payload)).toBeNull()
  })
