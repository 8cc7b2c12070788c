import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DEFAULT_PLANS } from '../../src/base/config-cloud'
import { DAY } from '../../src/base/lib/clock'
import { careFor } from '../../src/operators/plan-billing/care'
import { setPlan } from '../../src/projects/billing/service'
import { advanceBilling } from '../../src/test-store/billing/care'
import { changeScene, deliverBilling } from '../../src/test-store/billing/scene'
import { authenticate, confirmWith, failNow, recover } from '../../src/test-store/billing/turns'
import { simulateCommand } from '../../src/test-store/command/simulate'
import { runBeside } from '../support/command'
import { NOW } from '../support/context'
import { auditRows, dataOf } from '../support/operator'
import { type BillingStage, billingStage, DETAILS, emptyBilling } from '../support/plan-billing'

let b: BillingStage
let off: BillingStage
let self: BillingStage
let live: BillingStage
const LIVE = {
  SVC_BILLING_SECRET_KEY: 'sk_live_1',
  SVC_BILLING_PUBLISHABLE_KEY: 'pk_live_1',
}
beforeAll(async () => {
  b = await billingStage()
  off = await billingStage({ SVC_SIMULATOR: 'off' })
  self = await billingStage({ SVC_CLOUD: '0' })
  live = await billingStage({ ...LIVE, SVC_BILLING_PLANS: pricedPlans() })
})
beforeEach(async () => {
  b.s.ctx.clock.set(NOW)
  await emptyBilling(b.s)
})
afterAll(async () => {
  for (const one of [b, off, self, live]) await one.close()
})

const pricedPlans = (): string =>
  JSON.stringify(DEFAULT_PLANS.map((plan) => (plan.monthly ? { ...plan, priceId: `price_${plan.tier}` } : plan)))

const post = (path: string, body: unknown = {}) => b.admin().post(path, body)
const named = () => dataOf(b.admin().put('/billing/details', DETAILS))
const buy = async (tier = 'INDIE', paymentMethodId: string | undefined = 'pm_card_visa') => {
  await named()
  return dataOf(post('/billing/upgrade', { tier, ...(paymentMethodId && { paymentMethodId }) }))
}
const cards = async () => (await dataOf(b.admin().get('/billing/payment-methods'))).items
const invoices = async () => (await dataOf(b.admin().get('/billing/invoices'))).items
const project = () => b.s.project.id
const advance = (days: number) => advanceBilling(b.s.ctx, project(), days * DAY)
const care = () => careFor(b.s.ctx, project())
const store = { fail: () => failNow(b.s.ctx, project()), recover: () => recover(b.s.ctx, project()) }
const refusal = async (call: ReturnType<typeof post>) => {
  const { status, body } = await call
  return [status, body.error?.code]
}
const giveByHand = (tier: 'FREE' | 'INDIE' | 'STUDIO' | 'ENTERPRISE', until: number | null = null) =>
  setPlan(b.s.ctx, { projectId: project(), actor: { kind: 'CLI', id: null, email: null } }, { tier, until, note: 'n' })

const ROUTES: [string, string, unknown][] = [
  ['POST', '/billing/upgrade', { tier: 'INDIE' }],
  ['POST', '/billing/cancel', {}],
  ['POST', '/billing/cancel/undo', {}],
  ['POST', '/billing/refresh', {}],
  ['GET', '/billing/payment-methods', undefined],
  ['POST', '/billing/payment-methods', {}],
  ['POST', '/billing/payment-methods/pm_1/default', {}],
  ['DELETE', '/billing/payment-methods/pm_1', undefined],
  ['GET', '/billing/invoices', undefined],
  ['GET', '/billing/invoices/in_1', undefined],
  ['GET', '/billing/details', undefined],
  ['PUT', '/billing/details', DETAILS],
]

describe.each(ROUTES)('%s %s is refused', (method, path, body) => {
  test('where projects are not billed, after membership and role', async () => {
    const { status, body: answer } = await self.admin().call(method, path, body)
    expect([status, answer.error.details]).toEqual([503, { feature: 'billing' }])
    expect((await self.team.as('STRANGER').call(method, path, body)).status).toBe(404)
    expect((await self.team.as('DEVELOPER').call(method, path, body)).status).toBe(403)
  })

  test('without a provider, and with live keys on a server that is not public', async () => {
    const { status, body: answer } = await off.admin().call(method, path, body)
    expect([status, answer.error.details]).toEqual([503, { feature: 'billing' }])
    const { body: refused } = await live.admin().call(method, path, body)
    expect(refused.error.details).toEqual({ feature: 'billing', reason: 'live_keys_refused' })
  })

  test('to a support grant and to a stranger', async () => {
    expect((await b.team.as('STRANGER').call(method, path, body)).status).toBe(404)
    expect((await b.team.as('SUPPORT_READ').call(method, path, body)).status).toBe(403)
  })
})

describe('an upgrade is refused', () => {
  test('without the country of the buyer', async () => {
    expect(await refusal(post('/billing/upgrade', { tier: 'INDIE' }))).toEqual([400, 'VALIDATION_ERROR'])
  })

  test.each([
    ['FREE', { tier: 'FREE' }],
    ['a plan without a price', { tier: 'ENTERPRISE' }],
    ['an unknown plan', { tier: 'GOLD' }],
    ['a card of another kind', { tier: 'INDIE', paymentMethodId: 'card_1' }],
    ['an unknown member', { tier: 'INDIE', coupon: 'X' }],
  ])('to %s', async (_, body) => {
    await named()
    expect(await refusal(post('/billing/upgrade', body))).toEqual([400, 'VALIDATION_ERROR'])
    expect(await b.billing()).toMatchObject({ state: 'FREE', tier: 'FREE' })
  })

  test('with a card that the provider does not know', async () => {
    await named()
    expect(await refusal(post('/billing/upgrade', { tier: 'INDIE', paymentMethodId: 'pm_nobody' }))).toEqual([
      422,
      'PAYMENT_PROVIDER_REJECTED',
    ])
    expect(await b.billing()).toMatchObject({ state: 'FREE' })
  })

  test('to the plan that runs', async () => {
    await buy()
    expect(await refusal(post('/billing/upgrade', { tier: 'INDIE' }))).toEqual([409, 'BILLING_ALREADY_ACTIVE'])
    expect(await refusal(post('/billing/upgrade', { tier: 'INDIE', dryRun: true }))).toEqual([
      409,
      'BILLING_ALREADY_ACTIVE',
    ])
  })

  test('to a plan that is not above the one that was given by hand', async () => {
    await named()
    await giveByHand('STUDIO')
    expect(await refusal(post('/billing/upgrade', { tier: 'INDIE' }))).toEqual([409, 'BILLING_ALREADY_ACTIVE'])
  })

  test('while the provider is away, and nothing has changed', async () => {
    await named()
    await changeScene(b.s.ctx, project(), ({ world }) => void Object.assign(world.trouble, { isStoreDown: true }))
    expect(await refusal(post('/billing/upgrade', { tier: 'INDIE' }))).toEqual([503, 'STORE_UNAVAILABLE'])
    expect(await b.billing()).toMatchObject({ state: 'FREE' })
  })

  test('while another plan has an open invoice', async () => {
    await buy()
    await store.fail()
    expect(await refusal(post('/billing/upgrade', { tier: 'STUDIO' }))).toEqual([409, 'CONFLICT'])
  })
})

describe('an upgrade', () => {
  test('with a card that pays is ACTIVE when the provider has told so', async () => {
    expect(await buy()).toMatchObject({
      ...{ clientSecret: null, kind: null, state: 'ACTIVE' },
      dueNow: { amountMicros: 29_000_000, currency: 'USD' },
      nextAmount: { amountMicros: 29_000_000, currency: 'USD' },
    })
    expect(await b.billing()).toMatchObject({ tier: 'INDIE', state: 'ACTIVE', cancelAt: null, pendingTier: null })
    expect((await auditRows(b.s)).map(({ action }) => action)).toContain('billing.upgrade')
  })

  test('in a dry run changes nothing', async () => {
    await named()
    const answer = await dataOf(post('/billing/upgrade', { tier: 'STUDIO', dryRun: true }))
    expect([answer.dueNow.amountMicros, answer.state]).toEqual([199_000_000, 'FREE'])
    expect(await invoices()).toEqual([])
    expect(await refusal(post('/billing/payment-methods'))).toEqual([409, 'BILLING_UPGRADE_REQUIRED'])
  })

  test('without a card waits for the browser, stays FREE, and is ACTIVE once it has paid', async () => {
    const { clientSecret, kind, state } = await buy('INDIE', '')
    expect([kind, state]).toEqual(['payment', 'FREE'])
    expect(await confirmWith(b.s.ctx, project(), clientSecret, 'declined')).toBe(false)
    expect(await b.billing()).toMatchObject({ state: 'FREE' })
    expect(await confirmWith(b.s.ctx, project(), clientSecret, 'visa')).toBe(true)
    expect(await b.billing()).toMatchObject({ state: 'ACTIVE', tier: 'INDIE' })
  })

  test('with a card that asks for an authentication is ACTIVE after it', async () => {
    const { clientSecret, state } = await buy('INDIE', 'pm_card_authenticationRequired')
    expect([typeof clientSecret, state]).toEqual(['string', 'FREE'])
    await authenticate(b.s.ctx, project())
    expect(await b.billing()).toMatchObject({ state: 'ACTIVE' })
  })

  test('that is declined stays FREE, and a second try with another card goes on with it', async () => {
    expect(await buy('INDIE', 'pm_card_visa_chargeDeclined')).toMatchObject({ kind: 'payment', state: 'FREE' })
    expect(await buy('INDIE', 'pm_card_visa')).toMatchObject({ kind: null, state: 'ACTIVE' })
    expect((await invoices()).map(({ status }: { status: string }) => status)).toEqual(['paid'])
  })

  test('twice at once makes one subscription', async () => {
    await named()
    const body = { tier: 'INDIE', paymentMethodId: 'pm_card_visa' }
    const answers = await Promise.all([post('/billing/upgrade', body), post('/billing/upgrade', body)])
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(Object.keys((await b.world()).subscriptions)).toHaveLength(1)
    expect((await invoices()).map(({ status }: { status: string }) => status)).toEqual(['paid'])
  })

  test('to a higher plan is charged in proportion and holds at once', async () => {
    await buy()
    await advance(15)
    const dry = await dataOf(post('/billing/upgrade', { tier: 'STUDIO', dryRun: true }))
    expect(await dataOf(post('/billing/upgrade', { tier: 'STUDIO' }))).toMatchObject({ dueNow: dry.dueNow })
    expect(dry.dueNow).toEqual({ amountMicros: 85_000_000, currency: 'USD' })
    expect(await b.billing()).toMatchObject({ tier: 'STUDIO', state: 'ACTIVE' })
  })

  test('to a higher plan that is declined leaves the plan as it is', async () => {
    await buy()
    const answer = await dataOf(
      post('/billing/upgrade', { tier: 'STUDIO', paymentMethodId: 'pm_card_chargeCustomerFail' }),
    )
    expect(answer.kind).toBe('payment')
    expect(await b.billing()).toMatchObject({ tier: 'INDIE', state: 'ACTIVE' })
  })

  test('to a lower plan begins with the next period, and the same plan calls it off', async () => {
    await buy('STUDIO')
    expect(await dataOf(post('/billing/upgrade', { tier: 'INDIE' }))).toMatchObject({ dueNow: { amountMicros: 0 } })
    expect(await b.billing()).toMatchObject({ tier: 'STUDIO', pendingTier: 'INDIE' })
    expect(await refusal(post('/billing/upgrade', { tier: 'INDIE' }))).toEqual([409, 'BILLING_ALREADY_ACTIVE'])
    await dataOf(post('/billing/upgrade', { tier: 'STUDIO' }))
    expect(await b.billing()).toMatchObject({ tier: 'STUDIO', pendingTier: null })
    await dataOf(post('/billing/upgrade', { tier: 'INDIE' }))
    await advance(31)
    expect(await b.billing()).toMatchObject({ tier: 'INDIE', pendingTier: null, state: 'ACTIVE' })
    expect((await invoices())[0]).toMatchObject({ total: '29.00', status: 'paid' })
  })
})

describe('cancel', () => {
  test('is refused without a plan, twice, and to undo what was not cancelled', async () => {
    for (const path of ['/billing/cancel', '/billing/cancel/undo'])
      expect(await refusal(post(path))).toEqual([409, 'BILLING_NOTHING_TO_CANCEL'])
    await buy()
    expect(await refusal(post('/billing/cancel/undo'))).toEqual([409, 'BILLING_NOTHING_TO_CANCEL'])
    await dataOf(post('/billing/cancel'))
    expect(await refusal(post('/billing/cancel'))).toEqual([409, 'BILLING_NOTHING_TO_CANCEL'])
    expect(await refusal(post('/billing/upgrade', { tier: 'STUDIO' }))).toEqual([409, 'CONFLICT'])
  })

  test('ends the plan with its period; undo before it keeps it', async () => {
    await buy()
    const { renewsAt } = await b.billing()
    expect(await dataOf(post('/billing/cancel'))).toMatchObject({ cancelAt: renewsAt, renewsAt: null, state: 'ACTIVE' })
    expect(await dataOf(post('/billing/cancel/undo'))).toMatchObject({ cancelAt: null, renewsAt })
    await dataOf(post('/billing/cancel'))
    await advance(31)
    expect(await b.billing()).toMatchObject({ tier: 'FREE', state: 'FREE', cancelAt: null })
    expect(await buy()).toMatchObject({ state: 'ACTIVE' })
  })
})

describe('cards', () => {
  test('are refused before the first upgrade, of others, and to remove the last of a running plan', async () => {
    expect(await cards()).toEqual([])
    expect(await refusal(post('/billing/payment-methods'))).toEqual([409, 'BILLING_UPGRADE_REQUIRED'])
    await buy()
    const [card] = await cards()
    expect(await refusal(b.admin().delete(`/billing/payment-methods/${card.id}`))).toEqual([409, 'BILLING_CARD_IN_USE'])
    expect(await refusal(b.admin().delete('/billing/payment-methods/pm_other'))).toEqual([404, 'NOT_FOUND'])
    expect(await refusal(post('/billing/payment-methods/pm_other/default'))).toEqual([404, 'NOT_FOUND'])
    await store.fail()
    const failing = (await cards()).filter(({ id }: { id: string }) => id !== card.id)
    await dataOf(b.admin().delete(`/billing/payment-methods/${card.id}`))
    expect(await b.billing()).toMatchObject({ state: 'PAST_DUE' })
    expect(await refusal(b.admin().delete(`/billing/payment-methods/${failing[0].id}`))).toEqual([
      409,
      'BILLING_CARD_IN_USE',
    ])
  })

  test('the last one stays while an invoice is open in another state', async () => {
    await buy()
    await store.fail()
    const [first] = await cards()
    await advance(22)
    expect(await b.billing()).toMatchObject({ state: 'PAUSED', tier: 'FREE' })
    await dataOf(b.admin().delete(`/billing/payment-methods/${first.id}`))
    const [last] = await cards()
    expect(await refusal(b.admin().delete(`/billing/payment-methods/${last.id}`))).toEqual([
      409,
      'BILLING_CARD_OPEN_INVOICE',
    ])
  })

  test('are added by the browser, chosen and removed', async () => {
    await buy()
    const { setupClientSecret } = await dataOf(post('/billing/payment-methods'))
    await confirmWith(b.s.ctx, project(), setupClientSecret, 'master')
    const [old, added] = await cards()
    expect([old.isDefault, added.isDefault, added.brand, added.last4]).toEqual([false, true, 'mastercard', '4444'])
    expect(await dataOf(post(`/billing/payment-methods/${old.id}/default`))).toMatchObject({ isDefault: true })
    await dataOf(b.admin().delete(`/billing/payment-methods/${old.id}`))
    expect(await cards()).toMatchObject([{ id: added.id, isDefault: true }])
  })

  test('the last one goes when the plan has ended and all is paid', async () => {
    await buy()
    await dataOf(post('/billing/cancel'))
    await advance(31)
    const [card] = await cards()
    await dataOf(b.admin().delete(`/billing/payment-methods/${card.id}`))
    expect(await cards()).toEqual([])
  })
})

describe('invoices', () => {
  test('open to their lines, what was used, and its rows; others are 404', async () => {
    await buy()
    const [invoice] = await invoices()
    expect(invoice).toMatchObject({ total: '29.00', currency: 'USD', status: 'paid' })
    const details = await dataOf(b.admin().get(`/billing/invoices/${invoice.id}`))
    expect(details.lines).toEqual([{ text: 'INDIE, one month', quantity: 1, amount: '29.00' }])
    expect(details.usage.map(({ meter }: { meter: string }) => meter)).toEqual(['events', 'sqlQueries'])
    expect(
      (await b.s.call('GET', details.rowsUrl, { key: null, headers: { cookie: 'svc_session=ADMIN' } })).status,
    ).toBe(200)
    for (const id of ['in_other', '__proto__', invoice.number])
      expect(await refusal(b.admin().get(`/billing/invoices/${id}`))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('details', () => {
  test('are shown as they were saved, and there are none before', async () => {
    const saved = async () => (await dataOf(b.admin().get('/billing/details'))).details
    expect(await saved()).toBeNull()
    await named()
    expect(await saved()).toEqual(DETAILS)
    const { taxId: _, ...without } = DETAILS
    await dataOf(b.admin().put('/billing/details', without))
    expect(await saved()).toEqual({ ...without, taxId: null })
    expect((await b.admin().put('/billing/details', { ...DETAILS, name: ' ' })).status).toBe(400)
    expect(await saved()).toEqual({ ...without, taxId: null })
  })

  test.each([
    ['no country', { ...DETAILS, address: { line1: 'x', city: 'y' } }],
    ['a country in words', { ...DETAILS, address: { ...DETAILS.address, country: 'Ireland' } }],
    ['a country in small letters', { ...DETAILS, address: { ...DETAILS.address, country: 'ie' } }],
    ['an empty name', { ...DETAILS, name: ' ' }],
    ['an empty tax id', { ...DETAILS, taxId: '' }],
    ['an unknown member', { ...DETAILS, phone: '1' }],
  ])('with %s are refused', async (_, body) => {
    expect(await refusal(b.admin().put('/billing/details', body))).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('a payment that fails', () => {
  test('is PAST_DUE for 21 days with the plan, then PAUSED on FREE; paying makes it ACTIVE at once', async () => {
    await buy()
    await store.fail()
    expect(await b.billing()).toMatchObject({ state: 'PAST_DUE', tier: 'INDIE' })
    await advance(20)
    expect(await b.billing()).toMatchObject({ state: 'PAST_DUE', tier: 'INDIE' })
    await advance(1)
    expect(await b.billing()).toMatchObject({ state: 'PAUSED', tier: 'FREE' })
    await store.recover()
    expect(await b.billing()).toMatchObject({ state: 'ACTIVE', tier: 'INDIE' })
  })

  test('is paid by an upgrade to the same plan with a card that works', async () => {
    await buy()
    await store.fail()
    expect(await buy('INDIE', 'pm_card_chargeCustomerFail')).toMatchObject({ kind: 'payment', state: 'PAST_DUE' })
    expect(await buy('INDIE', 'pm_card_visa')).toMatchObject({ kind: null, state: 'ACTIVE' })
  })

  test('closes the billing 60 days after the pause, after two mails; the project is on FREE and can begin anew', async () => {
    await buy()
    await store.fail()
    await advance(21)
    const account = async () => (await b.s.ctx.db.select().from(b.s.ctx.tables.billingAccounts))[0]
    await advance(29)
    expect(await account()).toMatchObject({ firstMailAt: null })
    await advance(1)
    expect((await account())?.firstMailAt).not.toBeNull()
    await care()
    await advance(22)
    expect((await account())?.secondMailAt).toBeNull()
    await advance(1)
    expect((await account())?.secondMailAt).not.toBeNull()
    await advance(6)
    expect(await b.billing()).toMatchObject({ state: 'PAUSED' })
    await advance(1)
    expect(await b.billing()).toMatchObject({ state: 'DELETED', tier: 'FREE' })
    await care()
    expect(await buy()).toMatchObject({ state: 'ACTIVE' })
    expect(await b.billing()).toMatchObject({ state: 'ACTIVE', tier: 'INDIE' })
  })
})

describe('a plan by hand', () => {
  test('cancels the running subscription, holds beside it, and gives way after its end', async () => {
    await buy()
    await giveByHand('STUDIO', NOW + 10 * DAY)
    await care()
    expect(await b.billing()).toMatchObject({ tier: 'STUDIO', state: 'ACTIVE', renewsAt: null })
    expect((await b.billing()).cancelAt).not.toBeNull()
    b.s.ctx.clock.advance(10 * DAY)
    expect(await b.billing()).toMatchObject({ tier: 'INDIE' })
    await advance(31)
    expect(await b.billing()).toMatchObject({ tier: 'FREE', state: 'FREE' })
  })
})

test('a higher plan that is bought beside one by hand is not cancelled', async () => {
  await giveByHand('INDIE')
  b.s.ctx.clock.advance(DAY)
  await buy('STUDIO')
  await care()
  expect(await b.billing()).toMatchObject({ tier: 'STUDIO', state: 'ACTIVE', cancelAt: null })
})

describe('events of the provider', () => {
  test('that were lost are asked for by a refresh', async () => {
    await named()
    await changeScene(b.s.ctx, project(), ({ world }) => void Object.assign(world.trouble, { dropRate: 1 }))
    expect(await buy()).toMatchObject({ state: 'FREE' })
    expect(await dataOf(post('/billing/refresh'))).toMatchObject({ state: 'ACTIVE', tier: 'INDIE' })
    expect(await dataOf(post('/billing/refresh'))).toMatchObject({ state: 'ACTIVE' })
  })

  test('that come late, twice and backwards give the same state', async () => {
    await changeScene(
      b.s.ctx,
      project(),
      ({ world }) => void Object.assign(world.trouble, { duplicates: 2, isReordered: true, delayMs: DAY }),
    )
    expect(await buy()).toMatchObject({ state: 'FREE' })
    await deliverBilling(b.s.ctx, project(), true)
    expect(await b.billing()).toMatchObject({ state: 'ACTIVE', tier: 'INDIE' })
  })
})

describe('svc simulate billing', () => {
  test.each([
    ['an unknown action', ['dance']],
    ['nothing', []],
    ['a card of no kind', ['card', '--kind', 'gold']],
    ['a confirmation without a secret', ['confirm', '--card', 'visa']],
    ['no time', ['advance']],
    ['an option of another action', ['card', '--kind', 'visa', '--card', 'visa']],
  ])('refuses %s', async (_, args) => {
    expect((await runBeside(b.s, simulateCommand, 'billing', ...args)).code).toBe(2)
  })

  test('drives a life: fail, advance, recover', async () => {
    await buy()
    const run = async (...args: string[]) => {
      const { out } = await runBeside(b.s, simulateCommand, 'billing', ...args, '--project', project(), '--json')
      return JSON.parse(out).billing.state
    }
    expect(await run('fail')).toBe('PAST_DUE')
    expect(await run('advance', '22d')).toBe('PAUSED')
    expect(await run('recover')).toBe('ACTIVE')
  })
})
