import { describe, expect, test } from 'bun:test'
import { transactionLines } from '../../people/purchases/lines'
import { day, foldOf, mark, PRICE, renewal, sold, word } from '../../people/purchases/lives.fixtures'
import type { Observation } from '../../stores/observation'
import { type ComparedPurchase, type Comparison, compare } from './plan'

const standing = (known: Observation[]): ComparedPurchase => ({
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
