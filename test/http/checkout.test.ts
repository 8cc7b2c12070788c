import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { SECOND } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { completeCheckout } from '../../src/test-store/stores/payment-checkout'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { access, changeSettings, damage, expectRefused, identify, money, rowOf } from '../support/facts'
import { holdTimers } from '../support/pauses'
import { CANCEL_URL, type PaymentStage, paymentStage, SUCCESS_URL, sellThrough, stopSelling } from '../support/payment'

let s: PaymentStage
beforeEach(async () => {
  s = await paymentStage()
})
afterEach(() => s.close())

const sessionRequests = () =>
  s.server.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions')
const customersMade = () =>
  s.server.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/customers')

/** Puts another product into the package of the yearly product. */
async function offerInstead(identifier: string): Promise<void> {
  const { offerings: o, products: p } = s.ctx.tables
  const [offering] = await s.ctx.db.select().from(o).where(eq(o.projectId, s.project.id))
  const products = await s.ctx.db.select().from(p).where(eq(p.projectId, s.project.id))
  const productId = products.find((one) => one.identifier === identifier)?.id ?? ''
  const packages = (offering?.packages ?? []).map((slot) =>
    slot.identifier === '$svc_annual' ? { ...slot, productId } : slot,
  )
  await s.ctx.write((tx) =>
    tx.db
      .update(o)
      .set({ packages })
      .where(eq(o.id, offering?.id ?? '')),
  )
  s.ctx.state.projects.forget(s.project.id)
}

const changeProduct = async (identifier: string, change: { paymentId?: null; isActive?: boolean }) => {
  const { products: p } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(p).set(change).where(eq(p.identifier, identifier)))
  s.ctx.state.projects.forget(s.project.id)
}

describe('a checkout', () => {
  test('is a session of the provider, without its secrets, and with its id twice', async () => {
    const { status, body } = await s.checkout('svc_ada')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['data'])
    const [session] = [...s.world.sessions.values()]
    expect(body.data).toMatchObject({
      id: session?.id,
      sessionId: session?.id,
      object: 'checkout.session',
      url: session?.url,
      mode: 'subscription',
      success_url: SUCCESS_URL,
      cancel_url: CANCEL_URL,
    })
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  test('says whose it is on the session and on what comes of it', async () => {
    await s.checkout('svc_ada')
    const { id, deviceKey } = await rowOf(s, 'svc_ada')
    const form = sessionRequests()[0]?.form ?? {}
    const metadata = {
      svc_subscriber_id: id,
      svc_device_key: deviceKey,
      svc_presented_context: JSON.stringify({ offeringIdentifier: 'standard', packageIdentifier: '$svc_monthly' }),
    }
    expect(form).toMatchObject({ mode: 'subscription', metadata, subscription_data: { metadata } })
    expect(form).toMatchObject({ line_items: { 0: { price: 'price_monthly', quantity: '1' } } })
  })

  test('of a one-time product is a payment, which names its price', async () => {
    await offerInstead('lifetime')
    expect((await s.checkout('svc_ada', '$svc_annual')).body.data.mode).toBe('payment')
    const form = sessionRequests()[0]?.form ?? {}
    expect(form).toMatchObject({ payment_intent_data: { metadata: { svc_price_id: 'price_lifetime' } } })
    expect(form.subscription_data).toBeUndefined()
  })

  test('paid gives access, with what was shown when it was bought', async () => {
    const { body } = await s.checkout('svc_ada')
    completeCheckout(s.world, body.data.id)
    await s.deliverAll()
    expect(await access(s, 'svc_ada')).toEqual({ pro: '2026-12-20T08:00:00.000Z' })
    const ada = await rowOf(s, 'svc_ada')
    expect(await money(s, ada.id)).toEqual([['INITIAL', 9_990_000]])
    const [purchase, ...more] = await s.ctx.db.select().from(s.ctx.tables.purchases)
    expect(more).toEqual([])
    expect(purchase).toMatchObject({
      environment: 'SANDBOX',
      presentedContext: { offeringIdentifier: 'standard', packageIdentifier: '$svc_monthly' },
    })
  })

  test('never paid gives nothing', async () => {
    await s.checkout('svc_ada')
    await s.deliverAll()
    expect(await access(s, 'svc_ada')).toEqual({})
    expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toEqual([])
  })

  test('makes one customer for a subscriber, and reuses it', async () => {
    await Promise.all([s.checkout('svc_ada'), s.checkout('svc_ada')])
    await s.checkout('svc_ada')
    expect(s.world.customers.size).toBe(1)
    const [customer] = [...s.world.customers.keys()]
    expect(sessionRequests().map(({ form }) => form.customer)).toEqual([customer, customer, customer] as string[])
    await s.checkout('svc_bo')
    expect(s.world.customers.size).toBe(2)
  })

  test('makes another customer when the provider has deleted the one before', async () => {
    await s.checkout('svc_ada')
    s.world.customers.clear()
    expect((await s.checkout('svc_ada')).status).toBe(200)
    expect((await s.checkout('svc_ada')).status).toBe(200)
    expect(customersMade()).toHaveLength(2)
  })

  test('of who was merged is of the survivor, with the customer of the one or the other', async () => {
    await s.checkout('svc_ada')
    await identify(s, 'svc_ada', 'ada')
    await identify(s, 'svc_new', 'ada')
    await s.checkout('svc_ada')
    expect(s.world.customers.size).toBe(1)
    expect(sessionRequests().at(-1)?.form.metadata).toMatchObject({
      svc_subscriber_id: (await rowOf(s, 'svc_new')).id,
    })
    await s.checkout('svc_third')
    const [ada, third] = [...s.world.customers.keys()]
    await identify(s, 'svc_third', 'ada')
    await s.checkout('svc_third')
    expect(sessionRequests().at(-1)?.form.customer).toBe(third)
    expect(third).not.toBe(ada)
  })

  test('a device makes its subscriber, with the platform it names', async () => {
    await s.checkout('svc_new', '$svc_monthly', { headers: { 'x-svc-platform': 'web' } })
    expect((await rowOf(s, 'svc_new')).attributes.platform?.value).toBe('web')
  })

  test('is open to both kinds of key and to browsers', async () => {
    expect((await s.checkout('svc_ada', '$svc_monthly', { key: s.project.secretKey })).status).toBe(200)
    const { publicKey } = s.project
    const body = {
      offeringIdentifier: 'standard',
      packageIdentifier: '$svc_annual',
      successUrl: SUCCESS_URL,
      cancelUrl: CANCEL_URL,
    }
    const headers = { origin: 'https://app.example.com', 'x-svc-app-user-id': 'svc_web' }
    expect((await s.post(`/v1/web/${publicKey}/checkout`, body, { headers })).status).toBe(200)
  })
})

describe('an Idempotency-Key', () => {
  const once = { headers: { 'idempotency-key': 'buy-1' } }

  test('opens one checkout, here and at the provider', async () => {
    const first = await s.checkout('svc_ada', '$svc_monthly', once)
    const again = await s.checkout('svc_ada', '$svc_monthly', once)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replay')).toBe('true')
    const { id } = await rowOf(s, 'svc_ada')
    expect(sessionRequests().map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      sha256Hex(`${s.project.id}:${id}:buy-1`),
    ])
  })

  test('is the same key at the provider when our first answer was lost', async () => {
    s.server.faults = { ...NO_FAULTS, isMalformed: true }
    expect((await s.checkout('svc_ada', '$svc_monthly', once)).status).toBe(502)
    s.server.faults = NO_FAULTS
    expect((await s.checkout('svc_ada', '$svc_monthly', once)).status).toBe(200)
    expect(s.world.sessions.size).toBe(1)
  })

  test('of another subscriber, or none, is another checkout', async () => {
    await s.checkout('svc_ada', '$svc_monthly', once)
    await s.checkout('svc_bo', '$svc_monthly', once)
    await s.checkout('svc_ada')
    await s.checkout('svc_ada')
    expect(new Set(sessionRequests().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4)
    expect(s.world.sessions.size).toBe(4)
  })

  test('with another body is 422', async () => {
    await s.checkout('svc_ada', '$svc_monthly', once)
    await expectRefused(s, () => s.checkout('svc_ada', '$svc_annual', once), 422, 'HTTP_ERROR')
    expect(s.world.sessions.size).toBe(1)
  })
})

describe('a checkout is refused', () => {
  const refused = async (call: () => ReturnType<PaymentStage['checkout']>, status: number, code: string) => {
    const answer = await expectRefused(s, call, status, code)
    expect(sessionRequests()).toEqual([])
    return String(answer.body.error.message)
  }

  test('without a key', () =>
    refused(() => s.call('POST', '/v1/checkout', { key: null, body: {} }), 401, 'BEARER_REQUIRED'))

  test('without a device key, and for a reserved one', async () => {
    for (const device of ['', '  ', 'payment:cus_1', 'x'.repeat(129)])
      await refused(() => s.checkout(device), 400, 'VALIDATION_ERROR')
  })

  test('with members that are missing, unknown, empty or of a wrong type', async () => {
    const wrong = [
      { offeringIdentifier: undefined },
      { packageIdentifier: undefined },
      { successUrl: undefined },
      { cancelUrl: undefined },
      { offeringIdentifier: '' },
      { packageIdentifier: '' },
      { offeringIdentifier: 5 },
      { presentedContext: {} },
      { successUrl: null },
    ]
    for (const body of wrong)
      await refused(() => s.checkout('svc_ada', '$svc_monthly', { body }), 400, 'VALIDATION_ERROR')
  })

  test('for addresses that are none, or not safe', async () => {
    const wrong = [
      'done',
      '/done',
      'javascript:alert(1)',
      'http://app.example.com/',
      'https://me:secret@app.example.com/',
      'https://app.example.com/a b',
      'ftp://app.example.com/',
      `https://app.example.com/${'x'.repeat(2048)}`,
    ]
    for (const url of wrong)
      for (const member of ['successUrl', 'cancelUrl'])
        await refused(() => s.checkout('svc_ada', '$svc_monthly', { body: { [member]: url } }), 400, 'VALIDATION_ERROR')
    const local = { successUrl: 'http://localhost:3000/done', cancelUrl: 'http://127.0.0.1/back' }
    expect((await s.checkout('svc_ada', '$svc_monthly', { body: local })).status).toBe(200)
  })

  test('for an unknown or unsellable package, saying what is missing', async () => {
    await s.get('/v1/me', 'svc_ada')
    const offering = { body: { offeringIdentifier: 'winter' } }
    expect(await refused(() => s.checkout('svc_ada', '$svc_monthly', offering), 400, 'VALIDATION_ERROR')).toContain(
      'winter',
    )
    expect(await refused(() => s.checkout('svc_ada', '$svc_weekly'), 400, 'VALIDATION_ERROR')).toContain('$svc_weekly')
    await changeProduct('pro_monthly', { paymentId: null })
    expect(await refused(() => s.checkout('svc_ada'), 400, 'VALIDATION_ERROR')).toContain('storeIds.payment')
    await changeProduct('pro_yearly', { isActive: false })
    expect(await refused(() => s.checkout('svc_ada', '$svc_annual'), 400, 'VALIDATION_ERROR')).toContain('$svc_annual')
  })

  test('without a connected account, saying what to do', async () => {
    await s.get('/v1/me', 'svc_ada')
    await stopSelling(s, s.project)
    expect(await refused(() => s.checkout('svc_ada'), 400, 'VALIDATION_ERROR')).toContain('stores.payment')
    // A connected account of a mode for which the platform has no key.
    const own = await paymentStage({
      account: 'acct_1',
      env: { SVC_PAYMENT_CONNECT_TEST_KEY: '', SVC_PAYMENT_CONNECT_TEST_WEBHOOK_SECRET: '' },
    })
    expect((await own.checkout('svc_ada')).status).toBe(400)
    await own.close()
  })

  test('for an erased subscriber, who would pay for nothing', async () => {
    await s.get('/v1/me', 'svc_ada')
    await damage(s, (await rowOf(s, 'svc_ada')).id, { erasedAt: s.ctx.clock.now() })
    await refused(() => s.checkout('svc_ada'), 409, 'SUBSCRIBER_UNRESOLVABLE')
    expect(customersMade()).toEqual([])
  })

  test('while the provider is away, busy, unreadable or refuses, and never as our 500', async () => {
    await s.checkout('svc_ada')
    for (const faults of [{ status: 500 }, { status: 429 }, { status: 409 }, { status: 401 }, { isMalformed: true }]) {
      s.server.faults = { ...NO_FAULTS, ...faults }
      const { headers } = await expectRefused(s, () => s.checkout('svc_ada'), 502, 'STORE_API_ERROR')
      expect(headers.get('retry-after')).toBeNull()
      s.ctx.clock.advance(60_000) // The circuit closes again.
    }
    s.server.faults = NO_FAULTS
    expect((await s.checkout('svc_ada')).status).toBe(200)
  })

  test('before the client gives up when the provider says nothing at all', async () => {
    await s.checkout('svc_ada')
    s.server.faults = { ...NO_FAULTS, delayMs: 60_000 }
    const timers = holdTimers(7.5 * SECOND)
    const before = s.server.requests.length
    const asked = Promise.all([s.checkout('svc_ada'), s.portal('svc_ada')])
    while (s.server.requests.length < before + 2) await Bun.sleep(1)
    timers.release()
    const [checkout, portal] = await asked
    for (const { status, body } of [checkout, portal])
      expect([status, body.error.code]).toEqual([502, 'STORE_API_ERROR'])
  }, 600_000)

  test('when the price is not at the provider', async () => {
    s.world.prices.delete('price_monthly')
    expect((await s.checkout('svc_ada')).body.error.code).toBe('STORE_API_ERROR')
    expect(s.ctx.lines.join()).toContain('resource_missing')
  })
})

describe('restrictReturnUrls', () => {
  const elsewhere = { body: { successUrl: 'https://evil.example.com/done' } }
  beforeEach(() => changeSettings(s, { restrictReturnUrls: true }))

  test('lets a public key name the allowed origins of the project only', async () => {
    await s.get('/v1/me', 'svc_ada')
    const { body } = await expectRefused(
      s,
      () => s.checkout('svc_ada', '$svc_monthly', elsewhere),
      400,
      'VALIDATION_ERROR',
    )
    expect(body.error.message).toContain('https://evil.example.com')
    const near = { body: { cancelUrl: 'https://app.example.com.evil.example/' } }
    await expectRefused(s, () => s.checkout('svc_ada', '$svc_monthly', near), 400, 'VALIDATION_ERROR')
    expect((await s.checkout('svc_ada')).status).toBe(200)
  })

  test('lets it name the verified custom domains of the project, and no others', async () => {
    await s.get('/v1/me', 'svc_ada')
    const to = (hostname: string) =>
      s.checkout('svc_ada', '$svc_monthly', { body: { successUrl: `https://${hostname}/done` } })
    const add = (id: string, projectId: string, status: 'PENDING' | 'VERIFIED') =>
      s.ctx.write(async (tx) => {
        const row = { id, projectId, hostname: `${id}.example.com`, status, token: 't', createdAt: 0, updatedAt: 0 }
        await tx.db.insert(tx.tables.customDomains).values(row)
      })
    await add('own', s.project.id, 'VERIFIED')
    await add('pending', s.project.id, 'PENDING')
    await add('theirs', s.other.id, 'VERIFIED')
    expect((await to('own.example.com')).status).toBe(200)
    for (const name of ['pending', 'theirs', 'x.own']) expect((await to(`${name}.example.com`)).status).toBe(400)
  })

  test('does not bind a secret key', async () => {
    const more = { ...elsewhere, key: s.project.secretKey }
    expect((await s.checkout('svc_ada', '$svc_monthly', more)).status).toBe(200)
  })
})

test("another project's offering and account stay its own", async () => {
  const answer = await s.checkout('svc_ada', '$svc_monthly', { key: s.other.publicKey })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  await sellThrough(s, s.other, null)
  await s.checkout('svc_ada')
  await s.checkout('svc_ada', '$svc_monthly', { key: s.other.publicKey })
  expect(s.world.customers.size).toBe(2)
})
