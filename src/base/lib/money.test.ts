import { expect, test } from 'bun:test'
import { fromThousandths } from './money'

test('a price in thousandths is a thousand times as many micros', () => {
  expect(fromThousandths(9990, 'USD')).toEqual({ amountMicros: 9_990_000, currency: 'USD' })
  expect(fromThousandths(0, 'EUR')).toEqual({ amountMicros: 0, currency: 'EUR' })
})

test('the largest price that is read has exact micros', () => {
  const largest = Math.floor(Number.MAX_SAFE_INTEGER / 1000)
  expect(Number.isSafeInteger(fromThousandths(largest, 'USD').amountMicros)).toBe(true)
})
