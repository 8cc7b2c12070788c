import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { everything, expectRefused } from '../support/facts'
import { GARBAGE } from '../support/garbage'
import { type PaymentStage, paymentStage } from '../support/payment'

describe('the payment provider answers 200 with', () => {
  let s: PaymentStage
  beforeAll(async () => {
    s = await paymentStage()
    for (const device of ['svc_bo', 'svc_ada']) await s.checkout(device)
    await s.get('/v1/me', 'svc_new')
  })
  beforeEach(() => {
    s.server.faults = NO_FAULTS
    s.ctx.clock.advance(2 * MINUTE) // The circuit closes again.
  })
  afterAll(() => s.close())

  const customers = async () => (await s.ctx.db.select().from(s.ctx.tables.paymentCustomers)).map((row) => ({ ...row }))
  const calls: [name: string, method: string, path: RegExp, call: () => ReturnType<PaymentStage['checkout']>][] = [
    ['a new customer', 'POST', /^\/v1\/customers$/, () => s.checkout('svc_new')],
    ['the customer on record', 'GET', /^\/v1\/customers\//, () => s.checkout('svc_ada')],
    ['a checkout session', 'POST', /^\/v1\/checkout\/sessions$/, () => s.checkout('svc_ada')],
    ['a portal session', 'POST', /^\/v1\/billing_portal\/sessions$/, () => s.portal('svc_ada')],
  ]
  for (const [what, method, path, call] of calls)
    for (const [name, text] of GARBAGE)
      test(`${name} for ${what}: 502, and nothing is kept`, async () => {
        const before = await customers()
        s.server.faults = {
          ...NO_FAULTS,
          reply: (request) => (request.method === method && path.test(request.path) ? text : null),
        }
        await expectRefused(s, call, 502, 'STORE_API_ERROR')
        expect(await customers()).toEqual(before)
      })

  for (const url of ['javascript:alert(1)', '/c/pay', 'ftp://pay.example.com/', 'https://'])
    test(`a session whose page is ${url}: 502`, async () => {
      const text = JSON.stringify({ id: 'cs_test_1', object: 'checkout.session', url })
      s.server.faults = { ...NO_FAULTS, reply: ({ path }) => (path.endsWith('/sessions') ? text : null) }
      for (const call of [() => s.checkout('svc_ada'), () => s.portal('svc_ada')])
        await expectRefused(s, call, 502, 'STORE_API_ERROR')
    })

  test('the customer of somebody else for the one on record: 502, and the one on record stays', async () => {
    const before = await customers()
    const text = JSON.stringify({ id: 'cus_other', object: 'customer' })
    s.server.faults = { ...NO_FAULTS, reply: ({ path }) => (path.startsWith('/v1/customers/') ? text : null) }
    await expectRefused(s, () => s.checkout('svc_ada'), 502, 'STORE_API_ERROR')
    expect(await customers()).toEqual(before)
  })
})

describe('Google answers 200 with', () => {
  let s: AndroidStage
  let token = ''
  let product = ''
  beforeAll(async () => {
    s = await androidStage()
    token = s.server.store.subscribe(ANDROID_MONTHLY)
    product = s.server.store.buy('coins.100')
    for (const device of ['svc_ada', 'svc_bo']) await s.get('/v1/me', device)
  })
  beforeEach(() => {
    s.server.faults = {}
    s.ctx.clock.advance(2 * MINUTE)
  })
  afterAll(() => s.close())

  const calls: [name: string, path: RegExp, call: () => ReturnType<AndroidStage['token']>][] = [
    ['a subscription', /subscriptionsv2/, () => s.token('svc_ada', token, 'pro_monthly')],
    ['a one-time purchase', /productsv2/, () => s.token('svc_bo', product, 'coins_100')],
    ['an access token', /^\/token$/, () => s.token('svc_ada', token, 'pro_monthly')],
  ]
  for (const [what, path, call] of calls)
    for (const [name, text] of GARBAGE)
      test(`${name} for ${what}: 502, and nothing is kept`, async () => {
        if (what === 'an access token') s.ctx.clock.advance(60 * MINUTE) // The one before has ended.
        s.server.faults = { reply: (asked) => (path.test(asked) ? text : null) }
        await expectRefused(s, call, 502, 'STORE_API_ERROR')
        const receipts = [{ store: 'ANDROID_STORE', receipt: token, productId: 'pro_monthly' }]
        const before = await everything(s)
        if (what !== 'a one-time purchase')
          await expectRefused(s, () => s.post('/v1/subscribers/svc_ada/restore', { receipts }), 502, 'STORE_API_ERROR')
        expect(await everything(s)).toEqual(before)
      })

  for (const [name, text] of GARBAGE)
    test(`${name} for its keys: the push waits, and nothing is kept`, async () => {
      const [push] = await s.pushes().then((waiting) => (waiting.length > 0 ? waiting : [held]))
      held = push ?? held
      s.ctx.clock.advance(25 * 60 * MINUTE)
      s.server.faults = { reply: (asked) => (asked === '/certs' ? text : null) }
      const authorization = `Bearer ${await s.server.pushToken(s.identity)}`
      await expectRefused(s, () => s.deliver({ ...(held ?? NO_PUSH), authorization }), 503, 'STORE_UNAVAILABLE')
    })
  const NO_PUSH = { messageId: '', type: '', body: '{}', authorization: '' }
  let held: typeof NO_PUSH | undefined
})
