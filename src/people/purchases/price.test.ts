import { expect, test } from 'bun:test'
import type { NextPeriod, Observation, RenewalPart } from '../../stores/observation'
import { transactionLines } from './lines'
import { day, foldOf, PRICE, renewal, sold, trial, usd, word } from './lives.fixtures'

const next = (members: Partial<NextPeriod> = {}): NextPeriod => ({
  storeProductId: 'monthly',
  price: usd(12_990_000),
  offer: null,
  ...members,
})
const told = (at: number, members: Partial<NextPeriod> = {}, rest: RenewalPart = {}) =>
  word(at, { next: next(members), ...rest })

const AFTER = { price: usd(12_990_000), from: day(30) }
const family = { ownershipType: 'FAMILY_SHARED', price: null } as const

const cases: [name: string, life: Observation[], price: unknown, after: unknown][] = [
  ['what was charged, while nothing else is known', [sold()], PRICE, undefined],
  ['what the next period of the same product costs', [sold(), told(1)], usd(12_990_000), undefined],
  ['the last word on it', [sold(), told(1), told(2, { price: usd(5) })], usd(5), undefined],
  ['what was charged, before another product', [sold(), told(1, { storeProductId: 'yearly' })], PRICE, AFTER],
  ['what was charged under an offer that ends', [sold({ offerId: 'half' }), told(1)], PRICE, AFTER],
  [
    'that of an offer that goes on',
    [sold({ offerId: 'half' }), told(1, { offer: 'half' })],
    usd(12_990_000),
    undefined,
  ],
  ['what was charged, before an offer', [sold(), told(1, { offer: 'half' })], PRICE, AFTER],
  ['nothing in a trial', [trial(), told(1)], usd(0), { ...AFTER, from: day(7) }],
  [
    'nothing different after an offer of the same price',
    [sold({ offerId: 'x' }), told(1, { price: PRICE })],
    PRICE,
    undefined,
  ],
  ['what was charged, until the customer agrees', [sold(), told(1, {}, { priceConsent: 'PENDING' })], PRICE, AFTER],
  [
    'the new price, once the customer agrees',
    [sold(), told(1, {}, { priceConsent: 'ACCEPTED' })],
    usd(12_990_000),
    undefined,
  ],
  [
    'what was charged, when nothing follows',
    [sold(), told(1, { offer: 'half' }, { autoRenews: false })],
    PRICE,
    undefined,
  ],
  ['what was charged for a period after the word', [sold(), told(1), renewal()], PRICE, undefined],
  ['nothing for a family member', [sold(family), told(1)], null, undefined],
]
for (const [name, life, price, after] of cases)
  test(`the price is ${name}, in any order`, () => {
    for (const order of [life, life.toReversed()]) {
      const fold = foldOf(order)
      expect(fold.price).toEqual(price as typeof fold.price)
      expect(fold.priceAfter).toEqual(after as typeof fold.priceAfter)
    }
  })

test('the money lines have what was charged', () => {
  expect(transactionLines([sold(), told(1)], 'SUBSCRIPTION').map(({ price }) => price)).toEqual([PRICE])
})
