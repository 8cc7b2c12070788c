import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { holdPauses } from '../../../test/support/pauses'
import { CircuitBreaker } from '../../base/lib/circuit'
import { PaymentClient } from '../../stores/payment/client'
import { decodePayment } from '../../stores/payment/decode'
import { gatherFacts } from '../../stores/payment/gather'
import { verifyWebhook } from '../../stores/payment/webhook'
import { addPrice, itemOf, subscribe } from './payment-billing'
import { readForm, textAt, textsAt } from './payment-form'
import { chargeOfInvoice, closeDispute, openDispute, refundCharge } from './payment-returns'
import { NO_FAULTS, PaymentServer } from './payment-server'
import {
  cancelAtPeriodEnd,
  changePrice,
  endNow,
  failPayment,
  pauseCollection,
  renew,
  resume,
  settle,
  undoCancel,
} from './payment-turns'
import { getFrom, PaymentWorld } from './payment-world'

const NOW = Date.UTC(2026, 10, 20, 8)
const KEY = 'sk_test_simulated'
const SECRET = 'whsec_simulated'

const clock = { at: NOW, now: () => clock.at }
const world = new PaymentWorld(clock)
const server = new PaymentServer(world, KEY)
afterAll(() => server.close())
addPrice(world, { id: 'price_monthly', amount: 999, interval: 'month' })
addPrice(world, { id: 'price_plus', amount: 1999, interval: 'month' })

beforeEach(() => {
  server.faults = NO_FAULTS
})

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { ...init, headers: { authorization: `Bearer ${KEY}`, ...init.headers } })

describe('the form encoding', () => {
  test('nests maps and lists', () => {
    const form = readForm(
      'mode=payment&metadata[a]=1&metadata[b]=two%20words&line_items[0][price]=price_1&expand[0]=charge',
    )
    expect(textAt(form, 'line_items', '0', 'price')).toBe('price_1')
    expect(textsAt(form, 'metadata')).toEqual({ a: '1', b: 'two words' })
    expect(textsAt(form, 'expand')).toEqual({ 0: 'charge' })
  })

  test('has nothing at a path that is not there, and nothing of its own', () => {
    const form = readForm('a=1&b[c]=2&__proto__[polluted]=yes')
    for (const path of [['x'], ['a', 'b'], ['b'], ['b', 'd'], ['constructor'], ['toString']]) {
      expect(textAt(form, ...path)).toBeNull()
    }
    expect(textsAt(form, 'a')).toEqual({})
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
  })
})

describe('refusals', () => {
  const cases: [name: string, path: string, init: RequestInit, status: number, code: string][] = [
    ['no key', '/v1/prices/price_monthly', { headers: { authorization: '' } }, 401, 'api_key_invalid'],
    ['another key', '/v1/prices/price_monthly', { headers: { authorization: 'Bearer x' } }, 401, 'api_key_invalid'],
    ['an account', '/v1/prices/price_monthly', { headers: { 'stripe-account': 'acct_1' } }, 403, 'account_invalid'],
    ['no such object', '/v1/prices/price_none', {}, 404, 'resource_missing'],
    ['no such invoice', '/v1/invoices/in_none', {}, 404, 'resource_missing'],
    ['no such lines', '/v1/invoices/in_none/lines', {}, 404, 'resource_missing'],
    ['no such subscription', '/v1/subscriptions/sub_none', { method: 'POST' }, 404, 'resource_missing'],
    ['no such charge', '/v1/refunds', { method: 'POST', body: 'charge=ch_none' }, 404, 'resource_missing'],
    ['no such price', '/v1/checkout/sessions', { method: 'POST', body: 'mode=payment' }, 400, 'resource_missing'],
    [
      'no such customer',
      '/v1/billing_portal/sessions',
      { method: 'POST', body: 'customer=x' },
      400,
      'resource_missing',
    ],
    ['no such route', '/v1/balance', {}, 404, 'unknown_route'],
    ['another method', '/v1/prices/price_monthly', { method: 'DELETE' }, 404, 'unknown_route'],
  ]
  for (const [name, path, init, status, code] of cases)
    test(name, async () => {
      const response = await ask(path, init)
      expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }])
      expect(response.headers.get('request-id')).toStartWith('req_')
    })
})

describe('switches', () => {
  test('a status, then none again', async () => {
    server.faults = { ...NO_FAULTS, status: 429 }
    expect((await ask('/v1/prices/price_monthly')).status).toBe(429)
    server.faults = NO_FAULTS
    expect((await ask('/v1/prices/price_monthly')).status).toBe(200)
  })

  test('an answer that is no JSON', async () => {
    server.faults = { ...NO_FAULTS, isMalformed: true }
    expect((await ask('/v1/prices/price_monthly')).json()).rejects.toThrow()
  })

  test('a delay', async () => {
    server.faults = { ...NO_FAULTS, delayMs: 60 }
    const delays = holdPauses(60)
    let isAnswered = false
    const answer = ask('/v1/prices/price_monthly').finally(() => {
      isAnswered = true
    })
    await delays.begun(1)
    expect(isAnswered).toBe(false)
    delays.release()
    expect((await answer).status).toBe(200)
  })

  test('a failing answer changes nothing', async () => {
    server.faults = { ...NO_FAULTS, status: 500 }
    const before = world.customers.size
    await ask('/v1/customers', { method: 'POST' })
    expect(world.customers.size).toBe(before)
  })
})

test('requests are recorded, with what matters of their headers', async () => {
  await ask('/v1/customers?x=1', {
    method: 'POST',
    body: 'metadata[svc_subscriber_id]=sub_1',
    headers: { 'idempotency-key': 'once', 'stripe-version': '2026-10-28.endive' },
  })
  expect(server.requests.at(-1)).toEqual({
    method: 'POST',
    path: '/v1/customers',
    form: readForm('metadata[svc_subscriber_id]=sub_1'),
    idempotencyKey: 'once',
    account: null,
    apiVersion: '2026-10-28.endive',
  })
})

describe('deliveries', () => {
  const options = { secret: SECRET }
  const typesOf = (deliveries: { body: string }[]) => deliveries.map(({ body }) => JSON.parse(body).type)

  test('are signed, and taken once', async () => {
    await server.takeDeliveries(options)
    subscribe(world, { priceId: 'price_monthly' })
    const deliveries = await server.takeDeliveries(options)
    expect(typesOf(deliveries)).toEqual(['payment_intent.succeeded', 'customer.subscription.created', 'invoice.paid'])
    for (const { body, signature } of deliveries) {
      const delivery = { body: new TextEncoder().encode(body), signature, secrets: [SECRET], now: clock.at }
      expect(await verifyWebhook(delivery)).toMatchObject({ ok: true })
    }
    expect(await server.takeDeliveries(options)).toEqual([])
  })

  test('come doubled or reversed when told to', async () => {
    subscribe(world, { priceId: 'price_monthly' })
    const deliveries = await server.takeDeliveries({ ...options, isDoubled: true, isReversed: true })
    expect(typesOf(deliveries)).toEqual([
      'invoice.paid',
      'invoice.paid',
      'customer.subscription.created',
      'customer.subscription.created',
      'payment_intent.succeeded',
      'payment_intent.succeeded',
    ])
  })

  test('of a connected account name it', async () => {
    const own = new PaymentWorld(clock, 'acct_1')
    addPrice(own, { id: 'price_monthly', amount: 999, interval: 'month' })
    subscribe(own, { priceId: 'price_monthly' })
    expect(own.events.map(({ account }) => account)).toEqual(['acct_1', 'acct_1', 'acct_1'])
  })
})

describe('every turn can be fetched and decoded', () => {
  const start = () => subscribe(world, { priceId: 'price_monthly' })
  const chargeOf = (id: string) => chargeOfInvoice(world, String(getFrom(world.subscriptions, id).latest_invoice))
  type Turn = (id: string) => unknown
  const fail: Turn = (id) => failPayment(world, id)
  const cancel: Turn = (id) => cancelAtPeriodEnd(world, id)
  const stop: Turn = (id) => pauseCollection(world, id)
  const turns: [name: string, ...turns: Turn[]][] = [
    ['renew', (id) => renew(world, id)],
    ['fail', fail],
    ['recover', fail, (id) => settle(world, id)],
    ['cancel', cancel],
    ['undo', cancel, (id) => undoCancel(world, id)],
    ['delete', (id) => endNow(world, id)],
    ['pause', stop],
    ['resume', stop, (id) => resume(world, id)],
    ['upgrade', (id) => changePrice(world, id, 'price_plus')],
    ['refund', (id) => refundCharge(world, chargeOf(id))],
    ['refund in part', (id) => refundCharge(world, chargeOf(id), 100)],
    ['dispute lost', (id) => closeDispute(world, openDispute(world, chargeOf(id)).id, 'lost')],
    ['dispute won', (id) => closeDispute(world, openDispute(world, chargeOf(id)).id, 'won')],
  ]
  for (const [name, ...made] of turns)
    test(name, async () => {
      const { id } = start()
      await server.takeDeliveries({ secret: SECRET })
      for (const turn of made) turn(id)
      const circuit = new CircuitBreaker()
      const client = new PaymentClient({ apiUrl: server.url, secretKey: KEY, account: null, circuit, clock })
      const decoded = await Promise.all(
        (await server.takeDeliveries({ secret: SECRET })).map((one) => decode(client, one)),
      )
      expect(decoded.filter((one) => one !== null)).not.toEqual([])
      for (const one of decoded) if (one) expect(one).toMatchObject({ ok: true, purchase: { chainKey: id } })
    })

  /** Handles a webhook completely; null for an event that is not about a purchase. */
  async function decode(client: PaymentClient, { body, signature }: { body: string; signature: string }) {
    const bytes = new TextEncoder().encode(body)
    const opened = await verifyWebhook({ body: bytes, signature, secrets: [SECRET], now: clock.at })
    if (!opened.ok) throw new Error(opened.reason)
    const { createdAt: eventAt, subject } = opened.event
    if (subject === null || subject.kind === 'PAYMENT') return null
    const gathered = await gatherFacts(client, subject)
    if (!gathered.ok || !gathered.facts) throw new Error('Nothing was gathered')
    return decodePayment(gathered.facts, {
      fetchedAt: clock.at,
      eventAt,
      providerGraceDays: 7,
      pausedCollection: 'access',
    })
  }
})

test('an upgrade halfway credits and charges half', () => {
  const subscription = subscribe(world, { priceId: 'price_monthly' })
  clock.at += 15 * 86_400_000
  const invoice = changePrice(world, subscription.id, 'price_plus')
  expect(invoice?.lines.data.map(({ amount }) => amount)).toEqual([-500, 1000])
  expect(invoice?.amount_paid).toBe(500)
  expect(itemOf(subscription).price.id).toBe('price_plus')
})

test('a script that names what is not there fails clearly', () => {
  expect(() => renew(world, 'sub_none')).toThrow('The payment stand-in has no sub_none')
  expect(() => refundCharge(world, 'ch_none')).toThrow('The payment stand-in has no ch_none')
})
