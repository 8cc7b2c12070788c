import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { addCustomer, subscribe } from '../../src/test-store/stores/payment-billing'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { changeSettings, expectRefused, identify, rowOf } from '../support/facts'
import { CANCEL_URL, type PaymentStage, paymentStage, sellThrough, stopSelling } from '../support/payment'

let s: PaymentStage
beforeEach(async () => {
  s = await paymentStage()
})
afterEach(() => s.close())

const opened = () => s.server.requests.filter(({ path }) => path === '/v1/billing_portal/sessions')

describe('the billing portal', () => {
  test("is the provider's session of the subscriber's customer", async () => {
    await s.checkout('svc_ada')
    const { status, body } = await s.portal('svc_ada')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      id: expect.stringMatching(/^bps_/),
      object: 'billing_portal.session',
      url: expect.stringMatching(/^https:/),
      customer: [...s.world.customers.keys()][0],
      return_url: CANCEL_URL,
    })
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  test('opens for who bought another way, once an event named the customer', async () => {
    const { id } = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber
    const customer = addCustomer(s.world).id
    subscribe(s.world, { priceId: 'price_monthly', customer, metadata: { svc_subscriber_id: id } })
    expect((await s.portal('svc_ada')).status).toBe(404)
    await s.deliverAll()
    expect((await s.portal('svc_ada')).body.data.customer).toBe(customer)
  })

  test('of who was merged opens for the survivor, and after the undo for each their own', async () => {
    await s.checkout('svc_ada')
    await identify(s, 'svc_ada', 'ada')
    await identify(s, 'svc_new', 'ada')
    expect((await s.portal('svc_new')).status).toBe(200)
    expect((await s.portal('svc_ada')).status).toBe(200)
    const [transfer] = await s.ctx.db.select().from(s.ctx.tables.transfers)
    await s.post(`/v1/subscribers/transfer/${transfer?.id}/undo`, {}, { key: s.project.secretKey })
    expect((await s.portal('svc_ada')).status).toBe(200)
    expect((await s.portal('svc_new')).status).toBe(404)
  })

  test('is open to both kinds of key', async () => {
    await s.checkout('svc_ada')
    expect((await s.portal('svc_ada', { key: s.project.secretKey })).status).toBe(200)
  })
})

describe('the billing portal is refused', () => {
  const refused = async (call: () => ReturnType<PaymentStage['portal']>, status: number, code: string) => {
    const { body } = await expectRefused(s, call, status, code)
    expect(opened()).toEqual([])
    return String(body.error.message)
  }

  test('to who has no customer at the provider', async () => {
    await s.get('/v1/me', 'svc_ada')
    await refused(() => s.portal('svc_ada'), 404, 'PAYMENT_CUSTOMER_NOT_FOUND')
  })

  test('without an account, which is looked at before the customer', async () => {
    await s.checkout('svc_ada')
    await s.get('/v1/me', 'svc_bo')
    await stopSelling(s, s.project)
    for (const device of ['svc_ada', 'svc_bo']) {
      const { headers } = await expectRefused(s, () => s.portal(device), 503, 'PAYMENT_NOT_CONNECTED')
      expect(headers.get('retry-after')).toBeNull()
    }
    await sellThrough(s, s.project, 'acct_1', 'live')
    await refused(() => s.portal('svc_bo'), 404, 'PAYMENT_CUSTOMER_NOT_FOUND')
  })

  test('for a body that is not valid, and without a device key', async () => {
    await s.checkout('svc_ada')
    const headers = { 'x-svc-app-user-id': 'svc_ada' }
    for (const body of [{}, { returnUrl: '' }, { returnUrl: 5 }, { returnUrl: CANCEL_URL, customer: 'cus_1' }, []])
      await refused(() => s.post('/v1/billing-portal', body, { headers }), 400, 'VALIDATION_ERROR')
    for (const returnUrl of ['back', 'http://app.example.com/', 'https://a:b@app.example.com/'])
      await refused(() => s.post('/v1/billing-portal', { returnUrl }, { headers }), 400, 'VALIDATION_ERROR')
    await refused(() => s.portal(' '), 400, 'VALIDATION_ERROR')
    await refused(() => s.call('POST', '/v1/billing-portal', { key: null }), 401, 'BEARER_REQUIRED')
  })

  test('with a public key for an origin that is not allowed', async () => {
    await s.checkout('svc_ada')
    await changeSettings(s, { restrictReturnUrls: true })
    const headers = { 'x-svc-app-user-id': 'svc_ada' }
    const returnUrl = 'https://evil.example.com/'
    const call = () => s.post('/v1/billing-portal', { returnUrl }, { headers })
    expect(await refused(call, 400, 'VALIDATION_ERROR')).toContain('https://evil.example.com')
    const { secretKey: key } = s.project
    expect((await s.post('/v1/billing-portal', { returnUrl }, { headers, key })).status).toBe(200)
  })

  test('while the provider is away, busy, unreadable or refuses', async () => {
    await s.checkout('svc_ada')
    for (const faults of [{ status: 503 }, { status: 429 }, { status: 403 }, { isMalformed: true }]) {
      s.server.faults = { ...NO_FAULTS, ...faults }
      await expectRefused(s, () => s.portal('svc_ada'), 502, 'STORE_API_ERROR')
      s.ctx.clock.advance(60_000)
    }
    s.server.faults = NO_FAULTS
    expect((await s.portal('svc_ada')).status).toBe(200)
  })

  test('when the provider has deleted the customer', async () => {
    await s.checkout('svc_ada')
    s.world.customers.clear()
    await expectRefused(s, () => s.portal('svc_ada'), 404, 'PAYMENT_CUSTOMER_NOT_FOUND')
  })

  test("with another project's key", async () => {
    await s.checkout('svc_ada')
    await sellThrough(s, s.other, null)
    await s.get('/v1/me', 'svc_ada', { key: s.other.publicKey })
    await refused(() => s.portal('svc_ada', { key: s.other.publicKey }), 404, 'PAYMENT_CUSTOMER_NOT_FOUND')
    expect((await rowOf(s, 'svc_ada')).projectId).toBe(s.project.id)
  })
})
