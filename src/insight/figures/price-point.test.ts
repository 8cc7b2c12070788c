import { expect, test } from 'bun:test'
import { pricePoint } from './lines'

const points: [micros: number, text: string][] = [
  [9_990_000, '9.99 EUR'],
  [10_000_000, '10.00 EUR'],
  [500_000, '0.50 EUR'],
  [50_000, '0.05 EUR'],
  [1_234_500, '1.2345 EUR'],
  [1_000_001, '1.000001 EUR'],
  [1_001_000, '1.001 EUR'],
  [0, '0.00 EUR'],
  [-9_990_000, '-9.99 EUR'],
]

test.each(points)('%d micros are %s', (amountMicros, text) => {
  expect(pricePoint({ amountMicros, currency: 'EUR' })).toBe(text)
})

test('without a price there is none', () => expect([pricePoint(null), pricePoint(undefined)]).toEqual([null, null]))
