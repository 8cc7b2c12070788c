import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { API_VERSION } from '../../src/stores/payment/provider'
import { addPrice } from '../../src/test-store/stores/payment-billing'
import { attempt } from '../../src/test-store/stores/payment-intents'
import { refundCharge } from '../../src/test-store/stores/payment-returns'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import type { Answer } from '../support/cast'
import { FunnelBrowser } from '../support/funnel-browser'
import { madeIn, type PaidFunnel, publishPaidFunnel, type Visitor, visitorAtPayment } from '../support/funnel-payments'
import { funnelPage, publishFunnel, slugOf } from '../support/funnels'
import { dataOf } from '../support/operator'
import { type PaymentStage, PRICES, paymentStage, sellThrough, stopSelling } from '../support/payment'
import { staff } from '../support/staff'

let s: PaymentStage
let funnel: PaidFunnel

const KEY = 'pk_test_stage'

beforeAll(async () => {
  s = await paymentStage({ env: { PUBLIC_BASE_URL: 'https://svc.example.com' } })
  await sellThrough(s, s.project, null, 'test', KEY)
  funnel = await publishPaidFunnel(s)
})
beforeEach(() => {
  s.ctx.clock.advance(2 * MINUTE) // The calls of an address are counted by the minute.
  s.server.faults = NO_FAULTS
})
afterAll(() => s.close())

const visitor = (): Promise<Visitor> => visitorAtPayment(s, funnel)
const made = (one: Visitor) => madeIn(s, one)
const begun = async (one: Visitor, ...order: Parameters<Visitor['begin']>) => {
  const answer = await one.begin(...order)
  expect([answer.status, answer.body.data?.payment_id.slice(0, 4)]).toEqual([200, 'fpy_'])
  return answer.body.data
}
const refused = (answer: Answer, status: number, code: string) => {
  expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  return answer.body.error
}
const intentIn = ({ client_secret }: { client_secret: string }): string => client_secret.split('_secret_')[0] ?? ''

describe('a subscription', () => {
  test('is made incomplete, with the session in its metadata and a key of the lease, and the page pays it', async () => {
    const one = await visitor()
    const from = s.server.requests.length
    const intent = await begun(one)
    expect([intent.kind, intent.publishable_key, intent.amount]).toEqual([
      'payment',
      KEY,
      { amountMicros: 9_990_000, currency: 'USD' },
    ])
    const order = s.server.requests.slice(from).find(({ path }) => path === '/v1/subscriptions')
    expect(order?.idempotencyKey).toBe(sha256Hex(`${one.sessionId}:monthly:1`))
    expect(order?.form.payment_behavior).toBe('default_incomplete')
    expect(order?.form.metadata).toEqual(Object.assign(Object.create(null), { svc_funnel_session: one.sessionId }))
    refused(await one.confirm(intent.payment_id), 409, 'PAYMENT_NOT_SETTLED_YET')
    attempt(s.world, intentIn(intent), 'succeeded')
    expect((await one.confirm(intent.payment_id)).body.data.already_issued).toBe(false)
    const { purchases, session, tokens, paid } = await made(one)
    expect(purchases).toMatchObject([{ status: 'ACTIVE', environment: 'SANDBOX' }])
    expect([session?.state, tokens.length, paid.length]).toEqual(['PAID', 1, 1])
    await s.deliverAll()
    const after = await made(one)
    expect([after.purchases.length, after.tokens, after.paid]).toEqual([1, tokens, paid])
  })

  test('is recorded once by its messages when the visitor never confirms', async () => {
    const one = await visitor()
    const intent = await begun(one)
    expect((await s.deliverAll()).map(({ status }) => status)).toEqual([200])
    expect((await made(one)).purchases).toEqual([])
    attempt(s.world, intentIn(intent), 'succeeded')
    await s.deliverAll()
    const { purchases, session, tokens, paid } = await made(one)
    expect([purchases.length, session?.state, tokens.length, paid.length]).toEqual([1, 'PAID', 1, 1])
    expect((await one.confirm(intent.payment_id)).body.data.already_issued).toBe(false)
  })

  test('is recorded once when the messages and the confirmation come at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const one = await visitor()
      const intent = await begun(one)
      attempt(s.world, intentIn(intent), 'succeeded')
      const deliveries = await s.deliveries()
      const answers = await Promise.all([
        ...deliveries.map((delivery) => s.deliver(delivery)),
        one.confirm(intent.payment_id),
        one.confirm(intent.payment_id),
      ])
      const confirmed = answers.slice(-2)
      expect(confirmed.some(({ status }) => status === 200)).toBe(true)
      for (const { status, body } of confirmed) if (status !== 200) expect(body.error.code).toBe('PAYMENT_IN_FLIGHT')
      await s.deliverAll()
      const { purchases, tokens, paid, payments } = await made(one)
      expect([purchases.length, tokens.length, paid.length, payments.length]).toEqual([1, 1, 1, 1])
    }
  })

  test('with a trial sets up a payment method, and gives nothing before that', async () => {
    const price = addPrice(s.world, { id: 'price_monthly', ...PRICES.price_monthly })
    s.world.prices.set(price.id, {
      ...price,
      recurring: price.recurring && { ...price.recurring, trial_period_days: 7 },
    })
    const one = await visitor()
    const intent = await begun(one)
    expect([intent.kind, intent.amount.amountMicros]).toEqual(['setup', 0])
    expect(intent.client_secret).toStartWith('seti_')
    await s.deliverAll()
    expect((await made(one)).purchases).toEqual([])
    expect(refused(await one.confirm(intent.payment_id), 409, 'PAYMENT_NOT_SETTLED_YET').details).toEqual({
      status: 'requires_payment',
    })
    attempt(s.world, intentIn(intent), 'succeeded')
    expect((await one.confirm(intent.payment_id)).body.data.already_issued).toBe(false)
    expect((await made(one)).purchases).toMatchObject([{ status: 'TRIAL' }])
    addPrice(s.world, { id: 'price_monthly', ...PRICES.price_monthly })
  })

  test('costs less with a promotion code, and a code that ended takes nothing off', async () => {
    const code = { id: 'promo_half', object: 'promotion_code' as const, code: 'HALF', active: true, percent_off: 50 }
    s.world.promotionCodes.set(code.id, code)
    const one = await visitor()
    const intent = await begun(one, 'monthly', { promotion_code: 'HALF' })
    expect(intent.amount).toEqual({ amountMicros: 5_000_000, currency: 'USD' })
    const coins = await visitor()
    expect((await begun(coins, 'coins', { promotion_code: 'HALF' })).amount.amountMicros).toBe(500_000)
    s.world.promotionCodes.set(code.id, { ...code, active: false })
    const late = await visitor()
    const error = refused(await late.begin('monthly', { promotion_code: 'HALF' }), 400, 'VALIDATION_ERROR')
    expect(error.details).toEqual({ field: 'promotion_code' })
  })

  test.each([
    ['for other products', { products: ['prod_other'] }],
    ['for a higher price', { restrictions: { minimum_amount: 100_000, minimum_amount_currency: 'usd' } }],
    ['for prices of another currency', { restrictions: { minimum_amount: 1, minimum_amount_currency: 'eur' } }],
  ])('takes nothing off with a code %s', async (_name, bounds) => {
    const code = { id: 'promo_b', object: 'promotion_code' as const, code: 'BOUND', active: true, percent_off: 50 }
    s.world.promotionCodes.set(code.id, { ...code, ...bounds })
    const one = await visitor()
    const { details } = refused(await one.begin('coins', { promotion_code: 'BOUND' }), 400, 'VALIDATION_ERROR')
    expect(details).toEqual({ field: 'promotion_code' })
    s.world.promotionCodes.set(code.id, { ...code, products: ['prod_price_coins'] })
    expect((await begun(one, 'coins', { promotion_code: 'BOUND' })).amount.amountMicros).toBe(500_000)
    s.world.promotionCodes.delete(code.id)
  })

  test('of another package ends the one before at the provider', async () => {
    const one = await visitor()
    const first = await begun(one)
    const reference = (await made(one)).payments[0]?.reference ?? ''
    const second = await begun(one, 'yearly')
    expect(s.world.subscriptions.get(reference)?.status).toBe('incomplete_expired')
    expect(second.payment_id).not.toBe(first.payment_id)
    attempt(s.world, intentIn(second), 'declined')
    refused(await one.confirm(second.payment_id), 409, 'PAYMENT_NOT_SETTLED_YET')
    expect(await begun(one, 'yearly')).toEqual(second)
    attempt(s.world, intentIn(second), 'succeeded')
    expect((await one.confirm(second.payment_id)).body.data.already_issued).toBe(false)
    const { payments, purchases } = await made(one)
    expect(payments.map(({ status }) => status).sort()).toEqual(['FAILED', 'PAID'])
    expect(purchases).toHaveLength(1)
  })

  test('that was paid while the visitor asks for another package is recorded, and not sold twice', async () => {
    const one = await visitor()
    const first = await begun(one)
    attempt(s.world, intentIn(first), 'succeeded')
    refused(await one.begin('yearly'), 409, 'PAYMENT_ALREADY_RECORDED')
    const { purchases, session } = await made(one)
    expect([purchases.length, session?.state]).toEqual([1, 'PAID'])
    expect((await one.confirm(first.payment_id)).body.data.already_issued).toBe(false)
  })

  test('whose price has changed is not begun at the price that the visitor saw', async () => {
    const one = await visitor()
    const first = await begun(one, 'monthly', { expected_amount_micros: 9_990_000 })
    addPrice(s.world, { id: 'price_monthly', amount: 1299, interval: 'month' })
    const { details } = refused(await one.begin('monthly', { expected_amount_micros: 9_990_000 }), 409, 'CONFLICT')
    expect(details).toEqual({ reason: 'price_changed', amount: { amountMicros: 12_990_000, currency: 'USD' } })
    const second = await begun(one, 'monthly', { expected_amount_micros: 12_990_000 })
    expect([second.payment_id === first.payment_id, second.amount.amountMicros]).toEqual([false, 12_990_000])
    addPrice(s.world, { id: 'price_monthly', ...PRICES.price_monthly })
  })
})

test('a product that is paid once has a payment of its own, and a refund marks it', async () => {
  const one = await visitor()
  const intent = await begun(one, 'coins')
  expect(intent.amount).toEqual({ amountMicros: 990_000, currency: 'USD' })
  attempt(s.world, intentIn(intent), 'processing')
  expect(refused(await one.confirm(intent.payment_id), 409, 'PAYMENT_NOT_SETTLED_YET').details).toEqual({
    status: 'processing',
  })
  refused(await one.begin('coins'), 409, 'PAYMENT_IN_FLIGHT')
  attempt(s.world, intentIn(intent), 'succeeded')
  await s.deliverAll()
  expect((await made(one)).purchases).toHaveLength(1)
  const charge = s.world.intents.get(intentIn(intent))?.latest_charge
  refundCharge(s.world, String(charge))
  await s.deliverAll()
  expect((await made(one)).payments).toMatchObject([{ status: 'REFUNDED' }])
  expect((await one.confirm(intent.payment_id)).body.data).toEqual({ already_issued: true })
})

describe('refused is', () => {
  test('the publishing of products that a live account cannot sell', async () => {
    const dev = staff(s).as('DEVELOPER')
    await dataOf(dev.patch(`/funnels/${funnel.id}`, { name: 'Sleep again' }))
    const { items } = await dataOf(dev.get('/products?limit=200'))
    const { id } = items.find(({ identifier }: { identifier: string }) => identifier === 'pro_yearly')
    await dataOf(dev.patch(`/products/${id}`, { storeIds: { payment: null } }))
    const publish = () => dev.post(`/funnels/${funnel.id}/publish`, {})
    await dataOf(publish())
    await sellThrough(s, s.project, null, 'live', 'pk_live_stage')
    await dataOf(dev.patch(`/products/${id}`, { storeIds: { payment: null } }))
    const { details } = refused(await publish(), 400, 'UNKNOWN_REFERENCES')
    expect(details).toEqual({ resource: 'product', ids: ['pro_yearly'] })
    expect((await dataOf(dev.post(`/funnels/${funnel.id}/validate`, {}))).faults).toEqual([
      { path: 'settings.offering', message: expect.stringContaining('cannot sell them: pro_yearly') },
    ])
    await sellThrough(s, s.project, null, 'test', KEY)
  })

  test('a payment while the provider does not answer, and it goes on afterwards', async () => {
    const one = await visitor()
    s.server.faults = { ...NO_FAULTS, status: 503 }
    refused(await one.begin(), 503, 'PAYMENT_TEMPORARILY_UNAVAILABLE')
    expect((await made(one)).payments).toEqual([])
    s.server.faults = NO_FAULTS
    s.ctx.clock.advance(2 * MINUTE) // Calls to a provider that is down begin again after a while.
    const intent = await begun(one)
    attempt(s.world, intentIn(intent), 'succeeded')
    s.server.faults = { ...NO_FAULTS, status: 503 }
    refused(await one.confirm(intent.payment_id), 503, 'PAYMENT_TEMPORARILY_UNAVAILABLE')
    expect((await made(one)).purchases).toEqual([])
    s.server.faults = NO_FAULTS
    s.ctx.clock.advance(2 * MINUTE)
    expect((await one.confirm(intent.payment_id)).body.data.already_issued).toBe(false)
  })

  test('what the provider refuses', async () => {
    const one = await visitor()
    const reply = ({ path }: { path: string }) => path === '/v1/subscriptions'
    s.world.prices.delete('price_yearly')
    refused(await one.begin('yearly'), 503, 'PAYMENT_TEMPORARILY_UNAVAILABLE')
    addPrice(s.world, { id: 'price_yearly', ...PRICES.price_yearly })
    addPrice(s.world, { id: 'price_coins', amount: 10, interval: null })
    refused(await one.begin('coins'), 422, 'PAYMENT_PROVIDER_REJECTED')
    addPrice(s.world, { id: 'price_coins', ...PRICES.price_coins })
    expect(s.server.requests.some(reply)).toBe(true)
    expect((await made(one)).payments).toEqual([])
    expect((await made(one)).session?.leaseHolder).toBeNull()
  })

  test('a confirmation of what the provider does not know, and of an account that is gone', async () => {
    const one = await visitor()
    const intent = await begun(one)
    const { reference = '' } = (await made(one)).payments[0] ?? {}
    const subscription = s.world.subscriptions.get(reference)
    s.world.subscriptions.delete(reference)
    refused(await one.confirm(intent.payment_id), 409, 'PAYMENT_UNVERIFIABLE')
    if (subscription) s.world.subscriptions.set(reference, subscription)
    await stopSelling(s, s.project)
    refused(await one.confirm(intent.payment_id), 503, 'PAYMENT_TEMPORARILY_UNAVAILABLE')
    await sellThrough(s, s.project, null, 'test', KEY)
    attempt(s.world, intentIn(intent), 'succeeded')
    expect((await one.confirm(intent.payment_id)).body.data.already_issued).toBe(false)
  })

  test('every payment while no key for pages is saved', async () => {
    await sellThrough(s, s.project, null)
    const one = await visitor()
    refused(await one.begin(), 409, 'PAYMENT_NOT_CONNECTED')
    await sellThrough(s, s.project, null, 'test', KEY)
  })

  test('the sheet of the test store', async () => {
    const one = await visitor()
    const { payment_id } = await begun(one)
    refused(await one.attempt(payment_id, 'pays'), 404, 'NOT_FOUND')
  })
})

describe('the wallets of an offer', () => {
  const wallets = async () => {
    const { payment } = await dataOf(
      s.call('GET', `/public/funnels/${funnel.slug}?project=${await slugOf(s)}`, { key: null }),
    )
    return payment.wallets
  }
  const asked = () => s.server.requests.filter(({ path }) => path.startsWith('/v1/payment_method_domains'))
  const none = { applePay: 'INACTIVE', googlePay: 'INACTIVE', link: 'INACTIVE', paypal: 'INACTIVE' }

  test('are those that the provider has for the public host, and the provider is asked once in ten minutes', async () => {
    const off = { status: 'inactive' as const }
    const on = { status: 'active' as const }
    const domain = {
      ...{ id: 'pmd_1', object: 'payment_method_domain' as const, created: 1, livemode: false, enabled: true },
      ...{ domain_name: 'svc.example.com', amazon_pay: off, apple_pay: on, google_pay: on },
      ...{ klarna: off, link: on, paypal: off },
    }
    s.ctx.clock.advance(11 * MINUTE)
    expect(await wallets()).toEqual(none)
    s.world.methodDomains.set(domain.id, domain)
    expect(await wallets()).toEqual(none)
    s.ctx.clock.advance(11 * MINUTE)
    const before = asked().length
    expect(await wallets()).toEqual({ applePay: 'ACTIVE', googlePay: 'ACTIVE', link: 'ACTIVE', paypal: 'INACTIVE' })
    await wallets()
    expect(asked().length - before).toBe(1)
    expect(asked().every(({ method }) => method === 'GET')).toBe(true)
    s.world.methodDomains.set(domain.id, { ...domain, enabled: false })
    s.ctx.clock.advance(11 * MINUTE)
    expect(await wallets()).toEqual(none)
  })

  test('are none while the provider does not answer', async () => {
    s.ctx.clock.advance(11 * MINUTE)
    s.server.faults = { ...NO_FAULTS, status: 503 }
    expect(await wallets()).toEqual(none)
  })
})

describe('the payment page', () => {
  const page = async () => {
    const visitor = await new FunnelBrowser(s, `/f/${await slugOf(s)}/${funnel.slug}`).open()
    return visitor.send({ action: 'next' })
  }

  test("loads the provider's script under a policy of its own, and what it needs", async () => {
    const visitor = await page()
    const policy = visitor.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self' https://js.stripe.com;")
    expect(policy).toContain("frame-src 'self' https://js.stripe.com https://hooks.stripe.com")
    expect(policy).toContain("connect-src 'self' https://api.stripe.com")
    expect(policy).not.toContain('unsafe')
    expect(visitor.headers.get('permissions-policy')).toBe('payment=(self "https://js.stripe.com")')
    expect(visitor.html).toContain(`data-key="${KEY}"`)
    expect(visitor.html).toContain('<noscript>')
    expect(visitor.buttons).toEqual([])
    const sources = [...visitor.html.matchAll(/<script src="([^"]*)" defer>/g)].map(([, source = '']) => source)
    const [provider, own] = sources.filter((source) => !source.includes('/page.'))
    // The release of the script is that of the API version.
    expect(provider).toBe(`https://js.stripe.com/${API_VERSION.split('.')[1]}/stripe.js`)
    const script = await s.app.handle(new Request(`http://localhost${own}`))
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    new Function(await script.text()) // It can be parsed.
    await visitor.open()
    expect(visitor.html).not.toContain('sk_test')
  })

  test('shows the price with a promotion code, gives it to the fields of the provider, and refuses one that is none', async () => {
    const code = { id: 'promo_page', object: 'promotion_code' as const, code: 'PAGE', active: true, percent_off: 50 }
    s.world.promotionCodes.set(code.id, { ...code, products: ['prod_price_monthly'] })
    const dueOf = ({ html }: FunnelBrowser) =>
      JSON.parse((/data-prices="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&quot;', '"'))
    const visitor = await page()
    expect([dueOf(visitor).monthly.due, dueOf(visitor).coins.due]).toEqual([999, 99])
    await visitor.send({ package: 'monthly', promotion_code: 'PAGE', pay: 'promotion' })
    expect(visitor.html).toContain('$5.00 instead of $9.99 for the first payment')
    expect(visitor.html).toContain('data-applied="PAGE"')
    expect([dueOf(visitor).monthly.due, dueOf(visitor).coins.due]).toEqual([500, 99])
    await visitor.send({ package: 'coins', promotion_code: 'PAGE', pay: 'promotion' })
    expect([visitor.alert?.slice(0, 24), visitor.plan]).toEqual(['This code cannot be used', 'coins'])
    expect([visitor.html.includes('data-applied=""'), dueOf(visitor).monthly.due]).toEqual([true, 999])
    s.server.faults = { ...NO_FAULTS, status: 503 }
    await visitor.send({ package: 'monthly', promotion_code: 'PAGE', pay: 'promotion' })
    expect(visitor.alert).toBe('The payment cannot be handled at the moment. Please try again in a minute.')
    s.world.promotionCodes.delete(code.id)
  })

  test('loads nothing of the provider before the address is known, where the address comes first', async () => {
    const dev = staff(s).as('DEVELOPER')
    const settings = { offering: 'web', emailBeforePayment: true }
    const pages = [funnelPage('pay', null, { type: 'payment' })]
    await publishFunnel(dev, 'address', pages, { settings })
    const visitor = await new FunnelBrowser(s, `/f/${await slugOf(s)}/address`).open()
    expect(visitor.buttons).toEqual(['email'])
    expect(visitor.html + visitor.headers.get('content-security-policy')).not.toContain('stripe')
    await visitor.send({ email: 'ada@example.com', pay: 'email' })
    expect(visitor.headers.get('content-security-policy')).toContain("script-src 'self' https://js.stripe.com;")
    expect(visitor.html).toContain('data-wallet="without_email"')
    expect(visitor.html).toContain('value="ada@example.com"')
  })

  test('takes back a visitor whom the provider has sent elsewhere, whatever the address says', async () => {
    const one = await visitor()
    const intent = await begun(one)
    const returned = async (more = '') => {
      const path = `/f/-/return?session=${one.sessionId}&payment_id=${intent.payment_id}${more}`
      const headers = { cookie: `svc_fs_${one.sessionId}=${one.secret}` }
      const answer = await s.app.handle(new Request(`http://localhost${path}`, { headers }))
      return [answer.status, answer.headers.get('location')]
    }
    const path = `/f/${await slugOf(s)}/${funnel.slug}`
    expect(await returned('&redirect_status=succeeded')).toEqual([303, `${path}?payment=waiting`])
    expect((await made(one)).purchases).toEqual([])
    attempt(s.world, intentIn(intent), 'succeeded')
    expect(await returned('&redirect_status=failed')).toEqual([303, path])
    expect((await made(one)).purchases).toHaveLength(1)
    const strange = await s.app.handle(new Request(`http://localhost/f/-/return?session=${one.sessionId}`))
    expect(strange.status).toBe(404)
  })
})
