import { describe, expect, test } from 'bun:test'
import { readPaidItems } from './invoice'
import { type ItemNames, readItemNames } from './invoice-items'
import type { Invoice, InvoiceItem, InvoiceLine, Subscription } from './shapes'
import { classic, dayOf, FROM, invoice, line, onTrial, subscription } from './shapes.fixtures'

/** The charge of a period of the first item. */
function paidPeriod(made: Invoice, of = subscription) {
  const [first] = readPaidItems(made, of, new Map()).filter(({ lineKey }) => lineKey === 'si_1')
  return first?.charge.kind === 'PERIOD' ? { paidAt: first.paidAt, ...first.charge } : null
}

const partOf = (made: Invoice, of = subscription) => paidPeriod(made, of)?.part ?? null

/** What an invoice charged: the item, the kind and the micros. */
const chargedOf = (made: Invoice, of: Subscription = subscription, names: ItemNames = new Map()) =>
  readPaidItems(made, of, names).map(({ lineKey, charge }) => [
    lineKey,
    charge.kind,
    (charge.kind === 'PERIOD' ? charge.part.price : charge.adjustment.price)?.amountMicros,
  ])

test('a paid invoice is a transaction over the period of its line', () => {
  expect(paidPeriod(invoice([line()]))).toEqual({
    kind: 'PERIOD',
    paidAt: (FROM + 1) * 1000,
    endsAt: dayOf(30) * 1000,
    part: {
      transactionId: 'in_1',
      storeProductId: 'price_1',
      purchaseDate: FROM * 1000,
      originalPurchaseDate: FROM * 1000,
      expiresAt: dayOf(30) * 1000,
      isTrial: false,
      isIntroOffer: false,
      offerId: null,
      price: { amountMicros: 9_990_000, currency: 'USD' },
      quantity: 1,
      ownershipType: 'PURCHASED',
      reason: 'PURCHASE',
    },
  })
})

test('one paid days after it was made is told when it was paid, and bought when its period began', () => {
  const late = invoice([line()], { status_transitions: { paid_at: dayOf(3) } })
  expect(paidPeriod(late)).toMatchObject({
    paidAt: dayOf(3) * 1000,
    part: { purchaseDate: FROM * 1000 },
  })
})

test('one without a date of its payment is dated by its making', () => {
  const undated = invoice([line()], { status_transitions: { paid_at: null } })
  expect(paidPeriod(undated)?.paidAt).toBe(FROM * 1000)
})

test('the country of the customer is that of the billing address, where it is one', () => {
  const countryOf = (address: { country?: string | null } | null) =>
    partOf(invoice([line()], { customer_address: address }))?.country
  expect(countryOf({ country: 'TR' })).toBe('TR')
  for (const none of [null, {}, { country: null }, { country: 'Turkey' }, { country: 'XX' }])
    expect(countryOf(none)).toBeUndefined()
})

describe('why it was made', () => {
  const cases: [reason: string | null, told: 'PURCHASE' | 'RENEWAL'][] = [
    ['subscription_create', 'PURCHASE'],
    ['subscription_cycle', 'RENEWAL'],
    ['subscription_update', 'PURCHASE'],
    ['subscription_threshold', 'RENEWAL'],
    ['subscription', 'RENEWAL'],
    ['quote_accept', 'PURCHASE'],
    ['manual', 'PURCHASE'],
    ['a_reason_of_2030', 'PURCHASE'],
    [null, 'PURCHASE'],
  ]
  for (const [billing_reason, reason] of cases)
    test(`${billing_reason} is a ${reason}`, () => {
      expect(partOf(invoice([line()], { billing_reason }))?.reason).toBe(reason)
    })
})

describe('which line sells the period', () => {
  const period = line({ from: 30, to: 60 })
  const credit = line({ amount: -500, from: 15, isCredit: true })
  const charge = line({ price: 'price_2', amount: 1000, from: 15, isProration: true })
  const cases: [name: string, lines: InvoiceLine[], price: string, end: number][] = [
    ['the only one', [line()], 'price_1', 30],
    ['not the prorations that a cycle carries along', [charge, credit, period], 'price_1', 60],
    [
      'not a proration that lasts longer',
      [{ ...charge, period: { start: dayOf(15), end: dayOf(365) } }, period],
      'price_1',
      60,
    ],
    ['of two items the first', [line(), line({ item: 'si_2', price: 'price_extra', to: 365 })], 'price_1', 30],
    ['of several periods the last', [line(), period, line()], 'price_1', 60],
  ]
  for (const [name, lines, price, end] of cases)
    test(name, () => {
      const part = partOf(invoice(lines))
      expect([part?.storeProductId, part?.expiresAt]).toEqual([price, dayOf(end) * 1000])
    })

  test('does not depend on the price that the item has by now', () => {
    const [item] = subscription.items.data
    const changed = { ...subscription, items: { data: item ? [{ ...item, price: { id: 'price_2' } }] : [] } }
    for (const lines of [[line()], [line(), charge]])
      expect(partOf(invoice(lines), changed)).toEqual(partOf(invoice(lines)))
  })
})

describe('nothing was charged', () => {
  const cases: [name: string, made: Invoice][] = [
    ['by an open invoice', invoice([line()], { status: 'open' })],
    ['by a draft', invoice([line()], { status: 'draft' })],
    ['by a void one', invoice([line()], { status: 'void' })],
    ['by one of no status', invoice([line()], { status: null })],
    [
      'by one of another subscription',
      invoice([line()], { parent: { subscription_details: { subscription: 'sub_2' } } }),
    ],
    ['by one of no subscription', invoice([line()], { parent: { subscription_details: null } })],
    ['by one of no source', invoice([line()], { parent: null })],
    ['by one without lines', invoice([])],
    ['by a credit alone', invoice([line({ amount: -500, isCredit: true })], { amount_paid: 0 })],
    ['by a proration that a balance paid', invoice([line({ isProration: true })], { amount_paid: 0 })],
  ]
  for (const [name, made] of cases) test(name, () => expect(chargedOf(made)).toEqual([]))
})

describe('a charge within a period is an ADJUSTMENT', () => {
  const credit = line({ amount: -500, from: 15, isCredit: true })
  const charge = line({ amount: 1000, from: 15, isProration: true })
  const byHand = { ...line(), parent: { subscription_item_details: null, invoice_item_details: null } }
  const cases: [name: string, lines: InvoiceLine[]][] = [
    ['of more seats', [credit, charge]],
    ['of more seats in classic billing', [classic(credit), classic(charge)]],
    [
      'of a change, whose old price no item has',
      [classic(line({ price: 'price_0', amount: -500, from: 15 })), classic(charge)],
    ],
    ['by hand', [byHand]],
    ['of an extra item', [classic(line())]],
    ['of a line without a source', [{ ...line(), parent: null }]],
    ['of a line without a price', [{ ...line(), pricing: null }]],
  ]
  for (const reason of ['subscription_update', 'subscription_cycle', 'subscription_create', 'manual'])
    for (const [name, lines] of cases)
      test(`${name}, by ${reason}`, () => {
        const made = invoice(lines, { billing_reason: reason, amount_paid: 500 })
        expect(chargedOf(made)).toEqual([['si_1', 'ADJUSTMENT', 5_000_000]])
      })
})

describe('an invoice of several items', () => {
  const [item] = subscription.items.data
  const addon = {
    ...item,
    id: 'si_2',
    price: { id: 'price_2' },
    current_period_start: FROM,
    current_period_end: dayOf(30),
  }
  const two: Subscription = { ...subscription, items: { data: [...subscription.items.data, addon] } }
  const second = line({ item: 'si_2', price: 'price_2', amount: 499 })

  test('is a charge of each', () => {
    expect(chargedOf(invoice([line(), second], { amount_paid: 1498 }), two)).toEqual([
      ['si_1', 'PERIOD', 9_990_000],
      ['si_2', 'PERIOD', 4_990_000],
    ])
  })
  test('divides a discount, a tax and a balance among them', () => {
    expect(chargedOf(invoice([line(), second], { amount_paid: 749 }), two)).toEqual([
      ['si_1', 'PERIOD', 5_000_000],
      ['si_2', 'PERIOD', 2_490_000],
    ])
  })
  test('that a balance paid charges 0, and is the charge of the period', () => {
    expect(chargedOf(invoice([line(), second], { amount_paid: 0 }), two)).toEqual([
      ['si_1', 'PERIOD', 0],
      ['si_2', 'PERIOD', 0],
    ])
  })
  test('that adds one within a period is an ADJUSTMENT of that one', () => {
    const added = classic(line({ price: 'price_2', amount: 250, from: 15, isProration: true }))
    expect(chargedOf(invoice([added], { amount_paid: 250 }), two)).toEqual([['si_2', 'ADJUSTMENT', 2_500_000]])
  })
  test('whose prorations come with a period is one charge of the item', () => {
    const lines = [line({ amount: 500, from: 15, isProration: true }), line({ from: 30, to: 60 }), second]
    expect(chargedOf(invoice(lines, { amount_paid: 1998 }), two)).toEqual([
      ['si_1', 'PERIOD', 14_990_000],
      ['si_2', 'PERIOD', 4_990_000],
    ])
  })
  test('a credit of an old price belongs to the item that changed', () => {
    const credit = classic(line({ price: 'price_0', amount: -250, from: 15, isCredit: true }))
    const charge = classic(line({ price: 'price_2', amount: 400, from: 15, isProration: true }))
    expect(chargedOf(invoice([credit, charge], { amount_paid: 150 }), two)).toEqual([['si_2', 'ADJUSTMENT', 1_500_000]])
  })
  test('an item that was removed keeps what it paid', () => {
    expect(chargedOf(invoice([line(), second], { amount_paid: 1498 }))).toEqual([
      ['si_1', 'PERIOD', 9_990_000],
      ['si_2', 'PERIOD', 4_990_000],
    ])
  })
})

describe('a proration in classic billing is of the item that its invoice item names', () => {
  const names = readItemNames([
    itemOf('ii_1', 'si_9'),
    itemOf('ii_2', 'si_1'),
    itemOf('ii_3'),
    { id: 'ii_4', parent: null },
  ])
  const moved: Subscription = {
    ...subscription,
    items: { data: subscription.items.data.map((one) => ({ ...one, id: 'si_7' })) },
  }
  const charge = line({ amount: 1000, from: 15, isProration: true })
  const cases: [name: string, lines: InvoiceLine[], of: Subscription, charged: [string, string, number][]][] = [
    ['whichever item has its price now', [classic(charge)], subscription, [['si_9', 'ADJUSTMENT', 5_000_000]]],
    ['also when that item is gone', [classic(charge, 'ii_2')], moved, [['si_1', 'ADJUSTMENT', 5_000_000]]],
    [
      'and its credit may be of another one',
      [classic(line({ amount: -500, from: 15, isCredit: true }), 'ii_2'), classic(charge)],
      subscription,
      [['si_9', 'ADJUSTMENT', 5_000_000]],
    ],
    ['but where it names none', [classic(charge, 'ii_3')], subscription, [['si_1', 'ADJUSTMENT', 5_000_000]]],
    ['but where it has no parent', [classic(charge, 'ii_4')], subscription, [['si_1', 'ADJUSTMENT', 5_000_000]]],
    ['but where it is not known', [classic(charge, 'ii_5')], subscription, [['si_1', 'ADJUSTMENT', 5_000_000]]],
  ]
  for (const [name, lines, of, charged] of cases)
    test(name, () => expect(chargedOf(invoice(lines, { amount_paid: 500 }), of, names)).toEqual(charged))

  test('and an extra charge by hand is of an item of the invoice before one of now', () => {
    const byHand = classic({ ...line(), id: 'il_2', pricing: null }, 'ii_3')
    const gone = line({ item: 'si_8', price: 'price_8' })
    expect(chargedOf(invoice([byHand, gone]), subscription, names)).toEqual([['si_8', 'PERIOD', 9_990_000]])
    expect(chargedOf(invoice([byHand]), subscription, names)).toEqual([['si_1', 'ADJUSTMENT', 9_990_000]])
  })
})

function itemOf(id: string, subscription_item?: string): InvoiceItem {
  return { id, parent: { subscription_details: { ...(subscription_item !== undefined && { subscription_item }) } } }
}

describe('trial or not', () => {
  const free = { amount_paid: 0 }
  const trial = line({ amount: 0, to: 7 })
  const cases: [name: string, made: Invoice, of: Subscription, isTrial: boolean, isIntroOffer: boolean][] = [
    ['the free invoice of a trial', invoice([trial], free), onTrial, true, false],
    [
      'the same after the trial was prolonged',
      invoice([trial], free),
      { ...onTrial, trial_end: dayOf(14) },
      true,
      false,
    ],
    ['the same after it was cut short', invoice([trial], free), { ...onTrial, trial_end: dayOf(2) }, true, false],
    ['one beside a fee', invoice([trial, classic(line({ amount: 100 }))], { amount_paid: 100 }), onTrial, false, true],
    ['what a coupon made free', invoice([line()], free), subscription, false, false],
    ['what a coupon made free within the dates of a trial', invoice([line()], free), onTrial, false, false],
    ['a free price after the trial', invoice([line({ amount: 0, from: 7, to: 37 })], free), onTrial, false, false],
    [
      'a free price before a later trial',
      invoice([line({ amount: 0, from: -30, to: 0 })], free),
      onTrial,
      false,
      false,
    ],
    ['the first charge after it', invoice([line({ from: 7, to: 37 })]), onTrial, false, false],
  ]
  for (const [name, made, of, isTrial, isIntroOffer] of cases)
    test(name, () => expect(partOf(made, of)).toMatchObject({ isTrial, isIntroOffer }))
})

test('a quantity of none is one', () => {
  for (const quantity of [null, 0]) expect(partOf(invoice([{ ...line(), quantity }]))?.quantity).toBe(1)
  expect(partOf(invoice([{ ...line(), quantity: 5 }]))?.quantity).toBe(5)
})
