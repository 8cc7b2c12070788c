import { describe, expect, test } from 'bun:test'
import { addCustomer, charge, subscribe } from '../../test-store/stores/payment-billing'
import { completeCheckout, openCheckout } from '../../test-store/stores/payment-checkout'
import { billOnce, payBill } from '../../test-store/stores/payment-invoices'
import { setQuantity } from '../../test-store/stores/payment-items'
import { chargeOfIntent, chargeOfInvoice, refundCharge } from '../../test-store/stores/payment-returns'
import { renew } from '../../test-store/stores/payment-turns'
import { getFrom } from '../../test-store/stores/payment-world'
import type { Subject } from './event'
import { type GatherResult, gatherFacts, type PaymentReader } from './gather'
import type { ProviderFailure } from './provider'
import { TestStore } from './world.fixtures'

const ORDER = { customer: null, successUrl: null, cancelUrl: null, metadata: {}, saleMetadata: {}, trialDays: 0 }

/** A subscription with a refund, a one-time payment, and a subject for each kind of event about them. */
function sold() {
  const store = new TestStore()
  const { world } = store
  const session = openCheckout(world, { mode: 'subscription', priceId: 'price_monthly', ...ORDER })
  completeCheckout(world, session.id)
  const subscriptionId = String(session.subscription)
  const invoiceId = String(getFrom(world.subscriptions, subscriptionId).latest_invoice)
  const chargeId = chargeOfInvoice(world, invoiceId)
  refundCharge(world, chargeId, 100)
  const coins = openCheckout(world, { mode: 'payment', priceId: 'price_coins', ...ORDER })
  completeCheckout(world, coins.id)
  const paymentIntentId = String(coins.payment_intent)
  const subjects = {
    subscription: { kind: 'SUBSCRIPTION', subscriptionId },
    invoice: { kind: 'INVOICE', invoiceId },
    session: { kind: 'SESSION', sessionId: session.id },
    order: { kind: 'SESSION', sessionId: coins.id },
    payment: { kind: 'PAYMENT', paymentIntentId },
    refund: { kind: 'CHARGE', chargeId, dispute: null },
    orderRefund: { kind: 'CHARGE', chargeId: chargeOfIntent(world, paymentIntentId), dispute: null },
  } satisfies Record<string, Subject>
  return { store, world, subjects, invoiceId, subscriptionId }
}

describe('what is gathered', () => {
  test('of a subscription: itself and its paid invoices', async () => {
    const { store, subjects, subscriptionId, invoiceId } = sold()
    expect(await gatherFacts(store.reader, subjects.subscription)).toMatchObject({
      ok: true,
      facts: {
        sale: {
          kind: 'SUBSCRIPTION',
          subscription: { id: subscriptionId },
          invoices: [{ id: invoiceId }],
          session: null,
        },
        returned: null,
      },
    })
  })

  test('of an invoice: its subscription, and itself however old it is', async () => {
    const { store, world, subjects, subscriptionId, invoiceId } = sold()
    for (let count = 0; count < 7; count++) renew(world, subscriptionId)
    const result = await gatherFacts(store.reader, subjects.invoice)
    const sale = result.ok && result.facts?.sale.kind === 'SUBSCRIPTION' ? result.facts.sale : null
    expect(sale?.invoices).toHaveLength(6)
    expect(sale?.invoices[0]).toMatchObject({ id: invoiceId })
  })

  test('of a checkout: the session with what came of it', async () => {
    const { store, subjects } = sold()
    const subscribed = await gatherFacts(store.reader, subjects.session)
    expect(subscribed).toMatchObject({
      facts: { sale: { kind: 'SUBSCRIPTION', session: { id: subjects.session.sessionId } } },
    })
    const paid = await gatherFacts(store.reader, subjects.order)
    const intent = { id: subjects.payment.paymentIntentId }
    expect(paid).toMatchObject({ facts: { sale: { kind: 'ONE_TIME', paymentIntent: intent } } })
  })

  test('of a payment: the same as of its checkout', async () => {
    const { store, subjects } = sold()
    const [paid, ordered] = [
      await gatherFacts(store.reader, subjects.payment),
      await gatherFacts(store.reader, subjects.order),
    ]
    expect(paid).toEqual(ordered)
  })

  test('of a refund: the sale that it belongs to', async () => {
    const { store, subjects, invoiceId } = sold()
    const { chargeId } = subjects.refund
    expect(await gatherFacts(store.reader, subjects.refund)).toMatchObject({
      facts: {
        sale: { kind: 'SUBSCRIPTION', invoices: [{ id: invoiceId }, { id: invoiceId }] },
        returned: { charge: { id: chargeId }, refunds: [{ amount: 100 }], dispute: null, invoiceId },
      },
    })
    expect(await gatherFacts(store.reader, subjects.orderRefund)).toMatchObject({
      facts: { sale: { kind: 'ONE_TIME' }, returned: { invoiceId: null } },
    })
  })
})

describe('what is gathered of an invoice of no subscription', () => {
  test('made by hand: the invoice, also for its refund and for its record', async () => {
    const { store, world } = sold()
    const { id } = billOnce(world, { prices: ['price_coins'] })
    payBill(world, getFrom(world.invoices, id))
    const chargeId = chargeOfInvoice(world, id)
    refundCharge(world, chargeId, 100)
    const sale = { kind: 'ONE_TIME', paymentIntent: null, session: null, invoice: { id } }
    expect(await gatherFacts(store.reader, { kind: 'INVOICE', invoiceId: id })).toMatchObject({ facts: { sale } })
    const refunded = { ok: true, facts: { sale, returned: { refunds: [{ amount: 100 }], invoiceId: id } } }
    expect(await gatherFacts(store.reader, { kind: 'CHARGE', chargeId, dispute: null })).toMatchObject(refunded)
    expect(await gatherFacts(store.reader, { kind: 'HELD_INVOICE', invoiceId: id })).toMatchObject(refunded)
  })

  test('made by a checkout: the checkout and its payment', async () => {
    const { store, world } = sold()
    const order = openCheckout(world, { mode: 'payment', priceId: 'price_coins', hasInvoice: true, ...ORDER })
    const { invoice, payment_intent } = completeCheckout(world, order.id)
    const sale = { session: { id: order.id }, paymentIntent: { id: payment_intent }, invoice: { id: invoice } }
    const answer = await gatherFacts(store.reader, { kind: 'INVOICE', invoiceId: String(invoice) })
    expect(answer).toMatchObject({ ok: true, facts: { sale } })
  })

  test('that is open: it has no payment', async () => {
    const { store, world } = sold()
    const { id } = billOnce(world, { prices: ['price_coins'] })
    const sale = { kind: 'ONE_TIME', paymentIntent: null, session: null, invoice: { id } }
    expect(await gatherFacts(store.reader, { kind: 'HELD_INVOICE', invoiceId: id })).toMatchObject({ facts: { sale } })
  })
})

describe('what is not about a sale', () => {
  const nothing = { ok: true, facts: null } as const

  test('a card that is being saved', async () => {
    const { store, world, subjects } = sold()
    getFrom(world.sessions, subjects.session.sessionId).mode = 'setup'
    expect(await gatherFacts(store.reader, subjects.session)).toEqual(nothing)
  })

  test('a checkout of a subscription that is not there yet', async () => {
    const { store, world, subjects } = sold()
    getFrom(world.sessions, subjects.session.sessionId).subscription = null
    expect(await gatherFacts(store.reader, subjects.session)).toEqual(nothing)
  })

  test('a charge without a payment intent', async () => {
    const { store, world, subjects } = sold()
    getFrom(world.charges, subjects.refund.chargeId).payment_intent = null
    expect(await gatherFacts(store.reader, subjects.refund)).toEqual(nothing)
  })
})

const FAILURES: ProviderFailure[] = [
  { ok: false, reason: 'unavailable', cause: 'circuit open' },
  {
    ok: false,
    reason: 'rejected',
    status: 404,
    providerRequestId: 'req_1',
    providerErrorType: 'invalid_request_error',
    providerErrorCode: 'resource_missing',
  },
]

const STEPS: [subject: keyof ReturnType<typeof sold>['subjects'], steps: (keyof PaymentReader)[]][] = [
  ['subscription', ['getSubscription', 'listPaidInvoices']],
  ['invoice', ['getInvoice', 'getSubscription', 'listPaidInvoices']],
  ['session', ['getCheckoutSession', 'getSubscription', 'listPaidInvoices']],
  ['order', ['getCheckoutSession', 'getPaymentIntent']],
  ['payment', ['getPaymentIntent', 'findSessionOfPayment']],
  [
    'refund',
    [
      ...(['getCharge', 'listRefunds', 'findInvoiceOfPayment', 'getInvoice'] as const),
      ...(['getSubscription', 'listPaidInvoices', 'listCreditNotes'] as const),
    ],
  ],
  ['orderRefund', ['getCharge', 'listRefunds', 'findInvoiceOfPayment', 'getPaymentIntent', 'findSessionOfPayment']],
]

describe('a call that fails is the answer, whichever it is', () => {
  for (const [name, steps] of STEPS)
    for (const step of steps)
      test(`${step} for ${name}`, async () => {
        const { store, subjects } = sold()
        // A key may have no right to credit notes, see below.
        for (const failure of step === 'listCreditNotes' ? FAILURES.slice(0, 1) : FAILURES) {
          const reader = { ...store.reader, [step]: () => Promise.resolve(failure) }
          expect(await gatherFacts(reader, subjects[name])).toEqual(failure)
        }
      })

  for (const [name, steps] of STEPS)
    test(`${name} makes no other calls`, async () => {
      const { store, subjects } = sold()
      const called: string[] = []
      const reader = new Proxy(store.reader, {
        get(target, step: keyof PaymentReader) {
          called.push(step)
          return target[step]
        },
      })
      await gatherFacts(reader, subjects[name])
      expect(called).toEqual(steps)
    })
})

describe('invoice items', () => {
  /** A subscription in a billing mode, with a change of its seats. */
  function seated(isFlexible: boolean) {
    const store = new TestStore()
    const { id, items } = subscribe(store.world, { priceId: 'price_monthly', isFlexible })
    const item = items.data[0]?.id ?? ''
    store.days(10)
    const invoice = setQuantity(store.world, id, item, 3)
    const asked: string[] = []
    const reader: PaymentReader = {
      ...store.reader,
      listInvoiceItems: (of) => {
        asked.push(of)
        return store.reader.listInvoiceItems(of)
      },
    }
    return { store, id, item, invoice, asked, reader }
  }
  const itemsIn = (result: GatherResult) =>
    result.ok && result.facts?.sale.kind === 'SUBSCRIPTION' ? result.facts.sale.invoiceItems : null

  test('are those of the paid invoices whose prorations name no item, each invoice once', async () => {
    const { id, item, invoice, asked, reader } = seated(false)
    const parent = { subscription_details: { subscription: id, subscription_item: item } }
    const [subject, named] = [
      { kind: 'SUBSCRIPTION', subscriptionId: id },
      { kind: 'INVOICE', invoiceId: invoice.id },
    ] as const
    for (const about of [subject, named]) {
      expect(itemsIn(await gatherFacts(reader, about))).toMatchObject([{ parent }, { parent }])
      expect(asked.splice(0)).toEqual([invoice.id])
    }
  })

  test('are not asked for in flexible billing, nor while the invoice is open', async () => {
    const flexible = seated(true)
    expect(itemsIn(await gatherFacts(flexible.reader, { kind: 'SUBSCRIPTION', subscriptionId: flexible.id }))).toEqual(
      [],
    )
    const { invoice, asked, reader } = seated(false)
    invoice.status = 'open'
    expect(itemsIn(await gatherFacts(reader, { kind: 'INVOICE', invoiceId: invoice.id }))).toEqual([])
    expect([...flexible.asked, ...asked]).toEqual([])
  })

  test('are left out without the right to read them; an outage is told', async () => {
    const { id, reader } = seated(false)
    const [outage = expect.unreachable(), refusal = expect.unreachable()] = FAILURES
    const about = { kind: 'SUBSCRIPTION', subscriptionId: id } as const
    expect(await gatherFacts({ ...reader, listInvoiceItems: async () => outage }, about)).toEqual(outage)
    expect(itemsIn(await gatherFacts({ ...reader, listInvoiceItems: async () => refusal }, about))).toEqual([])
  })
})

test('without the right to read credit notes a refund is gathered without them', async () => {
  const { store, subjects } = sold()
  const reader = { ...store.reader, listCreditNotes: async () => FAILURES[1] ?? expect.unreachable() }
  const result = await gatherFacts(reader, subjects.refund)
  expect(result).toMatchObject({ ok: true, facts: { returned: { refunds: [{ amount: 100 }], creditNotes: [] } } })
})

describe('an answer that cannot be read is told, not passed over', () => {
  const cases: [subject: keyof ReturnType<typeof sold>['subjects'], step: keyof PaymentReader, field: string][] = [
    ['invoice', 'getInvoice', 'invoice.id'],
    ['session', 'getCheckoutSession', 'session.id'],
    ['refund', 'getCharge', 'charge.id'],
    ['refund', 'getInvoice', 'invoice.id'],
  ]
  for (const [name, step, field] of cases)
    test(`${step} for ${name}`, async () => {
      const { store, subjects } = sold()
      const reader = { ...store.reader, [step]: () => Promise.resolve({ ok: true, value: {} }) }
      expect(await gatherFacts(reader, subjects[name])).toEqual({ ok: false, reason: 'malformed', field })
    })
})

test('a payment without checkout or subscription is gathered without a session', async () => {
  const { world, reader } = new TestStore()
  const intent = charge(world, { amount: 100, currency: 'usd', customer: addCustomer(world).id })
  const result = await gatherFacts(reader, { kind: 'PAYMENT', paymentIntentId: intent.id })
  expect(result).toMatchObject({ facts: { sale: { kind: 'ONE_TIME', session: null } } })
})
