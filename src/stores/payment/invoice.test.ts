import { describe, expect, test } from 'bun:test'
import { readPaidPeriod } from './invoice'
import type { Invoice, InvoiceLine, Subscription } from './shapes'
import { classic, dayOf, FROM, invoice, line, onTrial, subscription } from './shapes.fixtures'

const partOf = (made: Invoice, of = subscription) => readPaidPeriod(made, of)?.part ?? null

test('a paid invoice is a transaction over the period of its line', () => {
  expect(readPaidPeriod(invoice([line()]), subscription)).toEqual({
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
  expect(readPaidPeriod(late, subscription)).toMatchObject({
    paidAt: dayOf(3) * 1000,
    part: { purchaseDate: FROM * 1000 },
  })
})

test('one without a date of its payment is dated by its making', () => {
  const undated = invoice([line()], { status_transitions: { paid_at: null } })
  expect(readPaidPeriod(undated, subscription)?.paidAt).toBe(FROM * 1000)
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
    ['of a change, the charge and not the credit', [credit, charge], 'price_2', 30],
    ['of a change, in whatever order', [charge, credit], 'price_2', 30],
    [
      'of a change for nothing, the charge',
      [
        { ...charge, amount: 0 },
        { ...credit, amount: 0 },
      ],
      'price_2',
      30,
    ],
    ['of a change in classic billing', [classic(charge), classic(credit)], 'price_2', 30],
    [
      'of a change whose credit is not marked',
      [charge, line({ amount: -500, from: 15, isProration: true })],
      'price_2',
      30,
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
    for (const lines of [[line()], [charge, credit], [line(), charge]])
      expect(partOf(invoice(lines), changed)).toEqual(partOf(invoice(lines)))
  })
})

describe('no transaction', () => {
  const byHand = { ...line(), parent: { subscription_item_details: null, invoice_item_details: null } }
  const extra = classic(line())
  const cases: [name: string, made: Invoice][] = [
    ['of an open invoice', invoice([line()], { status: 'open' })],
    ['of a draft', invoice([line()], { status: 'draft' })],
    ['of a void one', invoice([line()], { status: 'void' })],
    ['of one of no status', invoice([line()], { status: null })],
    ['of another subscription', invoice([line()], { parent: { subscription_details: { subscription: 'sub_2' } } })],
    ['of no subscription', invoice([line()], { parent: { subscription_details: null } })],
    ['of no source', invoice([line()], { parent: null })],
    ['without lines', invoice([])],
    ['of a credit alone', invoice([line({ amount: -500, isCredit: true })], { amount_paid: 0 })],
    ['of an extra charge', invoice([extra])],
    ['of a line from nowhere', invoice([byHand, { ...line(), parent: null }])],
    [
      'of a line without a price',
      invoice([
        { ...line(), pricing: null },
        { ...line(), pricing: {} },
      ]),
    ],
  ]
  for (const [name, made] of cases) test(name, () => expect(readPaidPeriod(made, subscription)).toBeNull())
})

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
