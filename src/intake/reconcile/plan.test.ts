import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { MINUTE } from '../../base/lib/clock'
import { foldObservations } from '../../people/purchases/fold'
import { transactionLines } from '../../people/purchases/lines'
import { anyLife, day, foldOf, mark, PRICE, renewal, sold, trial, word } from '../../people/purchases/lives.fixtures'
import { BILLING_RETRY_LIMIT, statusAt } from '../../people/purchases/status'
import type { Observation } from '../../stores/observation'
import { type Comparison, compare, recheckAt, type Standing } from './plan'

const SOON = 15 * MINUTE

describe('the store is asked again', () => {
  const monthly = sold()
  const cases: [fact: string, known: Observation[], heardOn: number, expected: number | null][] = [
    ['a day after its last word about what runs', [monthly], 3, day(4)],
    ['shortly after an end that comes before that', [monthly], 29.5, day(30) + SOON],
    ['a day later at an end more than a day away', [monthly], 29, day(30)],
    ['a trial as much as what is paid for', [trial()], 6.5, day(7) + SOON],
    ['a day after a word that came with the end', [monthly], 30, day(31)],
    ['not after a word from a day after the end', [monthly], 31, null],
    ['at once about an old receipt of what ran on when it was signed', [monthly], 0, day(1)],
    [
      'shortly after the end of a grace period',
      [monthly, word(30, { billingTrouble: 'GRACE', gracePeriodExpiresAt: day(46) })],
      45.5,
      day(46) + SOON,
    ],
    ['daily while the store tries to charge', [monthly, word(30, { billingTrouble: 'RETRY' })], 50, day(51)],
    [
      'shortly after the clock has given that up',
      [monthly, word(30, { billingTrouble: 'RETRY' })],
      89.5,
      day(30) + BILLING_RETRY_LIMIT + SOON,
    ],
    ['not once that is confirmed', [monthly, word(30, { billingTrouble: 'RETRY' })], 90.1, null],
    ['daily in a pause', [monthly, word(30, { pausedAt: day(30) })], 40, day(41)],
    ['not after a refund', [monthly, mark('REFUND', 5)], 5, null],
    ['not after a revocation', [monthly, mark('REVOCATION', 5)], 5, null],
  ]
  for (const [fact, known, heardOn, expected] of cases)
    test(fact, () => expect(recheckAt(foldOf(known), day(heardOn))).toBe(expected))

  const lifetime = () => foldOf([sold({ expiresAt: null })], 'NON_CONSUMABLE')
  const ages: [age: number, expected: number][] = [
    [0, 1],
    [10, 11],
    [100, 110],
    [365, 401.5],
  ]
  for (const [age, expected] of ages)
    test(`about a lifetime purchase ${age} days old ${expected - age} days later`, () =>
      expect(recheckAt(lifetime(), day(age))).toBe(day(expected)))

  test('always later than it was heard', () => {
    const law = fc.property(anyLife, fc.integer({ min: -10, max: 400 }), (life, heardOn) => {
      const fold = foldObservations(life, 'SUBSCRIPTION')
      const at = fold && recheckAt(fold, day(heardOn))
      return at === null || at > day(heardOn)
    })
    fc.assert(law, { numRuns: 500 })
  })

  test('in the end never more about a subscription that the store says nothing new of', () => {
    const law = fc.property(anyLife, (life) => {
      const fold = foldObservations(life, 'SUBSCRIPTION')
      if (!fold || statusAt(fold, day(5000)).status !== 'EXPIRED') return
      expect(recheckAt(fold, day(5000))).toBeNull()
    })
    fc.assert(law, { numRuns: 500 })
  })
})

const standing = (known: Observation[]): Standing => ({
  fold: foldOf(known),
  productId: 'prd_1',
  lines: transactionLines(known, 'SUBSCRIPTION').map(({ key, price }) => ({
    revenueKey: key,
    amountMicros: price?.amountMicros ?? null,
  })),
})

describe('an answer of the store', () => {
  const monthly = sold()
  const cancelled = word(10, { autoRenews: false })
  const cases: [fact: string, known: Observation[], added: Observation[], on: number, expected: Comparison][] = [
    ['that repeats what is known is the same', [monthly], [sold({}, day(20))], 20, 'SAME'],
    ['about what has ended is the same', [monthly], [sold({}, day(40))], 40, 'SAME'],
    ['with a renewal is drift', [monthly], [renewal()], 31, 'DRIFT'],
    ['with a renewal before the old end is drift', [monthly], [renewal({ purchaseDate: day(29) })], 29, 'DRIFT'],
    ['with a cancellation is drift', [monthly], [cancelled], 11, 'DRIFT'],
    [
      'with a cancellation told before is the same',
      [monthly, cancelled],
      [word(12, { autoRenews: false })],
      12,
      'SAME',
    ],
    ['with a refund is drift', [monthly], [mark('REFUND', 5)], 6, 'DRIFT'],
    [
      'with a refund of an earlier period is drift, for money is wrong',
      [monthly, renewal()],
      [mark('REFUND', 35)],
      36,
      'DRIFT',
    ],
    ['with another product is drift', [monthly], [sold({ storeProductId: 'yearly' }, day(2))], 2, 'DRIFT'],
    [
      'with a price that was unknown only tells more',
      [sold({ price: null })],
      [sold({ price: PRICE }, day(1))],
      2,
      'TOLD',
    ],
    [
      'with the reason of an end only tells more',
      [monthly],
      [word(30, { ended: { at: day(30), reason: 'DEVELOPER' } })],
      31,
      'TOLD',
    ],
    [
      'that it still tries to charge, when the clock had given that up, is drift',
      [monthly, word(30, { billingTrouble: 'RETRY' })],
      [word(91, { billingTrouble: 'RETRY' })],
      91,
      'DRIFT',
    ],
  ]
  for (const [fact, known, added, on, expected] of cases)
    test(fact, () => {
      expect(compare(standing(known), standing([...known, ...added]), day(on))).toBe(expected)
    })

  test('that finds the product in the catalogue by now is drift', () => {
    const found = standing([monthly])
    expect(compare({ ...found, productId: null }, found, day(1))).toBe('DRIFT')
  })
})
