import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { CircuitBreaker } from '../../base/lib/circuit'
import { MINUTE } from '../../base/lib/clock'
import { addCustomer, subscribe } from '../../test-store/stores/payment-billing'
import { completeCheckout } from '../../test-store/stores/payment-checkout'
import { discountItem } from '../../test-store/stores/payment-discounts'
import { setQuantity } from '../../test-store/stores/payment-items'
import { chargeOfInvoice, refundCharge } from '../../test-store/stores/payment-returns'
import { NO_FAULTS, PaymentServer } from '../../test-store/stores/payment-server'
import { renew } from '../../test-store/stores/payment-turns'
import { getFrom } from '../../test-store/stores/payment-world'
import { checkoutIdempotencyKey, checkoutParams, portalParams, toCheckoutView } from './checkout'
import { PaymentClient } from './client'
import type { ProviderParts } from './provider'
import { TestStore } from './world.fixtures'

const KEY = 'sk_test_simulated'

const servers: PaymentServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

/** A simulated provider with one subscription, a server for it and a client of that server. */
function connected(changes: Partial<ProviderParts> = {}, account: string | null = null) {
  const store = new TestStore(account)
  const server = new PaymentServer(store.world, KEY)
  servers.push(server)
  const circuit = new CircuitBreaker()
  const { clock, world } = store
  const parts = { apiUrl: server.url, secretKey: KEY, account, circuit, clock, timeoutMs: MINUTE }
  const { id, latest_invoice } = subscribe(world, { priceId: 'price_monthly' })
  const invoiceId = String(latest_invoice)
  const client = new PaymentClient({ ...parts, ...changes })
  return { store, world, server, circuit, client, id, invoiceId, chargeId: chargeOfInvoice(world, invoiceId) }
}

const only = connected()
const { client, world, server, invoiceId } = only
const lastRequest = () => server.requests.at(-1)

beforeEach(() => {
  server.faults = NO_FAULTS
})

describe('what it reads', () => {
  test('a subscription, with its newest invoice', async () => {
    const answer = await client.getSubscription(only.id)
    expect(answer).toMatchObject({ ok: true, value: { id: only.id, latest_invoice: { id: invoiceId } } })
  })

  test('the discounts of a single item, which are read with the item; an unreadable item is told', async () => {
    const own = connected()
    const [item] = getFrom(own.world.subscriptions, own.id).items.data
    discountItem(own.world, own.id, item?.id ?? '', 25)
    const discounts = [{ source: { coupon: { percent_off: 25, duration: 'forever' } } }]
    const answer = await own.client.getSubscription(own.id)
    expect(answer).toMatchObject({ ok: true, value: { id: own.id, items: { data: [{ id: item?.id, discounts }] } } })
    own.server.faults = { ...NO_FAULTS, reply: ({ path }) => (path.includes('_items/') ? '{}' : null) }
    expect(await own.client.getSubscription(own.id)).toMatchObject({ ok: false, reason: 'malformed' })
  })

  test('the invoice items of an invoice, also more than a page of them, and of no other invoice', async () => {
    const own = connected()
    const item = getFrom(own.world.subscriptions, own.id).items.data[0]?.id ?? ''
    const { id } = setQuantity(own.world, own.id, item, 2)
    setQuantity(own.world, own.id, item, 3)
    const parent = { subscription_details: { subscription: own.id, subscription_item: item } }
    const answer = await own.client.listInvoiceItems(id)
    expect(answer).toMatchObject({
      ok: true,
      value: [
        { invoice: id, parent },
        { invoice: id, parent },
      ],
    })
    const [first = expect.unreachable()] = own.world.invoiceItems.values()
    for (let count = 0; count < 103; count++) own.world.invoiceItems.set(`ii_${count}`, { ...first, id: `ii_${count}` })
    const all = await own.client.listInvoiceItems(id)
    expect(all.ok && new Set(all.value.map((one) => one.id)).size).toBe(105)
  })

  test('an invoice, with its payments', async () => {
    const answer = await client.getInvoice(invoiceId)
    expect(answer).toMatchObject({ ok: true, value: { payments: { data: [{ invoice: invoiceId, status: 'paid' }] } } })
  })

  test('all lines of an invoice, of which ten come along', async () => {
    const invoice = getFrom(world.invoices, invoiceId)
    const [line] = invoice.lines.data
    if (!line) throw new Error('An invoice has a line')
    const data = Array.from({ length: 230 }, (_, index) => ({ ...line, id: `il_${index}` }))
    world.invoices.set('in_long', { ...invoice, id: 'in_long', lines: { ...invoice.lines, data } })
    for (const answer of [await client.getInvoice('in_long'), await client.listPaidInvoices(only.id)]) {
      const found = answer.ok ? [answer.value].flat().find(({ id }) => id === 'in_long') : null
      expect(found?.lines.data.map(({ id }) => id)).toEqual(data.map(({ id }) => id))
    }
    world.invoices.delete('in_long')
  })

  test('the paid invoices of a subscription, newest first', async () => {
    const own = connected()
    const renewals = [1, 2].map(() => renew(own.world, own.id).id)
    own.world.invoices.set('in_open', { ...getFrom(own.world.invoices, own.invoiceId), id: 'in_open', status: 'open' })
    const answer = await own.client.listPaidInvoices(own.id)
    expect(answer.ok && answer.value.map(({ id }) => id)).toEqual([...renewals.toReversed(), own.invoiceId])
  })

  test('the invoice that a payment is of, or none', async () => {
    const intent = String(getFrom(world.charges, only.chargeId).payment_intent)
    expect(await client.findInvoiceOfPayment(intent)).toEqual({ ok: true, value: invoiceId })
    expect(await client.findInvoiceOfPayment('pi_other')).toEqual({ ok: true, value: null })
  })

  test('a payment intent with its charge, and the checkout that it came from', async () => {
    const params = { productType: 'CONSUMABLE', priceId: 'price_coins', customerId: null, owner } as const
    const opened = await client.createCheckoutSession(checkoutParams({ ...params, ...URLS }), 'once')
    if (!opened.ok) throw new Error('No session')
    const intent = String(completeCheckout(world, opened.value.id).payment_intent)
    expect(await client.getPaymentIntent(intent)).toMatchObject({ value: { latest_charge: { amount: 499 } } })
    const items = { line_items: { data: [{ price: { id: 'price_coins' } }] } }
    expect(await client.findSessionOfPayment(intent)).toMatchObject({ value: { id: opened.value.id, ...items } })
    expect(await client.getCheckoutSession(opened.value.id)).toMatchObject({ value: items })
    expect(await client.findSessionOfPayment('pi_other')).toEqual({ ok: true, value: null })
  })

  test('a charge and its refunds', async () => {
    const own = connected()
    const refund = refundCharge(own.world, own.chargeId, 100)
    expect(await own.client.getCharge(own.chargeId)).toMatchObject({ value: { amount_refunded: 100 } })
    expect(await own.client.listRefunds(own.chargeId)).toMatchObject({ value: [{ id: refund.id, amount: 100 }] })
  })

  test('a price', async () => {
    expect(await client.getPrice('price_yen')).toMatchObject({ value: { currency: 'jpy', unit_amount: 1200 } })
  })
})

const owner = { subscriberId: 'sub_1', deviceKey: 'svc_1', presentedContext: null }
const URLS = { successUrl: 'https://app.example.com/thanks', cancelUrl: 'https://app.example.com/' }
const ORDER = { owner, productType: 'SUBSCRIPTION', priceId: 'price_monthly', customerId: null, ...URLS } as const

describe('what it changes', () => {
  test('a checkout, under its idempotency key', async () => {
    const key = checkoutIdempotencyKey('prj_1', 'sub_1', 'once')
    const first = await client.createCheckoutSession(checkoutParams(ORDER), key)
    const again = await client.createCheckoutSession(checkoutParams(ORDER), key)
    expect(first.ok && again.ok && first.value.id === again.value.id).toBe(true)
    expect(lastRequest()).toMatchObject({
      idempotencyKey: key,
      form: {
        mode: 'subscription',
        metadata: { svc_subscriber_id: 'sub_1', svc_device_key: 'svc_1' },
        subscription_data: { metadata: { svc_subscriber_id: 'sub_1', svc_device_key: 'svc_1' } },
      },
    })
    const view = first.ok ? toCheckoutView(first.value) : null
    expect(view).toMatchObject({
      object: 'checkout.session',
      url: expect.stringMatching(/^https:/),
      sessionId: view?.id,
    })
    expect(JSON.stringify(view)).not.toContain('secret')
  })

  test('the key with another order is a refusal', async () => {
    await client.createCheckoutSession(checkoutParams(ORDER), 'used')
    const other = await client.createCheckoutSession(checkoutParams({ ...ORDER, priceId: 'price_yearly' }), 'used')
    expect(other).toMatchObject({ ok: false, reason: 'rejected', status: 400, providerErrorType: 'idempotency_error' })
  })

  test('a checkout for a price that the account does not have is a refusal', async () => {
    const answer = await client.createCheckoutSession(checkoutParams({ ...ORDER, priceId: 'price_none' }), 'k')
    expect(answer).toMatchObject({ ok: false, reason: 'rejected', status: 400 })
  })

  test('a portal session, with its address', async () => {
    const { id } = addCustomer(world)
    const answer = await client.createPortalSession(portalParams(id, URLS.cancelUrl))
    expect(answer).toMatchObject({ ok: true, value: { object: 'billing_portal.session', customer: id } })
  })

  test('auto-renew, off', async () => {
    const own = connected()
    expect(await own.client.cancelAtPeriodEnd(own.id)).toMatchObject({ value: { cancel_at_period_end: true } })
    expect(own.world.events.at(-1)?.type).toBe('customer.subscription.updated')
  })

  test('of a subscription that has ended nothing', async () => {
    const own = connected()
    Object.assign(getFrom(own.world.subscriptions, own.id), { status: 'canceled' })
    const answer = await own.client.cancelAtPeriodEnd(own.id)
    expect(answer).toMatchObject({ ok: false, status: 400, providerErrorCode: 'subscription_canceled' })
  })

  test('a refund, once, under the key of purchase and transaction', async () => {
    const own = connected()
    const order = { payment: { charge: own.chargeId }, purchaseId: 'pur_1', transactionId: 'txn_1' }
    const first = await own.client.refundCharge(order)
    expect(first).toMatchObject({ value: { amount: 999, charge: { refunded: true, refunds: { data: [{}] } } } })
    expect(await own.client.refundCharge(order)).toMatchObject({ ok: true, value: { id: first.ok && first.value.id } })
    expect(own.server.requests.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      'refund_pur_1_txn_1',
      'refund_pur_1_txn_1',
    ])
    expect(own.world.refunds.size).toBe(1)
  })

  test('a second refund of the same charge is a refusal', async () => {
    const own = connected()
    const order = { payment: { charge: own.chargeId }, purchaseId: 'pur_1', transactionId: 'txn_1' }
    await own.client.refundCharge(order)
    const answer = await own.client.refundCharge({ ...order, transactionId: 'txn_2' })
    expect(answer).toMatchObject({ ok: false, status: 400, providerErrorCode: 'charge_already_refunded' })
  })
})

describe('the customer of a subscriber', () => {
  const of = { projectId: 'prj_1', subscriberId: 'sub_1', customerId: null }

  test('is made once, whoever asks at the same time', async () => {
    const own = connected()
    const before = own.world.customers.size
    const [first, second] = await Promise.all([
      own.client.findOrCreateCustomer(of),
      own.client.findOrCreateCustomer(of),
    ])
    expect(first).toEqual(second)
    expect(own.world.customers.size).toBe(before + 1)
    const made = getFrom(own.world.customers, first.ok ? first.value : '')
    expect(made.metadata).toEqual({ svc_subscriber_id: 'sub_1' })
  })

  test('is another one for another subscriber or project', async () => {
    const own = connected()
    const answers = [of, { ...of, subscriberId: 'sub_2' }, { ...of, projectId: 'prj_2' }].map((one) =>
      own.client.findOrCreateCustomer(one),
    )
    const ids = (await Promise.all(answers)).map((answer) => answer.ok && answer.value)
    expect(new Set(ids).size).toBe(3)
  })

  test('is the one on record', async () => {
    const { id } = addCustomer(world)
    expect(await client.findOrCreateCustomer({ ...of, customerId: id })).toEqual({ ok: true, value: id })
  })

  test('is a new one when the one on record is gone or deleted', async () => {
    const { id } = addCustomer(world)
    Object.assign(getFrom(world.customers, id), { deleted: true })
    for (const customerId of [id, 'cus_gone']) {
      const answer = await client.findOrCreateCustomer({ ...of, customerId })
      expect(answer.ok && answer.value !== customerId && world.customers.has(answer.value)).toBe(true)
    }
  })

  test('is not made anew because the provider does not answer', async () => {
    const own = connected()
    const { id } = addCustomer(own.world)
    own.server.faults = { ...NO_FAULTS, status: 503 }
    const answer = await own.client.findOrCreateCustomer({ ...of, customerId: id })
    expect(answer).toMatchObject({ ok: false, reason: 'unavailable' })
    expect(own.server.requests).toHaveLength(1)
  })
})

describe('what goes over the wire', () => {
  test('names the pinned version', async () => {
    await client.getPrice('price_yen')
    expect(lastRequest()).toMatchObject({ apiVersion: '2026-10-28.endive', account: null, idempotencyKey: null })
  })

  test('names the connected account', async () => {
    const own = connected({}, 'acct_1')
    expect(await own.client.getPrice('price_yen')).toMatchObject({ ok: true })
    expect(own.server.requests.at(-1)).toMatchObject({ account: 'acct_1' })
  })

  test('an account that the key may not act for is a refusal', async () => {
    const own = connected({ account: 'acct_other' }, 'acct_1')
    expect(await own.client.getPrice('price_yen')).toMatchObject({ ok: false, reason: 'rejected', status: 403 })
  })

  test('a key that is not known is a refusal', async () => {
    const own = connected({ secretKey: 'sk_test_other' })
    expect(await own.client.getPrice('price_yen')).toEqual({
      ok: false,
      reason: 'rejected',
      status: 401,
      providerRequestId: expect.stringMatching(/^req_/),
      providerErrorType: 'invalid_request_error',
      providerErrorCode: 'api_key_invalid',
    })
  })
})

describe('outcomes of a call', () => {
  test('rejected carries what the provider said', async () => {
    server.faults = { ...NO_FAULTS, status: 402 }
    expect(await client.getPrice('price_yen')).toEqual({
      ok: false,
      reason: 'rejected',
      status: 402,
      providerRequestId: expect.stringMatching(/^req_/),
      providerErrorType: 'card_error',
      providerErrorCode: 'simulated',
    })
  })

  for (const status of [400, 401, 402, 403, 404, 422])
    test(`${status} is rejected`, async () => {
      server.faults = { ...NO_FAULTS, status }
      expect(await client.getPrice('price_yen')).toMatchObject({ ok: false, reason: 'rejected', status })
    })

  for (const status of [409, 429, 500, 502, 503, 504])
    test(`${status} is unavailable, and asked once`, async () => {
      const own = connected()
      own.server.faults = { ...NO_FAULTS, status }
      expect(await own.client.getPrice('price_yen')).toMatchObject({ ok: false, reason: 'unavailable' })
      expect(own.server.requests).toHaveLength(1)
    })

  test('what is not there is rejected with 404', async () => {
    const answer = await client.getSubscription('sub_none')
    expect(answer).toMatchObject({ ok: false, status: 404, providerErrorCode: 'resource_missing' })
  })

  test('no answer in time is unavailable', async () => {
    const own = connected({ timeoutMs: 50 })
    own.server.faults = { ...NO_FAULTS, until: new Promise(() => {}) }
    expect(await own.client.getPrice('price_yen')).toMatchObject({ ok: false, reason: 'unavailable' })
  })

  test('an answer that is no JSON is unavailable', async () => {
    const own = connected()
    own.server.faults = { ...NO_FAULTS, isMalformed: true }
    expect(await own.client.getPrice('price_yen')).toMatchObject({ ok: false, reason: 'unavailable' })
  })

  test('nobody there is unavailable', async () => {
    const own = connected()
    await own.server.close()
    expect(await own.client.getPrice('price_yen')).toMatchObject({ ok: false, reason: 'unavailable' })
  })

  test('an id that would leave its path does not', async () => {
    const answer = await client.getPrice('../customers/cus_1')
    expect(answer).toMatchObject({ ok: false, reason: 'rejected', status: 404 })
    expect(lastRequest()?.path).toBe('/v1/prices/..%2Fcustomers%2Fcus_1')
  })
})

describe('the circuit', () => {
  test('opens after five failures, asks nobody for a minute, then tries one call', async () => {
    const own = connected()
    own.server.faults = { ...NO_FAULTS, status: 500 }
    for (let count = 0; count < 6; count++) await own.client.getPrice('price_yen')
    expect(own.server.requests).toHaveLength(5)
    own.server.faults = NO_FAULTS
    expect(await own.client.getPrice('price_yen')).toEqual({ ok: false, reason: 'unavailable', cause: 'circuit open' })
    own.store.clock.advance(MINUTE)
    expect(await own.client.getPrice('price_yen')).toMatchObject({ ok: true })
    expect(own.circuit.statusAt(own.store.clock.now())).toBe('CLOSED')
  })

  for (const status of [400, 402, 404, 409, 429])
    test(`stays closed for ${status}: the provider does answer`, async () => {
      const own = connected()
      own.server.faults = { ...NO_FAULTS, status }
      for (let count = 0; count < 6; count++) await own.client.getPrice('price_yen')
      expect(own.server.requests).toHaveLength(6)
    })

  test('is shared by the clients that are given it', async () => {
    const own = connected()
    const other = connected({ circuit: own.circuit })
    own.server.faults = { ...NO_FAULTS, status: 500 }
    for (let count = 0; count < 5; count++) await own.client.getPrice('price_yen')
    expect(await other.client.getPrice('price_yen')).toMatchObject({ ok: false, reason: 'unavailable' })
    expect(other.server.requests).toHaveLength(0)
  })
})
