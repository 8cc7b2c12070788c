import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { ConfigError, readConfig } from '../../src/base/config'
import { DEFAULT_PLANS } from '../../src/base/config-cloud'
import { SECOND } from '../../src/base/lib/clock'
import { NOW } from '../support/context'
import { dataOf } from '../support/operator'
import { DETAILS, emptyBilling } from '../support/plan-billing'
import {
  ACCOUNT_KEYS,
  type AccountStage,
  accountStage,
  BROKEN,
  cardAs,
  customerAs,
  DECLINED,
  invoiceAs,
  listOf,
  PRICED_PLANS,
  Refusal,
  START,
  subscriptionAs,
} from '../support/plan-billing-account'

let stage: AccountStage
beforeAll(async () => {
  stage = await accountStage()
})
beforeEach(async () => {
  stage.b.s.ctx.clock.set(NOW)
  await emptyBilling(stage.b.s)
  stage.account.calls.length = 0
  stage.account.answers = {
    ...START(),
    'GET /customers/cus_1': customerAs(),
    'GET /payment_methods': listOf([]),
  }
  await dataOf(stage.b.admin().put('/billing/details', DETAILS))
})
afterAll(() => stage.close())

const post = (path: string, body: unknown = {}) => stage.b.admin().post(path, body)
const upgrade = (more: object = {}) => post('/billing/upgrade', { tier: 'INDIE', ...more })
const answers = () => stage.account.answers
const refusal = async (call: ReturnType<typeof post>) => {
  const { status, body } = await call
  return [status, body.error?.code, body.error?.details]
}

test('an upgrade makes a customer and a subscription once, and answers with the secret of its payment', async () => {
  const answer = await dataOf(upgrade())
  expect(answer).toMatchObject({ clientSecret: 'pi_1_secret_1', kind: 'payment', state: 'FREE' })
  const made = stage.account.last('POST /subscriptions')
  expect(made?.key).toBe('svc-subscribe-cus_1-0')
  expect(made?.form).toEqual({
    ...{ customer: 'cus_1', 'items[0][price]': 'price_INDIE', payment_behavior: 'default_incomplete' },
    'payment_settings[save_default_payment_method]': 'on_subscription',
    'payment_settings[payment_method_types][0]': 'card',
    ...{ 'expand[0]': 'latest_invoice.confirmation_secret', 'expand[1]': 'pending_setup_intent' },
  })
  expect(stage.account.calls.filter(({ call }) => call === 'POST /customers')).toHaveLength(1)
  for (const { headers } of stage.account.calls)
    expect([headers.get('authorization'), headers.get('stripe-version'), headers.get('stripe-account')]).toEqual([
      'Bearer sk_test_1',
      '2026-10-28.endive',
      null,
    ])
})

test('a customer is made with name, address, tax id and whose it is', async () => {
  await dataOf(upgrade())
  expect(stage.account.last('POST /customers')?.form).toEqual({
    ...{ 'metadata[svcProject]': stage.b.s.project.id, 'metadata[svcOwner]': '', name: 'Sleep Ltd' },
    ...{ 'address[line1]': '1 High Street', 'address[line2]': '', 'address[city]': 'Dublin' },
    ...{ 'address[postal_code]': 'D01', 'address[state]': '', 'address[country]': 'IE' },
    'invoice_settings[custom_fields][0][name]': 'Tax id',
    'invoice_settings[custom_fields][0][value]': 'IE1234567X',
  })
})

test('a customer whose answer was lost is the same with the same details, and another with others', async () => {
  answers()['POST /customers'] = BROKEN
  expect((await upgrade()).status).toBe(503)
  expect((await upgrade()).status).toBe(503)
  await dataOf(stage.b.admin().put('/billing/details', { ...DETAILS, name: 'Sleep Inc' }))
  expect((await upgrade()).status).toBe(503)
  const keys = stage.account.calls.filter(({ call }) => call === 'POST /customers').map(({ key }) => key)
  expect(keys[0]).toMatch(/^svc-customer-[0-9a-f]{40}$/)
  expect([keys[1], keys[2] === keys[0]]).toEqual([keys[0], false])
  expect(stage.account.called()).not.toContain('POST /subscriptions')
})

test('a card is attached and pays from now on; a card of the customer is not attached again', async () => {
  Object.assign(answers(), {
    'POST /payment_methods/pm_card_visa/attach': cardAs('pm_9'),
    'POST /subscriptions': subscriptionAs({ status: 'active', latest_invoice: { status: 'paid' } }),
  })
  expect(await dataOf(upgrade({ paymentMethodId: 'pm_card_visa' }))).toMatchObject({ clientSecret: null, kind: null })
  expect(stage.account.last('POST /payment_methods/pm_card_visa/attach')?.form).toEqual({ customer: 'cus_1' })
  expect(stage.account.last('POST /customers/cus_1')?.form).toEqual({
    'invoice_settings[default_payment_method]': 'pm_9',
  })
  expect(stage.account.last('POST /subscriptions')?.form).toMatchObject({
    ...{ default_payment_method: 'pm_9', payment_behavior: 'allow_incomplete' },
  })
  answers()['GET /payment_methods'] = listOf([cardAs('pm_9')])
  await dataOf(upgrade({ paymentMethodId: 'pm_9' }))
  expect(stage.account.called()).not.toContain('POST /payment_methods/pm_9/attach')
})

test("a card that its bank declines is 422 with the provider's code, and no subscription is made", async () => {
  answers()['POST /payment_methods/pm_bad/attach'] = DECLINED
  expect(await refusal(upgrade({ paymentMethodId: 'pm_bad' }))).toEqual([
    422,
    'PAYMENT_PROVIDER_REJECTED',
    { providerRequestId: 'req_1', providerErrorType: 'card_error', providerErrorCode: 'card_declined' },
  ])
  expect(stage.account.called()).not.toContain('POST /subscriptions')
  expect(stage.account.called()).not.toContain('POST /customers/cus_1')
  expect(await stage.b.billing()).toMatchObject({ state: 'FREE', tier: 'FREE' })
})

/** As the provider does it: the outcome of a key is repeated for a day. */
const keyed = (first: Refusal) => {
  const outcomes = new Map<string | null, Refusal>()
  return ({ key }: { key: string | null }) => {
    const known = outcomes.get(key)
    if (known) return new Refusal(known.status, known.error, { 'idempotent-replayed': 'true' })
    if (outcomes.size > 0) return subscriptionAs()
    outcomes.set(key, first)
    return first
  }
}

test.each([
  ['an outage', BROKEN, 503],
  ['a refusal', new Refusal(400, { type: 'invalid_request_error', code: 'price_inactive' }), 422],
])('%s that the provider would repeat for the key does not block the next try', async (_, first, status) => {
  answers()['POST /subscriptions'] = keyed(first)
  expect((await upgrade()).status).toBe(status)
  expect(await dataOf(upgrade())).toMatchObject({ clientSecret: 'pi_1_secret_1' })
  const keys = stage.account.calls.filter(({ call }) => call === 'POST /subscriptions').map(({ key }) => key)
  expect(keys).toEqual(['svc-subscribe-cus_1-0', 'svc-subscribe-cus_1-0', 'svc-subscribe-cus_1-0-2'])
})

const OTHER_PARAMETERS = new Refusal(400, { type: 'idempotency_error' })

test('a key of another choice is left when that has made nothing, and kept while it has made a subscription', async () => {
  const isFirst = (key: string | null) => key === 'svc-subscribe-cus_1-0'
  answers()['POST /subscriptions'] = ({ key }) => (isFirst(key) ? OTHER_PARAMETERS : subscriptionAs())
  expect(await dataOf(upgrade())).toMatchObject({ clientSecret: 'pi_1_secret_1' })
  stage.account.calls.length = 0
  answers()['POST /subscriptions'] = () => {
    answers()['GET /subscriptions'] = listOf([subscriptionAs({ status: 'active' })])
    return OTHER_PARAMETERS
  }
  expect((await refusal(upgrade())).slice(0, 2)).toEqual([422, 'PAYMENT_PROVIDER_REJECTED'])
  expect(stage.account.called().filter((call) => call === 'POST /subscriptions')).toHaveLength(1)
  expect((await refusal(upgrade())).slice(0, 2)).toEqual([409, 'BILLING_ALREADY_ACTIVE'])
})

test('an unpaid attempt is continued for its plan, and ended for another', async () => {
  answers()['GET /subscriptions'] = listOf([subscriptionAs()])
  answers()['GET /subscriptions/sub_1'] = subscriptionAs()
  answers()['GET /invoices'] = listOf([invoiceAs('in_1')])
  answers()['GET /invoices/in_1'] = invoiceAs('in_1')
  answers()['DELETE /subscriptions/sub_1'] = subscriptionAs({ status: 'incomplete_expired' })
  expect(await dataOf(upgrade())).toMatchObject({ clientSecret: 'pi_1_secret_1', kind: 'payment' })
  expect(stage.account.called()).not.toContain('POST /subscriptions')
  expect(stage.account.last('GET /invoices')?.query).toMatchObject({ subscription: 'sub_1', status: 'open' })
  await dataOf(upgrade({ tier: 'STUDIO' }))
  const changes = stage.account.called().filter((call) => !call.startsWith('GET'))
  expect(changes.slice(-2)).toEqual(['DELETE /subscriptions/sub_1', 'POST /subscriptions'])
  expect(stage.account.last('POST /subscriptions')?.key).toBe('svc-subscribe-cus_1-1')
})

test('the state is that of the signed events and of a refresh', async () => {
  await dataOf(upgrade())
  expect((await stage.report('evt_1')).status).toBe(200)
  expect(await stage.b.billing()).toMatchObject({ state: 'ACTIVE', tier: 'INDIE', publishableKey: 'pk_test_1' })
  stage.b.s.ctx.clock.advance(2 * SECOND)
  answers()['GET /subscriptions'] = listOf([subscriptionAs({ status: 'past_due' })])
  expect(await dataOf(post('/billing/refresh'))).toMatchObject({ state: 'PAST_DUE' })
  expect(stage.account.last('GET /subscriptions')?.query).toEqual({ customer: 'cus_1', status: 'all', limit: '100' })
})

test('two refreshes within a second show the second answer', async () => {
  await dataOf(upgrade())
  answers()['GET /subscriptions'] = listOf([subscriptionAs()])
  expect(await dataOf(post('/billing/refresh'))).toMatchObject({ state: 'FREE' })
  stage.b.s.ctx.clock.advance(20)
  answers()['GET /subscriptions'] = listOf([subscriptionAs({ status: 'active' })])
  expect(await dataOf(post('/billing/refresh'))).toMatchObject({ state: 'ACTIVE' })
})

test('an event of an endpoint with an older API version is read', async () => {
  await dataOf(upgrade())
  const items = listOf([{ id: 'si_1', price: { id: 'price_STUDIO' } }])
  await stage.report('evt_1', { status: 'active', items, current_period_end: NOW / SECOND + 86_400 })
  expect(await stage.b.billing()).toMatchObject({
    ...{ state: 'ACTIVE', tier: 'STUDIO', renewsAt: new Date(NOW + 86_400_000).toISOString() },
  })
})

test.each([
  ['without a publishable key', { SVC_BILLING_PUBLISHABLE_KEY: '' }, 'SVC_BILLING_PUBLISHABLE_KEY'],
  ['without a webhook secret', { SVC_BILLING_WEBHOOK_SECRET: '' }, 'SVC_BILLING_WEBHOOK_SECRET'],
  ['with a key of another kind', { SVC_BILLING_SECRET_KEY: 'pk_test_1' }, 'SVC_BILLING_SECRET_KEY'],
  ['without prices', { SVC_BILLING_PLANS: JSON.stringify(DEFAULT_PLANS) }, 'SVC_BILLING_PLANS'],
  [
    'with one price for two plans',
    { SVC_BILLING_PLANS: PRICED_PLANS.replaceAll('price_STUDIO', 'price_INDIE') },
    'SVC_BILLING_PLANS',
  ],
  [
    'with a former price that is no price',
    { SVC_BILLING_PLANS: PRICED_PLANS.replace('"priceId":', '"formerPriceIds":["p"],"priceId":') },
    'SVC_BILLING_PLANS',
  ],
  [
    'with one price of two',
    { SVC_BILLING_PLANS: PRICED_PLANS.replace(',"priceId":"price_STUDIO"', '') },
    'SVC_BILLING_PLANS',
  ],
])('a server %s does not start', (_, env, named) => {
  expect(() => readConfig({ SVC_CLOUD: '1', ...ACCOUNT_KEYS, ...env })).toThrow(ConfigError)
  expect(() => readConfig({ SVC_CLOUD: '1', ...ACCOUNT_KEYS, ...env })).toThrow(named)
})

test.each([
  ['https://svc.example.com', 'production', true],
  ['http://svc.example.com', 'production', false],
  ['https://localhost', 'production', false],
  ['https://192.168.0.1', 'production', false],
  ['https://svc.example.com', 'development', false],
  ['', 'production', false],
] as const)('live keys at %p in mode %p are taken: %p', (PUBLIC_BASE_URL, SVC_MODE, isTaken) => {
  const keys = { ...ACCOUNT_KEYS, SVC_BILLING_SECRET_KEY: 'sk_live_1', SVC_BILLING_PUBLISHABLE_KEY: 'pk_live_1' }
  const { cloud } = readConfig({ SVC_CLOUD: '1', ...keys, PUBLIC_BASE_URL, SVC_MODE })
  expect(cloud?.areLiveKeysRefused).toBe(!isTaken)
})

test('a customer that another call has saved meanwhile is the one that pays', async () => {
  const { ctx, project } = stage.b.s
  answers()['POST /customers'] = async () => {
    const row = { id: 'cus_1', projectId: project.id, ownerId: '', createdAt: NOW }
    await ctx.write(({ db, tables }) => db.insert(tables.billingCustomers).values(row))
    return { ...customerAs(), id: 'cus_2' }
  }
  await dataOf(upgrade())
  expect(stage.account.last('POST /subscriptions')?.form.customer).toBe('cus_1')
})
