import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { ConfigError, readConfig } from '../../src/base/config'
import { DEFAULT_PLANS } from '../../src/base/config-cloud'
import { DAY, SECOND } from '../../src/base/lib/clock'
import { NOW } from '../support/context'
import { dataOf } from '../support/operator'
import { type BillingStage, billingStage, DETAILS, emptyBilling, signed, WEBHOOK_SECRET } from '../support/plan-billing'

const PLANS = JSON.stringify(
  DEFAULT_PLANS.map((plan) => (plan.monthly ? { ...plan, priceId: `price_${plan.tier}` } : plan)),
)
const KEYS = {
  SVC_BILLING_SECRET_KEY: 'sk_test_1',
  SVC_BILLING_PUBLISHABLE_KEY: 'pk_test_1',
  SVC_BILLING_WEBHOOK_SECRET: WEBHOOK_SECRET,
  SVC_BILLING_PLANS: PLANS,
}

/** What the provider answers, by method and path; a number is an error with that status, `DECLINED` that of a card. */
const DECLINED = 'card_declined'
let answers: Record<string, unknown> = {}
let calls: { call: string; form: Record<string, string>; key: string | null }[] = []
const server = Bun.serve({
  port: 0,
  async fetch(request) {
    const path = new URL(request.url).pathname
    const form = Object.fromEntries(new URLSearchParams(await request.text()))
    const call = `${request.method} ${path.slice('/v1'.length)}`
    calls.push({ call, form, key: request.headers.get('idempotency-key') })
    const answer = answers[call]
    if (answer === DECLINED) return Response.json({ error: { type: 'card_error', code: DECLINED } }, { status: 402 })
    const status = typeof answer === 'number' ? answer : answer === undefined ? 404 : 200
    const error = { error: { type: 'invalid_request_error', code: 'resource_missing', message: call } }
    return Response.json(status === 200 ? answer : error, { status })
  },
})

let b: BillingStage
beforeAll(async () => {
  b = await billingStage({ ...KEYS, SVC_PAYMENT_API_URL: server.url.origin })
})
beforeEach(async () => {
  b.s.ctx.clock.set(NOW)
  await emptyBilling(b.s)
  calls = []
  answers = { 'POST /customers': { id: 'cus_1', object: 'customer' }, 'GET /subscriptions': list([]) }
  await dataOf(b.admin().put('/billing/details', DETAILS))
})
afterAll(async () => {
  await b.close()
  await server.stop(true)
})

const list = (data: unknown[]) => ({ object: 'list', data, has_more: false })
const subscription = (more: object = {}) => ({
  ...{ id: 'sub_1', object: 'subscription', customer: 'cus_1', status: 'incomplete', created: NOW / SECOND },
  ...{ cancel_at: null, metadata: {}, pending_setup_intent: null },
  items: list([{ id: 'si_1', price: { id: 'price_INDIE' }, current_period_end: (NOW + 30 * DAY) / SECOND }]),
  latest_invoice: { id: 'in_1', status: 'open', confirmation_secret: { client_secret: 'pi_1_secret_1' } },
  ...more,
})
const post = (path: string, body: unknown = {}) => b.admin().post(path, body)
const called = () => calls.map(({ call }) => call)

test('an upgrade makes a customer and a subscription once, and answers with the secret of its payment', async () => {
  answers['POST /subscriptions'] = subscription()
  answers['GET /customers/cus_1'] = { id: 'cus_1', object: 'customer', invoice_settings: {} }
  answers['GET /payment_methods'] = list([])
  const answer = await dataOf(post('/billing/upgrade', { tier: 'INDIE' }))
  expect(answer).toMatchObject({ clientSecret: 'pi_1_secret_1', kind: 'payment', state: 'FREE' })
  const made = calls.find(({ call }) => call === 'POST /subscriptions')
  expect(made).toMatchObject({ key: 'svc-subscribe-cus_1-0' })
  expect(made?.form).toMatchObject({ 'items[0][price]': 'price_INDIE', payment_behavior: 'default_incomplete' })
  expect(calls.find(({ call }) => call === 'POST /customers')?.form['address[country]']).toBe('IE')
})

test('the state is that of the signed events and of a refresh', async () => {
  answers['POST /subscriptions'] = subscription()
  answers['GET /customers/cus_1'] = { id: 'cus_1', object: 'customer', invoice_settings: {} }
  answers['GET /payment_methods'] = list([])
  await dataOf(post('/billing/upgrade', { tier: 'INDIE' }))
  const envelope = { id: 'evt_1', object: 'event', created: NOW / SECOND, livemode: false }
  const text = JSON.stringify({
    ...envelope,
    type: 'customer.subscription.updated',
    data: { object: subscription({ status: 'active' }) },
  })
  const headers = signed(text, NOW / SECOND)
  expect((await b.s.call('POST', '/billing/webhook', { key: null, raw: text, headers })).status).toBe(200)
  expect(await b.billing()).toMatchObject({ state: 'ACTIVE', tier: 'INDIE', publishableKey: 'pk_test_1' })
  b.s.ctx.clock.advance(2 * SECOND)
  answers['GET /subscriptions'] = list([subscription({ status: 'past_due' })])
  expect(await dataOf(post('/billing/refresh'))).toMatchObject({ state: 'PAST_DUE' })
})

test('an open invoice is paid with a new card; a declined card is confirmed in the browser, an outage is 503', async () => {
  answers['POST /subscriptions'] = subscription()
  answers['GET /customers/cus_1'] = { id: 'cus_1', object: 'customer', invoice_settings: {} }
  answers['GET /payment_methods'] = list([])
  await dataOf(post('/billing/upgrade', { tier: 'INDIE' }))
  b.s.ctx.clock.advance(2 * SECOND)
  answers['GET /subscriptions'] = list([subscription({ status: 'past_due' })])
  expect(await dataOf(post('/billing/refresh'))).toMatchObject({ state: 'PAST_DUE' })
  const invoice = { id: 'in_1', object: 'invoice', confirmation_secret: { client_secret: 'pi_1_secret_1' } }
  Object.assign(answers, {
    'GET /subscriptions/sub_1': subscription({ status: 'past_due' }),
    'POST /payment_methods/pm_new/attach': { id: 'pm_new', object: 'payment_method' },
    'POST /customers/cus_1': { id: 'cus_1', object: 'customer' },
    'GET /invoices': list([invoice]),
    'GET /invoices/in_1': invoice,
  })
  const pay = async (answer: unknown) => {
    answers['POST /invoices/in_1/pay'] = answer
    const { status, body } = await post('/billing/upgrade', { tier: 'INDIE', paymentMethodId: 'pm_new' })
    return [status, body.error?.code ?? body.data.clientSecret]
  }
  expect(await pay(500)).toEqual([503, 'STORE_UNAVAILABLE'])
  expect(await pay(DECLINED)).toEqual([200, 'pi_1_secret_1'])
  expect(await pay({ ...invoice, status: 'paid' })).toEqual([200, null])
  expect(calls.findLast(({ call }) => call === 'POST /invoices/in_1/pay')?.form).toEqual({ payment_method: 'pm_new' })
})

test.each([
  [500, 503, 'STORE_UNAVAILABLE'],
  [429, 503, 'STORE_UNAVAILABLE'],
  [402, 422, 'PAYMENT_PROVIDER_REJECTED'],
  [401, 422, 'PAYMENT_PROVIDER_REJECTED'],
])('a provider that answers %p is %p %p', async (status, expected, code) => {
  answers['GET /subscriptions'] = status
  const { status: given, body } = await post('/billing/upgrade', { tier: 'INDIE' })
  expect([given, body.error.code]).toEqual([expected, code])
  expect(called()).not.toContain('POST /subscriptions')
  expect(await b.billing()).toMatchObject({ state: 'FREE' })
})

test.each([
  ['without a publishable key', { SVC_BILLING_PUBLISHABLE_KEY: '' }, 'SVC_BILLING_PUBLISHABLE_KEY'],
  ['without a webhook secret', { SVC_BILLING_WEBHOOK_SECRET: '' }, 'SVC_BILLING_WEBHOOK_SECRET'],
  ['with a key of another kind', { SVC_BILLING_SECRET_KEY: 'pk_test_1' }, 'SVC_BILLING_SECRET_KEY'],
  ['without prices', { SVC_BILLING_PLANS: JSON.stringify(DEFAULT_PLANS) }, 'SVC_BILLING_PLANS'],
  ['with one price of two', { SVC_BILLING_PLANS: PLANS.replace(',"priceId":"price_STUDIO"', '') }, 'SVC_BILLING_PLANS'],
])('a server %s does not start', (_, env, named) => {
  expect(() => readConfig({ SVC_CLOUD: '1', ...KEYS, ...env })).toThrow(ConfigError)
  expect(() => readConfig({ SVC_CLOUD: '1', ...KEYS, ...env })).toThrow(named)
})

test.each([
  ['https://svc.example.com', 'production', true],
  ['http://svc.example.com', 'production', false],
  ['https://localhost', 'production', false],
  ['https://192.168.0.1', 'production', false],
  ['https://svc.example.com', 'development', false],
  ['', 'production', false],
] as const)('live keys at %p in mode %p are taken: %p', (PUBLIC_BASE_URL, SVC_MODE, isTaken) => {
  const keys = { ...KEYS, SVC_BILLING_SECRET_KEY: 'sk_live_1', SVC_BILLING_PUBLISHABLE_KEY: 'pk_live_1' }
  const { cloud } = readConfig({ SVC_CLOUD: '1', ...keys, PUBLIC_BASE_URL, SVC_MODE })
  expect(cloud?.areLiveKeysRefused).toBe(!isTaken)
})
