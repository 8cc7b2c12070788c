import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { MINUTE, SECOND } from '../../src/base/lib/clock'
import { NOW } from '../support/context'
import { auditRows, dataOf } from '../support/operator'
import { DETAILS, emptyBilling } from '../support/plan-billing'
import {
  type AccountCall,
  type AccountStage,
  accountStage,
  BROKEN,
  cardAs,
  customerAs,
  invoiceAs,
  itemsOf,
  listOf,
  Refusal,
  START,
  subscriptionAs,
} from '../support/plan-billing-account'

let stage: AccountStage
beforeAll(async () => {
  stage = await accountStage()
})

/** A project with a running plan of the customer `cus_1`. */
beforeEach(async () => {
  stage.b.s.ctx.clock.set(NOW)
  await emptyBilling(stage.b.s)
  stage.account.answers = START()
  await dataOf(admin().put('/billing/details', DETAILS))
  await dataOf(upgrade('INDIE'))
  stage.b.s.ctx.clock.advance(SECOND)
  await stage.report('evt_1', { status: 'active' })
  stage.b.s.ctx.clock.advance(MINUTE)
  stage.account.calls.length = 0
})
afterAll(() => stage.close())

const admin = () => stage.b.admin()
const post = (path: string, body: unknown = {}) => admin().post(path, body)
const upgrade = (tier: string, more: object = {}) => post('/billing/upgrade', { tier, ...more })
const answer = (answers: AccountStage['account']['answers']) => Object.assign(stage.account.answers, answers)
const called = (call: string) => stage.account.calls.filter((one) => one.call === call)
const refusal = async (call: ReturnType<typeof post>) => {
  const { status, body } = await call
  return [status, body.error?.code]
}
const kept = async () =>
  (await stage.b.s.ctx.db.select().from(stage.b.s.ctx.tables.billingCustomers))
    .map(({ id, goneAt }) => [id, goneAt !== null])
    .sort()

const NO_CUSTOMER = { type: 'invalid_request_error', code: 'resource_missing', param: 'customer' }
const refusesGone = (otherwise: (call: AccountCall) => object) => (call: AccountCall) =>
  (call.form.customer ?? call.query.customer) === 'cus_1' ? new Refusal(400, NO_CUSTOMER) : otherwise(call)

/** As the provider does it: a deleted customer can only be read, and a key makes one customer. */
function isDeleted(state: object | Refusal = { ...customerAs(), deleted: true }) {
  const ids = new Map<string | null, string>()
  const made = ({ key }: AccountCall) => {
    ids.set(key, ids.get(key) ?? `cus_${ids.size + 2}`)
    return { ...customerAs(), id: ids.get(key) }
  }
  answer({
    'GET /customers/cus_1': state,
    'POST /customers/cus_1': new Refusal(404, { ...NO_CUSTOMER, param: 'id' }),
    'POST /customers': made,
    'GET /payment_methods': refusesGone(() => listOf([])),
    'GET /subscriptions': refusesGone(() => listOf([])),
    'GET /invoices': refusesGone(() => listOf([])),
    'POST /subscriptions': refusesGone(({ form }) => subscriptionAs({ id: 'sub_2', customer: form.customer })),
    'POST /setup_intents': refusesGone(() => ({ id: 'seti_1', object: 'setup_intent', client_secret: 'seti_secret' })),
    'GET /subscriptions/sub_1': subscriptionAs({ status: 'canceled' }),
    'POST /subscriptions/sub_1': new Refusal(404),
    'POST /invoices/create_preview': new Refusal(400),
  })
  for (const id of ['cus_2', 'cus_3'])
    answer({ [`GET /customers/${id}`]: { ...customerAs(), id }, [`POST /customers/${id}`]: { ...customerAs(), id } })
}

test('a plan is bought by another customer, once, and what the deleted one had has ended', async () => {
  isDeleted()
  expect(await dataOf(upgrade('STUDIO'))).toMatchObject({
    ...{ clientSecret: 'pi_1_secret_1', kind: 'payment', state: 'FREE' },
    dueNow: { amountMicros: 199_000_000, currency: 'USD' },
  })
  expect(called('POST /customers').map(({ form }) => [form.name, form['metadata[svcProject]']])).toEqual([
    ['Sleep Ltd', stage.b.s.project.id],
  ])
  expect(stage.account.last('POST /subscriptions')?.form).toMatchObject({
    ...{ customer: 'cus_2', 'items[0][price]': 'price_STUDIO' },
  })
  expect(await kept()).toEqual([
    ['cus_1', true],
    ['cus_2', false],
  ])
  await dataOf(upgrade('STUDIO'))
  expect(called('POST /customers')).toHaveLength(1)
  const items = itemsOf('price_STUDIO')
  const more = { id: 'sub_2', customer: 'cus_2', status: 'active', items, created: NOW / SECOND + 60 }
  await stage.report('evt_2', more)
  expect(await stage.b.billing()).toMatchObject({ state: 'ACTIVE', tier: 'STUDIO' })
})

test('a late event of the deleted customer is still one of the project', async () => {
  isDeleted()
  await dataOf(upgrade('STUDIO'))
  const { body } = await stage.report('evt_late', { status: 'canceled' }, 'deleted')
  expect(body).toEqual({ data: { received: true, duplicate: false } })
  const rows = await stage.b.s.ctx.db.select().from(stage.b.s.ctx.tables.billingEvents)
  expect(rows.map(({ id }) => id)).toContain('evt_late')
})

test('two at once make one customer', async () => {
  isDeleted()
  const secrets = await Promise.all([0, 1, 2].map(() => dataOf(post('/billing/payment-methods'))))
  expect(secrets).toEqual(Array(3).fill({ setupClientSecret: 'seti_secret' }))
  expect(new Set(called('POST /customers').map(({ key }) => key)).size).toBe(1)
  expect(await kept()).toEqual([
    ['cus_1', true],
    ['cus_2', false],
  ])
})

test('details and a tax id reach the new customer', async () => {
  isDeleted()
  await dataOf(admin().put('/billing/details', { ...DETAILS, name: 'Sleep Inc', taxId: 'IE7' }))
  expect(stage.account.last('POST /customers/cus_2')?.form).toMatchObject({
    ...{ name: 'Sleep Inc', 'invoice_settings[custom_fields][0][value]': 'IE7' },
  })
  expect((await dataOf(admin().get('/billing/details'))).details).toMatchObject({ name: 'Sleep Inc' })
})

test('reading shows no cards, and keeps the invoices that the provider still has', async () => {
  isDeleted()
  expect((await dataOf(admin().get('/billing/payment-methods'))).items).toEqual([])
  expect((await dataOf(admin().get('/billing/invoices'))).items).toEqual([])
  await dataOf(post('/billing/payment-methods'))
  answer({ 'GET /invoices': ({ query }) => listOf(query.customer === 'cus_1' ? [invoiceAs('in_1')] : []) })
  answer({ 'GET /invoices/in_1': invoiceAs('in_1') })
  expect((await dataOf(admin().get('/billing/invoices'))).items).toMatchObject([{ id: 'in_1' }])
  expect(await dataOf(admin().get('/billing/invoices/in_1'))).toMatchObject({ total: '29.00' })
})

test('a trial run, a cancellation and a refresh make no customer; the plan has ended', async () => {
  isDeleted()
  expect(await dataOf(upgrade('STUDIO', { dryRun: true }))).toMatchObject({ dueNow: { amountMicros: 199_000_000 } })
  expect(await stage.b.billing()).toMatchObject({ state: 'ACTIVE' })
  expect(await refusal(post('/billing/cancel'))).toEqual([409, 'BILLING_NOTHING_TO_CANCEL'])
  expect(await stage.b.billing()).toMatchObject({ state: 'FREE', tier: 'FREE' })
  expect(await dataOf(post('/billing/refresh'))).toMatchObject({ state: 'FREE' })
  expect(called('POST /customers')).toEqual([])
})

test('an unpaid plan that ended with its customer is bought anew', async () => {
  await stage.report('evt_2', { status: 'past_due' })
  expect(await stage.b.billing()).toMatchObject({ state: 'PAST_DUE' })
  isDeleted()
  answer({ 'GET /subscriptions': ({ query }) => listOf(query.customer === 'cus_1' ? [ended()] : []) })
  expect(await dataOf(upgrade('INDIE'))).toMatchObject({ kind: 'payment', state: 'FREE' })
  expect(stage.account.last('POST /subscriptions')?.form).toMatchObject({ customer: 'cus_2' })
})
const ended = () => subscriptionAs({ status: 'canceled' })

test('a customer that the account never had is replaced too, but nothing is recorded as ended', async () => {
  isDeleted(new Refusal(404, { ...NO_CUSTOMER, param: 'id' }))
  expect(await refusal(post('/billing/refresh'))).toEqual([422, 'PAYMENT_PROVIDER_REJECTED'])
  expect(await dataOf(upgrade('STUDIO'))).toMatchObject({ clientSecret: 'pi_1_secret_1', state: 'ACTIVE' })
  expect(await dataOf(upgrade('STUDIO'))).toMatchObject({ clientSecret: 'pi_1_secret_1' })
  expect(called('POST /customers')).toHaveLength(1)
  expect(await stage.b.billing()).toMatchObject({ state: 'ACTIVE', tier: 'INDIE' })
})

test('other refusals, and a provider that is away, make no customer and keep the present one', async () => {
  const added = async () => (await auditRows(stage.b.s)).filter(({ action }) => action === 'billing.card.add').length
  const before = await added()
  answer({ 'POST /setup_intents': new Refusal(400, { ...NO_CUSTOMER, param: 'payment_method' }) })
  expect(await refusal(post('/billing/payment-methods'))).toEqual([422, 'PAYMENT_PROVIDER_REJECTED'])
  answer({ 'POST /setup_intents': BROKEN })
  expect(await refusal(post('/billing/payment-methods'))).toEqual([503, 'STORE_UNAVAILABLE'])
  isDeleted()
  answer({ 'POST /customers': BROKEN })
  expect(await refusal(post('/billing/payment-methods'))).toEqual([503, 'STORE_UNAVAILABLE'])
  expect(await kept()).toEqual([['cus_1', false]])
  answer({ 'POST /customers': { ...customerAs(), id: 'cus_2' }, 'POST /setup_intents': new Refusal(400) })
  expect(await refusal(post('/billing/payment-methods'))).toEqual([422, 'PAYMENT_PROVIDER_REJECTED'])
  expect(await kept()).toHaveLength(2)
  expect(await added()).toBe(before)
})

test('cards of the new customer are its own', async () => {
  isDeleted()
  await dataOf(post('/billing/payment-methods'))
  answer({ 'GET /payment_methods': listOf([cardAs('pm_7')]) })
  expect((await dataOf(admin().get('/billing/payment-methods'))).items).toMatchObject([{ id: 'pm_7' }])
  expect(stage.account.last('GET /payment_methods')?.query).toMatchObject({ customer: 'cus_2' })
})
