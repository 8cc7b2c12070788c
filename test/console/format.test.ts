import { expect, test } from 'bun:test'
import { formatPeriod } from '../../src/console/kit/charts/units'
import { formatMoney } from '../../src/console/lib/format'

const reading = { locale: 'en', zone: 'UTC' }

test.each([
  [2_500_000, '$2.50'],
  [-2_500_000, '−$2.50'],
  [10_000_000, '$10'],
  [0, '$0'],
  [1_250_000_000, '$1.3K'],
  [200_000_000_000, '$200K'],
  [98_765_432_100_000_000, '$98.8B'],
])('%p millionths stand on an axis as %p', (micros, text) => {
  expect(formatMoney(reading, micros, 'USD', { compact: true })).toBe(text)
})

test.each([
  ['P1M', 'en', '1 month'],
  ['P3M', 'de', '3 Monate'],
  ['P1Y', 'tr', '1 yıl'],
  ['P1Y6M', 'en', 'P1Y6M'],
])('the period %s in %s is %s', (period, locale, text) => {
  expect(formatPeriod({ ...reading, locale }, period)).toBe(text)
})
