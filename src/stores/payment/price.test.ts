import { describe, expect, test } from 'bun:test'
import { itemPrice } from './price'
import type { Discount, Item, Price, Subscription } from './shapes'
import { dayOf, FROM, subscription } from './shapes.fixtures'

const MONTH = { interval: 'month', interval_count: 1, usage_type: 'licensed' }
const price = (id: string, unit_amount: number | null, more: Partial<Price> = {}): Price => ({
  ...{ id, unit_amount, currency: 'usd', recurring: MONTH },
  ...more,
})
const item = (sold: Price, quantity = 1): Item => ({
  ...{ id: `si_${sold.id}`, price: sold, quantity, current_period_start: FROM, current_period_end: dayOf(30) },
})
const discount = (
  coupon: Partial<Exclude<Discount['source']['coupon'], string | null>>,
  end: number | null = null,
) => ({
  ...{ id: 'di_1', end },
  source: { coupon: { duration: 'forever', percent_off: null, amount_off: null, ...coupon } },
})
const of = (items: Item[], discounts: Subscription['discounts'] = []) => ({
  ...subscription,
  items: { data: items },
  discounts,
})
const off = (one: Item, ...discounts: Discount[]): Item => ({ ...one, discounts })
const FINE = {
  up_to: null,
  unit_amount: null,
  unit_amount_decimal: '0.4',
  flat_amount: null,
  flat_amount_decimal: '10.5',
}
const NOW = dayOf(1) * 1000

const pricesOf = (sold: Subscription, next: Price | null = null) =>
  sold.items.data.map((one) => {
    const { recurring, priceAfter } = itemPrice(sold, one, next, NOW)
    return [recurring && recurring.price.amountMicros / 10_000, recurring?.period, priceAfter?.price.amountMicros]
  })
const firstOf = (sold: Subscription) => pricesOf(sold)[0]?.[0]

const TIERS = [
  { up_to: 5, unit_amount: 100, flat_amount: null },
  { up_to: 10, unit_amount: 80, flat_amount: 500 },
  { up_to: null, unit_amount: 50, flat_amount: null },
]
const tiered = (tiers_mode: string) => price('tiers', null, { tiers: TIERS, tiers_mode })

const cases: [name: string, sold: Subscription, cents: number | null | undefined][] = [
  ['a unit amount', of([item(price('a', 999))]), 999],
  ['times the quantity', of([item(price('a', 999), 3)]), 2997],
  [
    'a metered item costs nothing yet',
    of([item(price('a', 5, { recurring: { ...MONTH, usage_type: 'metered' } }))]),
    0,
  ],
  ['a price that is not named', of([item({ id: 'a' })]), null],
  ['an amount that is not told', of([item(price('a', null))]), null],
  ['a fraction of a cent', of([item(price('a', null, { unit_amount_decimal: '12.5' }))]), 13],
  [
    'a fraction is rounded after it was multiplied',
    of([item(price('a', null, { unit_amount_decimal: '12.5' }), 4)]),
    50,
  ],
  ['a fraction that is no number', of([item(price('a', null, { unit_amount_decimal: 'much' }))]), null],
  ['tiers in fractions of a cent', of([item(price('a', null, { tiers: [FINE], tiers_mode: 'graduated' }), 3)]), 1 + 11],
  ['a discount of the item', of([off(item(price('a', 1000), 2), discount({ percent_off: 25 }))]), 1500],
  [
    'a discount of the item, once',
    of([off(item(price('a', 1000)), discount({ duration: 'once', percent_off: 25 }))]),
    1000,
  ],
  [
    'a discount of the item that has ended',
    of([off(item(price('a', 1000)), discount({ percent_off: 25 }, FROM))]),
    1000,
  ],
  [
    'the discount of the item, and then that of the subscription',
    of([off(item(price('a', 1000)), discount({ amount_off: 200 }))], [discount({ percent_off: 50 })]),
    400,
  ],
  ['a discount for ever', of([item(price('a', 1000))], [discount({ percent_off: 25 })]), 750],
  [
    'a discount that repeats',
    of([item(price('a', 1000))], [discount({ duration: 'repeating', percent_off: 50 }, dayOf(60))]),
    500,
  ],
  [
    'a discount that has ended',
    of([item(price('a', 1000))], [discount({ duration: 'repeating', percent_off: 50 }, FROM)]),
    1000,
  ],
  ['a discount once', of([item(price('a', 1000))], [discount({ duration: 'once', percent_off: 50 })]), 1000],
  ['a discount that is not expanded', of([item(price('a', 1000))], ['di_1']), 1000],
  ['more than it costs', of([item(price('a', 1000))], [discount({ amount_off: 5000 })]), 0],
  [
    'another product',
    of(
      [item(price('a', 1000, { product: 'prod_a' }))],
      [discount({ percent_off: 50, applies_to: { products: ['prod_b'] } })],
    ),
    1000,
  ],
  ['two discounts', of([item(price('a', 1000))], [discount({ percent_off: 50 }), discount({ amount_off: 100 })]), 400],
  ['tiers by volume: 5 units', of([item(tiered('volume'), 5)]), 500],
  ['tiers by volume: 6 units', of([item(tiered('volume'), 6)]), 980],
  ['graduated tiers: 12 units', of([item(tiered('graduated'), 12)]), 500 + 400 + 500 + 100],
]
describe('the price of a period', () => {
  for (const [name, sold, cents] of cases) test(name, () => expect(firstOf(sold)).toBe(cents))
})

test('an amount off is divided in proportion to the items, to the last cent', () => {
  expect(pricesOf(of([item(price('a', 999)), item(price('b', 499))], [discount({ amount_off: 100 })]))).toEqual([
    [999 - 67, 'P1M', undefined],
    [499 - 33, 'P1M', undefined],
  ])
})
test('a discount of an item is no discount of another', () => {
  const items = [off(item(price('a', 1000)), discount({ amount_off: 400 })), item(price('b', 600))]
  expect(pricesOf(of(items)).map(([cents]) => cents)).toEqual([600, 600])
  expect(pricesOf(of(items, [discount({ amount_off: 100 })])).map(([cents]) => cents)).toEqual([550, 550])
})
test('the period is that of the price', () => {
  const recurring = { interval: 'month', interval_count: 3, usage_type: 'licensed' }
  expect(pricesOf(of([item(price('a', 999, { recurring }))]))).toEqual([[999, 'P3M', undefined]])
})
describe('the price after it', () => {
  test('is that of the next phase of a schedule, from the end of the period', () => {
    const sold = of([item(price('a', 7999), 2)])
    const next = itemPrice(sold, sold.items.data[0] ?? expect.unreachable(), price('b', 999), NOW)
    expect(next.priceAfter).toEqual({ price: { amountMicros: 19_980_000, currency: 'USD' }, from: dayOf(30) * 1000 })
  })
  test('is the full price when a repeating discount ends', () => {
    const sold = of([item(price('a', 1000))], [discount({ duration: 'repeating', percent_off: 50 }, dayOf(60))])
    expect(itemPrice(sold, sold.items.data[0] ?? expect.unreachable(), null, NOW)).toEqual({
      recurring: { price: { amountMicros: 5_000_000, currency: 'USD' }, period: 'P1M' },
      priceAfter: { price: { amountMicros: 10_000_000, currency: 'USD' }, from: dayOf(60) * 1000 },
    })
  })
  test('is the full price when the discount of the item ends', () => {
    const sold = of([off(item(price('a', 1000)), discount({ duration: 'repeating', percent_off: 50 }, dayOf(60)))])
    const { priceAfter } = itemPrice(sold, sold.items.data[0] ?? expect.unreachable(), null, NOW)
    expect(priceAfter).toEqual({ price: { amountMicros: 10_000_000, currency: 'USD' }, from: dayOf(60) * 1000 })
  })
})
