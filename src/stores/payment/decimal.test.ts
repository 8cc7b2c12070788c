import { expect, test } from 'bun:test'
import Stripe from 'stripe'
import { timesDecimal } from './decimal'

const cases: [decimal: unknown, count: number, product: number | null][] = [
  ['12.5', 1, 13],
  ['12.5', 2, 25],
  ['0.000000000001', 1_000_000, 0],
  ['0.05', 10, 1],
  ['0.05', 9, 0],
  ['999', 3, 2997],
  [Stripe.Decimal.from('12.5'), 2, 25],
  [Stripe.Decimal.from('0.000000000001'), 1_000_000_000_000, 1],
  ['-1', 1, null],
  ['1e3', 1, null],
  ['', 1, null],
  [12.5, 1, null],
  [null, 1, null],
  [undefined, 1, null],
  [{}, 1, null],
  ['999999999999999', 1000, null],
]
for (const [decimal, count, product] of cases)
  test(`${String(decimal)} times ${count} is ${product}`, () => expect(timesDecimal(decimal, count)).toBe(product))
