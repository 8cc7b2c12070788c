import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DEFAULT_PLANS } from '../../src/base/config-cloud'
import { MINUTE, SECOND } from '../../src/base/lib/clock'
import { NOW } from '../support/context'
import { auditRows, dataOf } from '../support/operator'
import { DETAILS, emptyBilling } from '../support/plan-billing'
import {
  type AccountStage,
  AUTHENTICATE,
  accountStage,
  BROKEN,
  cardAs,
  customerAs,
  DECLINED,
  invoiceAs,
  itemsOf,
  lineAs,
  listOf,
  PERIOD_END,
  Refusal,
  START,
  subscriptionAs,
} from '../support/plan-billing-account'

const ENTERPRISE = { amountMicros: 999_000_000, currency: 'USD' }

let stage: AccountStage
beforeAll(async () => {
  stage = await accountStage({ SVC_BILLING_PLANS: PLANS })
})

const PLANS = JSON.stringify(
  DEFAULT_PLANS.map((plan) => ({
    ...plan,
    ...(plan.monthly && { priceId: `price_${plan.tier}` }),
    ...(plan.tier === 'INDIE' && { formerPriceIds: ['price_first', 'price_second'] }),
    ...(plan.tier === 'ENTERPRISE' && { priceId: 'price_ENTERPRISE', monthly: ENTERPRISE }),
  })),
)

/** A project with a running plan, whose card is `pm_1`. */
beforeEach(async () => {
  stage.b.s.ctx.clock.set(NOW)
  await emptyBilling(stage.b.s)
  stage.account.answers = START()
  await dataOf(admin().put('/billing/details', DETAILS))
  await dataOf(post('/billing/upgrade', { tier: 'INDIE' }))
  await is({ status: 'active' })
  stage.account.calls.length = 0
})
afterAll(() => stage.close())

const admin = () => stage.b.admin()
const post = (path: string, body: unknown = {}) => admin().post(path, body)
const upgrade = (tier: string, more: object = {}) => post('/billing/upgrade', { tier, ...more })
const answer = (answers: AccountStage['account']['answers']) => Object.assign(stage.account.answers, answers)
const changes = () => stage.account.called().filter((call) => !call.startsWith('GET'))
const refusal = async (call: ReturnType<typeof post>) => {
  const { status, body } = await call
  return [status, body.error?.code]
}

let reports = 0
/** The subscription is so from now on: the provider shows it, and has sent an event. */
async function is(more: object) {
  reports += 1
  stage.b.s.ctx.clock.advance(SECOND)
  const one = subscriptionAs({ default_payment_method: 'pm_1', latest_invoice: { status: 'paid' }, ...more })
  answer({
    'GET /subscriptions': listOf([one]),
    'GET /subscriptions/sub_1': one,
    'POST /subscriptions/sub_1': ({ form }) => ({
      ...one,
      ...(form.cancel_at_period_end && { cancel_at_period_end: form.cancel_at_period_end === 'true' }),
    }),
  })
  expect((await stage.report(`evt_${reports}`, one)).status).toBe(200)
  // What is asked for in the same second as an event gives way to it.
  stage.b.s.ctx.clock.advance(SECOND)
}

const audited = async () => (await auditRows(stage.b.s)).length

describe('a higher plan', () => {
  test('is charged in proportion at once, and holds when the provider has told so', async () => {
    answer({ 'POST /invoices/create_preview': invoiceAs('in_p', { amount_due: 8_501 }) })
    expect(await dataOf(upgrade('STUDIO', { dryRun: true }))).toMatchObject({
      ...{ clientSecret: null, dueNow: { amountMicros: 85_010_000, currency: 'USD' } },
      nextAmount: { amountMicros: 199_000_000, currency: 'USD' },
    })
    expect(changes()).toEqual(['POST /invoices/create_preview'])
    expect(stage.account.last('POST /invoices/create_preview')?.form).toEqual({
      ...{ subscription: 'sub_1', 'subscription_details[items][0][id]': 'si_1' },
      'subscription_details[items][0][price]': 'price_STUDIO',
      'subscription_details[proration_behavior]': 'always_invoice',
    })
    expect(await dataOf(upgrade('STUDIO'))).toMatchObject({ clientSecret: null, state: 'ACTIVE' })
    expect(stage.account.last('POST /subscriptions/sub_1')?.form).toEqual({
      ...{ 'items[0][id]': 'si_1', 'items[0][price]': 'price_STUDIO', proration_behavior: 'always_invoice' },
      payment_behavior: 'pending_if_incomplete',
      ...{ 'expand[0]': 'latest_invoice.confirmation_secret', 'expand[1]': 'pending_setup_intent' },
    })
    expect(await stage.b.billing()).toMatchObject({ tier: 'INDIE' })
    await is({ status: 'active', items: itemsOf('price_STUDIO') })
    expect(await stage.b.billing()).toMatchObject({ tier: 'STUDIO', state: 'ACTIVE' })
  })

  test('whose payment the bank wants authenticated waits for the browser with the present plan', async () => {
    answer({
      'POST /invoices/create_preview': invoiceAs('in_p'),
      'POST /subscriptions/sub_1': subscriptionAs({ status: 'active', pending_update: {} }),
    })
    expect(await dataOf(upgrade('STUDIO'))).toMatchObject({ clientSecret: 'pi_1_secret_1', kind: 'payment' })
    expect(await stage.b.billing()).toMatchObject({ tier: 'INDIE', state: 'ACTIVE' })
  })

  test.each([
    ['the preview', 'POST /invoices/create_preview'],
    ['the subscription', 'GET /subscriptions/sub_1'],
    ['the card', 'POST /payment_methods/pm_2/attach'],
    ['the change', 'POST /subscriptions/sub_1'],
  ])('fails at %s: 503 while the provider is away, 422 when it refuses, and the plan stays', async (_, call) => {
    const before = await audited()
    answer({
      'POST /invoices/create_preview': invoiceAs('in_p'),
      'POST /payment_methods/pm_2/attach': cardAs('pm_2'),
    })
    for (const [failure, expected] of [
      [BROKEN, [503, 'STORE_UNAVAILABLE']],
      [new Refusal(429, { type: 'rate_limit' }), [503, 'STORE_UNAVAILABLE']],
      [new Refusal(503, '<html>away</html>'), [503, 'STORE_UNAVAILABLE']],
      [new Refusal(400), [422, 'PAYMENT_PROVIDER_REJECTED']],
      [new Refusal(404), [422, 'PAYMENT_PROVIDER_REJECTED']],
      [DECLINED, [422, 'PAYMENT_PROVIDER_REJECTED']],
      [{ object: 'nonsense' }, [502, 'STORE_API_ERROR']],
    ] as const) {
      answer({ [call]: failure })
      expect(await refusal(upgrade('STUDIO', { paymentMethodId: 'pm_2' }))).toEqual([...expected])
    }
    expect(await stage.b.billing()).toMatchObject({ tier: 'INDIE', state: 'ACTIVE', pendingTier: null })
    expect(await audited()).toBe(before)
  })
})

describe('a lower plan', () => {
  const lower = async () => {
    await is({ status: 'active', items: itemsOf('price_STUDIO') })
    await dataOf(upgrade('INDIE'))
    const paid = { svcPaidTier: 'STUDIO', svcPaidUntil: String(PERIOD_END / SECOND) }
    await is({ status: 'active', metadata: paid })
    return paid
  }

  test('is set without a proration, with what was paid in the metadata, and taken back by the present one', async () => {
    const paid = await lower()
    expect(stage.account.calls.find(({ call }) => call === 'POST /subscriptions/sub_1')?.form).toEqual({
      ...{ 'items[0][id]': 'si_1', 'items[0][price]': 'price_INDIE', proration_behavior: 'none' },
      ...{ 'metadata[svcPaidTier]': paid.svcPaidTier, 'metadata[svcPaidUntil]': paid.svcPaidUntil },
    })
    expect(changes()).not.toContain('POST /invoices/create_preview')
    expect(await stage.b.billing()).toMatchObject({ tier: 'STUDIO', pendingTier: 'INDIE' })
    await dataOf(upgrade('STUDIO'))
    expect(stage.account.last('POST /subscriptions/sub_1')?.form).toEqual({
      ...{ 'items[0][id]': 'si_1', 'items[0][price]': 'price_STUDIO', proration_behavior: 'none' },
      ...{ 'metadata[svcPaidTier]': '', 'metadata[svcPaidUntil]': '' },
    })
  })

  test('is called off by a higher one, whose price is reckoned against what was paid', async () => {
    await lower()
    const due: Record<string, number> = { price_ENTERPRISE: 48_500, price_STUDIO: 8_500 }
    const price = 'subscription_details[items][0][price]'
    answer({
      'POST /invoices/create_preview': ({ form }) => invoiceAs('in_p', { amount_due: due[form[price] ?? ''] }),
    })
    expect(await dataOf(upgrade('ENTERPRISE', { dryRun: true }))).toMatchObject({
      dueNow: { amountMicros: 400_000_000, currency: 'USD' },
    })
    stage.account.calls.length = 0
    await dataOf(upgrade('ENTERPRISE'))
    const [back, now] = stage.account.calls.filter(({ call }) => call === 'POST /subscriptions/sub_1')
    expect(back?.form).toMatchObject({ 'items[0][price]': 'price_STUDIO', 'metadata[svcPaidTier]': '' })
    expect(now?.form).toMatchObject({ 'items[0][price]': 'price_ENTERPRISE', proration_behavior: 'always_invoice' })
  })

  test('is kept when a higher one is refused', async () => {
    await lower()
    answer({
      'POST /invoices/create_preview': invoiceAs('in_p'),
      'POST /subscriptions/sub_1': ({ form }) =>
        form.proration_behavior === 'always_invoice' ? new Refusal(400) : subscriptionAs(),
    })
    stage.account.calls.length = 0
    expect(await refusal(upgrade('ENTERPRISE'))).toEqual([422, 'PAYMENT_PROVIDER_REJECTED'])
    const prices = stage.account.calls.flatMap(({ form }) => form['items[0][price]'] ?? [])
    expect(prices).toEqual(['price_STUDIO', 'price_ENTERPRISE', 'price_INDIE'])
    expect(stage.account.last('POST /subscriptions/sub_1')?.form).toMatchObject({
      'metadata[svcPaidTier]': 'STUDIO',
    })
    expect(await stage.b.billing()).toMatchObject({ tier: 'STUDIO', pendingTier: 'INDIE' })
  })

  test('that the provider did not take leaves nothing to come', async () => {
    await is({ status: 'active', items: itemsOf('price_STUDIO') })
    answer({ 'POST /subscriptions/sub_1': BROKEN })
    expect(await refusal(upgrade('INDIE'))).toEqual([503, 'STORE_UNAVAILABLE'])
    expect(await stage.b.billing()).toMatchObject({ tier: 'STUDIO', pendingTier: null })
  })
})

test('a subscription with a former price of a plan has that plan, and one with a price that is no plan is not known', async () => {
  await is({ status: 'past_due', items: itemsOf('price_first') })
  expect(await stage.b.billing()).toMatchObject({ tier: 'INDIE', state: 'PAST_DUE' })
  await is({ status: 'active', items: itemsOf('price_second') })
  expect(await stage.b.billing()).toMatchObject({ tier: 'INDIE', state: 'ACTIVE' })
  expect(await refusal(upgrade('INDIE'))).toEqual([409, 'BILLING_ALREADY_ACTIVE'])
  await is({ status: 'past_due', items: itemsOf('price_other') })
  expect(await stage.b.billing()).toMatchObject({ tier: 'INDIE', state: 'ACTIVE' })
})

describe('cards', () => {
  const cards = async () => (await dataOf(admin().get('/billing/payment-methods'))).items

  test('are those of the customer; the one that the running subscription charges is the default', async () => {
    answer({ 'GET /payment_methods': listOf([cardAs('pm_1'), cardAs('pm_2', '1111')]) })
    const view = { brand: 'visa', expMonth: 12, expYear: 2030 }
    expect(await cards()).toEqual([
      { id: 'pm_1', last4: '4242', isDefault: true, ...view },
      { id: 'pm_2', last4: '1111', isDefault: false, ...view },
    ])
    expect(stage.account.last('GET /payment_methods')?.query).toEqual({ customer: 'cus_1', type: 'card', limit: '100' })
    await is({ status: 'active', default_payment_method: 'pm_2' })
    expect((await cards()).map(({ isDefault }: { isDefault: boolean }) => isDefault)).toEqual([false, true])
    await is({ status: 'canceled', default_payment_method: 'pm_2' })
    expect((await cards()).map(({ isDefault }: { isDefault: boolean }) => isDefault)).toEqual([true, false])
  })

  test('are added with a secret for the browser, and nothing but cards', async () => {
    answer({ 'POST /setup_intents': { id: 'seti_1', object: 'setup_intent', client_secret: 'seti_1_secret' } })
    expect(await dataOf(post('/billing/payment-methods'))).toEqual({ setupClientSecret: 'seti_1_secret' })
    expect(stage.account.last('POST /setup_intents')?.form).toEqual({
      ...{ customer: 'cus_1', usage: 'off_session', 'payment_method_types[0]': 'card' },
    })
    answer({ 'POST /setup_intents': { id: 'seti_1', object: 'setup_intent', client_secret: null } })
    expect(await refusal(post('/billing/payment-methods'))).toEqual([502, 'STORE_API_ERROR'])
  })

  test('the chosen one is charged by the customer and by what runs', async () => {
    answer({ 'GET /payment_methods': listOf([cardAs('pm_1'), cardAs('pm_2')]) })
    await dataOf(post('/billing/payment-methods/pm_2/default'))
    expect(changes()).toEqual(['POST /customers/cus_1', 'POST /subscriptions/sub_1'])
    expect(stage.account.last('POST /customers/cus_1')?.form).toEqual({
      'invoice_settings[default_payment_method]': 'pm_2',
    })
    expect(stage.account.last('POST /subscriptions/sub_1')?.form).toEqual({ default_payment_method: 'pm_2' })
  })

  test('one that is removed is replaced first, and detached', async () => {
    answer({
      'GET /payment_methods': listOf([cardAs('pm_1'), cardAs('pm_2')]),
      'POST /payment_methods/pm_1/detach': cardAs('pm_1'),
    })
    await dataOf(admin().delete('/billing/payment-methods/pm_1'))
    expect(changes()).toEqual([
      'POST /customers/cus_1',
      'POST /subscriptions/sub_1',
      'POST /payment_methods/pm_1/detach',
    ])
    stage.account.calls.length = 0
    answer({ 'POST /payment_methods/pm_2/detach': cardAs('pm_2') })
    await dataOf(admin().delete('/billing/payment-methods/pm_2'))
    expect(changes()).toEqual(['POST /payment_methods/pm_2/detach'])
  })

  test('the last one stays while the plan runs, and while an invoice is a draft or open', async () => {
    const remove = () => refusal(admin().delete('/billing/payment-methods/pm_1'))
    expect(await remove()).toEqual([409, 'BILLING_CARD_IN_USE'])
    await is({ status: 'past_due' })
    expect(await remove()).toEqual([409, 'BILLING_CARD_IN_USE'])
    await is({ status: 'canceled' })
    for (const unpaid of ['draft', 'open']) {
      answer({ 'GET /invoices': ({ query }) => listOf(query.status === unpaid ? [invoiceAs('in_1')] : []) })
      expect(await remove()).toEqual([409, 'BILLING_CARD_OPEN_INVOICE'])
    }
    expect(changes()).toEqual([])
    answer({ 'GET /invoices': listOf([]), 'POST /payment_methods/pm_1/detach': cardAs('pm_1') })
    await dataOf(admin().delete('/billing/payment-methods/pm_1'))
    expect(changes()).toEqual(['POST /payment_methods/pm_1/detach'])
  })

  test('of others are not touched', async () => {
    expect(await refusal(post('/billing/payment-methods/pm_other/default'))).toEqual([404, 'NOT_FOUND'])
    expect(await refusal(admin().delete('/billing/payment-methods/pm_other'))).toEqual([404, 'NOT_FOUND'])
    answer({ 'POST /payment_methods/pm_other/attach': new Refusal(400) })
    answer({ 'POST /invoices/create_preview': invoiceAs('in_p') })
    expect(await refusal(upgrade('STUDIO', { paymentMethodId: 'pm_other' }))).toEqual([
      422,
      'PAYMENT_PROVIDER_REJECTED',
    ])
    expect(changes()).toEqual(['POST /invoices/create_preview', 'POST /payment_methods/pm_other/attach'])
  })

  test('of a customer that was deleted at the provider are none', async () => {
    answer({ 'GET /customers/cus_1': { ...customerAs(), deleted: true } })
    expect(await cards()).toEqual([])
  })
})

describe('cancel', () => {
  test('and its undo are shown at once, from the answer of the provider', async () => {
    const end = new Date(PERIOD_END).toISOString()
    expect(await dataOf(post('/billing/cancel'))).toMatchObject({ cancelAt: end, renewsAt: null, state: 'ACTIVE' })
    expect(stage.account.last('POST /subscriptions/sub_1')?.form).toEqual({ cancel_at_period_end: 'true' })
    expect(await refusal(post('/billing/cancel'))).toEqual([409, 'BILLING_NOTHING_TO_CANCEL'])
    stage.b.s.ctx.clock.advance(MINUTE)
    expect(await dataOf(post('/billing/cancel/undo'))).toMatchObject({ cancelAt: null, renewsAt: end })
    expect(stage.account.last('POST /subscriptions/sub_1')?.form).toEqual({ cancel_at_period_end: 'false' })
  })

  test('that the provider did not take changes nothing', async () => {
    const before = await audited()
    for (const [failure, expected] of [
      [BROKEN, [503, 'STORE_UNAVAILABLE']],
      [new Refusal(404), [422, 'PAYMENT_PROVIDER_REJECTED']],
      [{ object: 'subscription' }, [502, 'STORE_API_ERROR']],
    ] as const) {
      answer({ 'POST /subscriptions/sub_1': failure })
      expect(await refusal(post('/billing/cancel'))).toEqual([...expected])
    }
    expect(await stage.b.billing()).toMatchObject({ cancelAt: null, state: 'ACTIVE' })
    expect(await audited()).toBe(before)
  })
})

describe('invoices', () => {
  test('open to all their lines, with amounts of their currency', async () => {
    const many = { ...listOf([lineAs('INDIE', 2900)], true), url: '/v1/invoices/in_1/lines' }
    answer({
      'GET /invoices/in_1': invoiceAs('in_1', { status: 'paid', lines: many }),
      'GET /invoices/in_1/lines': listOf([lineAs('INDIE', 2900), lineAs(null, -100, { quantity: null })]),
    })
    expect(await dataOf(admin().get('/billing/invoices/in_1'))).toMatchObject({
      ...{ id: 'in_1', number: 'SVC-in_1', status: 'paid', total: '29.00', currency: 'USD' },
      pdfUrl: 'https://provider.example/in_1.pdf',
      lines: [
        { text: 'INDIE', quantity: 1, amount: '29.00' },
        { text: '', quantity: 1, amount: '-1.00' },
      ],
    })
    answer({ 'GET /invoices/in_2': invoiceAs('in_2', { total: 2900, currency: 'jpy', number: null, status: 'draft' }) })
    expect(await dataOf(admin().get('/billing/invoices/in_2'))).toMatchObject({ total: '2900', number: null })
  })

  test.each([
    ['a part of the smallest unit', 2900.5],
    ['a text', '2900'],
    ['no amount', null],
    ['a number that is not exact', 2 ** 53],
  ])('with %s for a total or a line are refused, and not shown as 0', async (_, amount) => {
    const refused = [502, 'STORE_API_ERROR']
    for (const more of [{ total: amount }, { lines: listOf([lineAs('INDIE', 0, { amount })]) }]) {
      answer({ 'GET /invoices/in_1': invoiceAs('in_1', more), 'GET /invoices': listOf([invoiceAs('in_1', more)]) })
      expect(await refusal(admin().get('/billing/invoices/in_1'))).toEqual(refused)
      expect(await refusal(admin().get('/billing/invoices'))).toEqual(refused)
    }
    answer({ 'POST /invoices/create_preview': invoiceAs('in_p', { amount_due: amount }) })
    expect(await refusal(upgrade('STUDIO', { dryRun: true }))).toEqual(refused)
    expect(await refusal(upgrade('STUDIO'))).toEqual(refused)
    expect(changes().filter((call) => call !== 'POST /invoices/create_preview')).toEqual([])
  })

  test.each([
    ['usd', 5, '0.05'],
    ['usd', -5, '-0.05'],
    ['usd', 0, '0.00'],
    ['jpy', 7, '7'],
    ['kwd', 29001, '29.001'],
    // Its millionths would be no exact number.
    ['usd', 9_007_199_254_740_991, '90071992547409.91'],
  ])('in %s with %p show %p', async (currency, total, shown) => {
    answer({ 'GET /invoices/in_1': invoiceAs('in_1', { currency, total, lines: listOf([]) }) })
    expect(await dataOf(admin().get('/billing/invoices/in_1'))).toMatchObject({ total: shown })
  })

  test('of others, and names that are none, are 404; an outage is 503', async () => {
    answer({ 'GET /invoices/in_3': invoiceAs('in_3', { customer: 'cus_other' }) })
    for (const id of ['in_3', 'in_4', 'sub_1', 'in_1%2Fpay'])
      expect(await refusal(admin().get(`/billing/invoices/${id}`))).toEqual([404, 'NOT_FOUND'])
    expect(stage.account.called()).toEqual(['GET /invoices/in_3', 'GET /invoices/in_4'])
    answer({ 'GET /invoices/in_3': BROKEN })
    expect(await refusal(admin().get('/billing/invoices/in_3'))).toEqual([503, 'STORE_UNAVAILABLE'])
    answer({ 'GET /invoices': BROKEN })
    expect(await refusal(admin().get('/billing/invoices'))).toEqual([503, 'STORE_UNAVAILABLE'])
  })
})

test('details are changed at the provider first, and not saved when it refuses', async () => {
  const { taxId: _, ...without } = DETAILS
  answer({ 'POST /customers/cus_1': BROKEN })
  expect(await refusal(admin().put('/billing/details', without))).toEqual([503, 'STORE_UNAVAILABLE'])
  answer({ 'POST /customers/cus_1': new Refusal(400, { type: 'invalid_request_error', code: 'tax_id_invalid' }) })
  expect(await refusal(admin().put('/billing/details', without))).toEqual([422, 'PAYMENT_PROVIDER_REJECTED'])
  expect((await dataOf(admin().get('/billing/details'))).details).toEqual(DETAILS)
  answer({ 'POST /customers/cus_1': customerAs() })
  await dataOf(admin().put('/billing/details', without))
  expect(stage.account.last('POST /customers/cus_1')?.form).toMatchObject({
    ...{ name: 'Sleep Ltd', 'address[country]': 'IE', 'invoice_settings[custom_fields]': '' },
  })
  expect((await dataOf(admin().get('/billing/details'))).details).toEqual({ ...without, taxId: null })
})

describe('an open invoice', () => {
  const pay = async (outcome: object) => {
    answer({ 'POST /invoices/in_1/pay': outcome })
    const { status, body } = await upgrade('INDIE', { paymentMethodId: 'pm_2' })
    return [status, body.error?.code ?? body.data.clientSecret]
  }
  const failing = async (status: string) => {
    await is({ status })
    answer({
      'POST /payment_methods/pm_2/attach': cardAs('pm_2'),
      'GET /invoices': ({ query }) => listOf(query.status === 'open' ? [invoiceAs('in_1')] : []),
      'GET /invoices/in_1': invoiceAs('in_1'),
    })
  }

  test('is paid with another card, which pays from now on; what the bank does not take waits for the browser', async () => {
    await failing('past_due')
    expect(await pay(BROKEN)).toEqual([503, 'STORE_UNAVAILABLE'])
    expect(await pay(DECLINED)).toEqual([200, 'pi_1_secret_1'])
    expect(await pay(AUTHENTICATE)).toEqual([200, 'pi_1_secret_1'])
    expect(await stage.b.billing()).toMatchObject({ state: 'PAST_DUE' })
    expect(await pay(invoiceAs('in_1', { status: 'paid' }))).toEqual([200, null])
    expect(stage.account.last('POST /invoices/in_1/pay')?.form).toEqual({ payment_method: 'pm_2' })
    expect(stage.account.last('POST /subscriptions/sub_1')?.form).toEqual({ default_payment_method: 'pm_2' })
    expect(await stage.b.billing()).toMatchObject({ state: 'PAST_DUE' })
    await is({ status: 'active' })
    expect(await stage.b.billing()).toMatchObject({ state: 'ACTIVE', tier: 'INDIE' })
  })

  test('is confirmed in the browser without a card', async () => {
    await failing('past_due')
    expect(await dataOf(upgrade('INDIE'))).toMatchObject({ clientSecret: 'pi_1_secret_1', kind: 'payment' })
    expect(changes()).toEqual([])
    answer({ 'GET /invoices': listOf([]) })
    expect(await dataOf(upgrade('INDIE'))).toMatchObject({ clientSecret: null, kind: null })
  })

  test('of an unpaid subscription is made final first; drafts of the paused months are deleted', async () => {
    await failing('unpaid')
    expect(await stage.b.billing()).toMatchObject({ state: 'PAUSED', tier: 'FREE' })
    const open = invoiceAs('in_1')
    answer({
      'GET /invoices': ({ query }) =>
        listOf(query.status === 'open' ? [open] : [invoiceAs('in_3', { status: 'draft' }), invoiceAs('in_2')]),
      'DELETE /invoices/in_2': { id: 'in_2', object: 'invoice', deleted: true },
      'POST /invoices/in_3/finalize': invoiceAs('in_3'),
    })
    expect(await pay(invoiceAs('in_1', { status: 'paid' }))).toEqual([200, null])
    const made = changes().slice(-3)
    expect(made).toEqual(['DELETE /invoices/in_2', 'POST /invoices/in_3/finalize', 'POST /invoices/in_1/pay'])
    expect(stage.account.last('POST /invoices/in_3/finalize')?.form).toEqual({ auto_advance: 'false' })
  })
})

test('a provider that cannot be reached, or that never answers, is 503 with a time to wait', async () => {
  answer({ 'POST /subscriptions/sub_1': () => new Promise<object>(() => undefined) })
  const { status, body, headers } = await post('/billing/cancel')
  expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'STORE_UNAVAILABLE', '60'])
  expect(await stage.b.billing()).toMatchObject({ cancelAt: null })
}, 30_000)

test('after five outages the provider is left alone for a minute, and a refusal is none', async () => {
  answer({ 'GET /customers/cus_1': BROKEN })
  for (let count = 0; count < 5; count++) expect((await refusal(admin().get('/billing/payment-methods')))[0]).toBe(503)
  stage.account.calls.length = 0
  expect(await refusal(post('/billing/refresh'))).toEqual([503, 'STORE_UNAVAILABLE'])
  expect(stage.account.called()).toEqual([])
  expect(await stage.b.billing()).toMatchObject({ state: 'ACTIVE' })
  stage.b.s.ctx.clock.advance(MINUTE)
  answer({ 'GET /customers/cus_1': new Refusal(401, { type: 'invalid_request_error', code: 'api_key_expired' }) })
  for (let count = 0; count < 6; count++) expect((await refusal(admin().get('/billing/payment-methods')))[0]).toBe(422)
  expect(stage.account.called()).toHaveLength(6)
})
