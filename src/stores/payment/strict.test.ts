import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { subscribe } from '../../test-store/stores/payment-billing'
import { completeCheckout, openCheckout } from '../../test-store/stores/payment-checkout'
import { creditLines } from '../../test-store/stores/payment-credit-notes'
import { chargeOfInvoice, closeDispute, openDispute } from '../../test-store/stores/payment-returns'
import { getFrom } from '../../test-store/stores/payment-world'
import { decodePayment, type PaymentFacts } from './decode'
import { readEvent } from './event'
import { gatherFacts } from './gather'
import { idOf } from './shapes'
import { START, TestStore } from './world.fixtures'

const SEED = 20261120
const TOLD = { fetchedAt: START, eventAt: START, providerGraceDays: 7, pausedCollection: 'access' } as const

/** Facts of a subscription with a refund and a lost dispute, and of a one-time payment; a fresh copy at each call. */
async function facts(): Promise<{ subscription: PaymentFacts; oneTime: PaymentFacts }> {
  const store = new TestStore()
  const { latest_invoice } = subscribe(store.world, { priceId: 'price_monthly' })
  const chargeId = chargeOfInvoice(store.world, String(latest_invoice))
  const [line] = getFrom(store.world.invoices, String(latest_invoice)).lines.data
  creditLines(store.world, String(latest_invoice), [{ lineId: line?.id ?? '', amount: 100 }])
  closeDispute(store.world, openDispute(store.world, chargeId).id, 'lost')
  const subscription = await gathered(store, 'charge.dispute.closed')
  const params = { customer: null, successUrl: null, cancelUrl: null, metadata: {}, saleMetadata: {}, trialDays: 0 }
  completeCheckout(store.world, openCheckout(store.world, { mode: 'payment', priceId: 'price_coins', ...params }).id)
  return { subscription, oneTime: await gathered(store, 'checkout.session.completed') }
}

async function gathered(store: TestStore, type: string): Promise<PaymentFacts> {
  const { subject } = readEvent(store.world.events.findLast((one) => one.type === type)) ?? { subject: null }
  const result = subject && (await gatherFacts(store.reader, subject))
  if (!result?.ok || !result.facts) throw new Error(`Nothing was gathered for ${type}`)
  return result.facts
}

type Json = Record<string, unknown>

/** Sets the member at a path through plain objects and arrays; `undefined` deletes it. */
function put(object: unknown, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const holder = names.reduce<unknown>((held, name) => (held as Json)[name], object) as Json
  if (value === undefined) delete holder[last]
  else holder[last] = value
}

const itemOf = (subscription_item: unknown) => ({ id: 'ii_1', parent: { subscription_details: { subscription_item } } })

describe('a member of a wrong type', () => {
  const cases: [kind: 'subscription' | 'oneTime', path: string, value: unknown, field: string][] = [
    ['subscription', 'sale.subscription.id', 7, 'subscription.id'],
    ['subscription', 'sale.subscription.id', 'has space', 'subscription.id'],
    ['subscription', 'sale.subscription.id', '', 'subscription.id'],
    ['subscription', 'sale.subscription.status', null, 'subscription.status'],
    ['subscription', 'sale.subscription.livemode', 'true', 'subscription.livemode'],
    ['subscription', 'sale.subscription.customer', null, 'subscription.customer'],
    ['subscription', 'sale.subscription.metadata', { a: 1 }, 'subscription.metadata'],
    ['subscription', 'sale.subscription.start_date', '1795161600', 'subscription.start_date'],
    ['subscription', 'sale.subscription.start_date', 1.5, 'subscription.start_date'],
    ['subscription', 'sale.subscription.start_date', -1, 'subscription.start_date'],
    ['subscription', 'sale.subscription.cancel_at', 'soon', 'subscription.cancel_at'],
    ['subscription', 'sale.subscription.cancel_at_period_end', 1, 'subscription.cancel_at_period_end'],
    ['subscription', 'sale.subscription.cancellation_details', 'gone', 'subscription.cancellation_details'],
    ['subscription', 'sale.subscription.ended_at', undefined, 'subscription.ended_at'],
    ['subscription', 'sale.subscription.items', { data: [] }, 'subscription.items'],
    ['subscription', 'sale.subscription.items', [], 'subscription.items'],
    ['subscription', 'sale.subscription.items.data.0.current_period_end', undefined, 'subscription.items'],
    ['subscription', 'sale.subscription.items.data.0.price', 'price_monthly', 'subscription.items'],
    ['subscription', 'sale.subscription.latest_invoice', 7, 'subscription.latest_invoice'],
    ['subscription', 'sale.subscription.pause_collection', true, 'subscription.pause_collection'],
    ['subscription', 'sale.subscription.trial_start', {}, 'subscription.trial_start'],
    ['subscription', 'sale.subscription.trial_end', 8_000_000_000_000, 'subscription.trial_end'],
    ['subscription', 'sale.subscription', null, 'subscription.object'],
    ['subscription', 'sale.subscription', 'sub_1', 'subscription.object'],
    ['subscription', 'sale.invoices.0', [], 'invoice.object'],
    ['subscription', 'sale.invoices.0.id', undefined, 'invoice.id'],
    ['subscription', 'sale.invoices.0.amount_paid', '999', 'invoice.amount_paid'],
    ['subscription', 'sale.invoices.0.amount_paid', 9.99, 'invoice.amount_paid'],
    ['subscription', 'sale.invoices.0.amount_paid', -1, 'invoice.amount_paid'],
    ['subscription', 'sale.invoices.0.currency', 'dollar', 'invoice.currency'],
    ['subscription', 'sale.invoices.0.status_transitions', null, 'invoice.status_transitions'],
    ['subscription', 'sale.invoices.0.parent', 'sub_1', 'invoice.parent'],
    ['subscription', 'sale.invoices.0.lines', [], 'invoice.lines'],
    ['subscription', 'sale.invoices.0.lines.data.0.period', null, 'invoice.lines'],
    ['subscription', 'sale.invoices.0.lines.data.0.amount', '999', 'invoice.lines'],
    ['subscription', 'sale.session', 7, 'session.object'],
    ['subscription', 'returned.charge', null, 'charge.object'],
    ['subscription', 'returned.charge.amount', null, 'charge.amount'],
    ['subscription', 'returned.charge.amount_refunded', '0', 'charge.amount_refunded'],
    ['subscription', 'returned.charge.refunded', 'false', 'charge.refunded'],
    ['subscription', 'returned.refunds.0.amount', '100', 'refund.amount'],
    ['subscription', 'returned.refunds.0.created', null, 'refund.created'],
    ['subscription', 'returned.refunds.0.status', 7, 'refund.status'],
    ['subscription', 'sale.invoices.0.lines.data.0.id', undefined, 'invoice.lines'],
    ['subscription', 'sale.invoiceItems', [{}], 'invoiceitem.id'],
    ['subscription', 'sale.invoiceItems', [{ id: 'ii_1' }], 'invoiceitem.parent'],
    ['subscription', 'sale.invoiceItems', [itemOf(7)], 'invoiceitem.parent'],
    ['subscription', 'returned.creditNotes.0.status', null, 'credit_note.status'],
    ['subscription', 'returned.creditNotes.0.lines.data.0.amount', 1.5, 'credit_note.lines'],
    ['subscription', 'returned.creditNotes.0.refunds.0.refund', 7, 'credit_note.refunds'],
    ['subscription', 'returned.dispute.status', null, 'dispute.status'],
    ['subscription', 'returned.dispute.amount', '999', 'dispute.amount'],
    ['oneTime', 'sale.paymentIntent.amount_received', '499', 'payment_intent.amount_received'],
    ['oneTime', 'sale.paymentIntent.currency', 'us', 'payment_intent.currency'],
    ['oneTime', 'sale.paymentIntent.metadata', null, 'payment_intent.metadata'],
    ['oneTime', 'sale.paymentIntent.latest_charge', { id: 'ch_1' }, 'payment_intent.latest_charge'],
    ['oneTime', 'sale.paymentIntent', [], 'payment_intent.object'],
    ['oneTime', 'sale.session.mode', null, 'session.mode'],
    ['oneTime', 'sale.session.line_items', 'coins', 'session.line_items'],
    ['oneTime', 'sale.session.payment_status', undefined, 'session.payment_status'],
  ]
  for (const [kind, path, value, field] of cases)
    test(`${path} = ${JSON.stringify(value)}`, async () => {
      const made = (await facts())[kind]
      put(made, path, value)
      expect(decodePayment(made, TOLD)).toEqual({ ok: false, reason: 'malformed', field })
    })
})

describe('what a later version may bring', () => {
  const cases: [kind: 'subscription' | 'oneTime', path: string, value: unknown][] = [
    ['subscription', 'sale.subscription.new_member', { deep: [1] }],
    ['subscription', 'sale.subscription.cancellation_details.reason', 'boredom'],
    ['subscription', 'sale.subscription.status_details', undefined],
    ['subscription', 'sale.subscription.customer', { id: 'cus_1', object: 'customer' }],
    ['subscription', 'sale.invoices.0.billing_reason', 'subscription_gift'],
    ['subscription', 'sale.invoices.0.billing_reason', null],
    ['subscription', 'sale.invoices.0.lines.data.0.pricing.type', 'auction'],
    ['subscription', 'returned.refunds.0.status', 'evaporated'],
    ['subscription', 'sale.invoiceItems', [itemOf('si_1')]],
    ['subscription', 'sale.invoiceItems', [{ id: 'ii_1', parent: null }]],
    ['subscription', 'sale.invoiceItems', [{ id: 'ii_1', parent: { subscription_details: null, type: 'gift' } }]],
    ['subscription', 'returned.creditNotes.0.status', 'settled'],
    ['subscription', 'returned.creditNotes.0.refunds.0.refund', null],
    ['subscription', 'returned.creditNotes.0.lines.data.0.invoice_line_item', undefined],
    ['subscription', 'returned.dispute.status', 'settled'],
    ['oneTime', 'sale.session.payment_status', 'paid_in_kind'],
    ['oneTime', 'sale.paymentIntent.latest_charge', 'ch_1'],
  ]
  for (const [kind, path, value] of cases)
    test(`${path} = ${JSON.stringify(value)} is read`, async () => {
      const made = (await facts())[kind]
      put(made, path, value)
      expect(decodePayment(made, TOLD).ok).toBe(true)
    })
})

describe(`nothing throws (seed ${SEED})`, () => {
  const anyJson = fc.jsonValue({ maxDepth: 4 })

  test('whatever the objects are', () => {
    const anyFacts: fc.Arbitrary<PaymentFacts> = fc.record({
      sale: fc.oneof(
        fc.record({
          kind: fc.constant('SUBSCRIPTION' as const),
          subscription: anyJson,
          invoices: fc.array(anyJson),
          invoiceItems: fc.array(anyJson),
          schedule: anyJson,
          session: anyJson,
        }),
        fc.record({
          kind: fc.constant('ONE_TIME' as const),
          paymentIntent: anyJson,
          session: anyJson,
          invoice: anyJson,
        }),
      ),
      returned: fc.option(
        fc.record({
          charge: anyJson,
          refunds: fc.array(anyJson),
          creditNotes: fc.array(anyJson),
          dispute: anyJson,
          invoiceId: fc.option(fc.string()),
        }),
      ),
    })
    const law = fc.property(anyFacts, (made) => expect(decodePayment(made, TOLD).ok).toBe(false))
    fc.assert(law, { seed: SEED, numRuns: 2000 })
  })

  test('whichever member of real objects is something else', async () => {
    const made = await facts()
    const paths = [made.subscription, made.oneTime].map(pathsOf)
    const change = fc.record({
      isOneTime: fc.boolean(),
      at: fc.nat(),
      value: fc.oneof(anyJson, fc.constant(undefined)),
    })
    const law = fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const copy = structuredClone(made)
      for (const { isOneTime, at, value } of changes) {
        const known = paths[isOneTime ? 1 : 0] ?? []
        tryPut(isOneTime ? copy.oneTime : copy.subscription, known[at % known.length] ?? '', value)
      }
      for (const one of [copy.subscription, copy.oneTime]) expect(() => decodePayment(one, TOLD)).not.toThrow()
    })
    fc.assert(law, { seed: SEED, numRuns: 2000 })
  })

  test('whatever the event is', () => {
    const anyEvent = fc.oneof(
      anyJson,
      fc.record({
        id: anyJson,
        object: fc.constant('event'),
        type: fc.oneof(anyJson, fc.constantFrom('invoice.paid', 'charge.dispute.closed', 'refund.failed')),
        created: fc.oneof(anyJson, fc.nat()),
        livemode: fc.oneof(anyJson, fc.boolean()),
        data: fc.oneof(anyJson, fc.record({ object: anyJson })),
      }),
    )
    const law = fc.property(anyEvent, (value) => expect(() => readEvent(value)).not.toThrow())
    fc.assert(law, { seed: SEED, numRuns: 2000 })
  })
})

/** Paths of all members inside the objects of a sale. */
function pathsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...pathsOf(member).map((path) => `${name}.${path}`)])
}

/** Only inside an object of the provider. A member that an earlier change removed has no members. */
function tryPut(object: PaymentFacts, path: string, value: unknown): void {
  if (
    !/^(sale\.(subscription|paymentIntent|session|(invoices|invoiceItems)\.\d+)|returned\.(charge|dispute|(refunds|creditNotes)\.\d+))\./.test(
      path,
    )
  )
    return
  try {
    put(object, path, value)
  } catch {
    // The member does not exist.
  }
}

test('a reference is an id, or the object that it names', () => {
  expect(['cus_1', { id: 'cus_1' }].map(idOf)).toEqual(['cus_1', 'cus_1'])
})
