import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { COINS, LIFETIME, MONTHLY, type Stage, stage } from '../support/cast'
import { ANONYMOUS, SDK_HEADERS, type Sdk, sdk, sdkRefusal, setSdkDoor } from '../support/former-sdk'
import { decodeAndroidPerson, decodeIosPerson, decodeOfferings, decodeWebPerson } from '../support/former-sdk-decoders'
import { FUNNEL, NONE, place } from '../support/placements'
import { staff } from '../support/staff'

let s: Stage
beforeEach(async () => {
  s = await stage()
  await setSdkDoor(s, { enabled: true })
})
afterEach(() => s.close())

const SDKS = Object.keys(SDK_HEADERS) as Sdk[] // The keys of a literal.
const receipt = (id: string, payload: ReturnType<Stage['buy']>) =>
  sdk(s, 'ios').post('/v1/receipts', { app_user_id: id, fetch_token: s.sign(payload) })

describe('the answer about a person', () => {
  beforeEach(async () => {
    await receipt('ada', s.buy(MONTHLY, { withTrial: true }))
    await receipt('ada', s.buy(LIFETIME))
    await receipt('ada', s.buy(COINS))
    await receipt('ada', s.buy(COINS))
  })

  test('is read by the decoder of every SDK', async () => {
    for (const [kind, decode] of [
      ['web', decodeWebPerson],
      ['ios', decodeIosPerson],
      ['android', decodeAndroidPerson],
    ] as const)
      expect(decode((await sdk(s, kind).person('ada')).body)).toEqual([])
  })

  test('has trials, one-time purchases and each purchase of a consumable', async () => {
    const { subscriber } = (await sdk(s, 'ios').person('ada')).body
    expect(subscriber.subscriptions[MONTHLY.productId].period_type).toBe('trial')
    expect(subscriber.entitlements.pro).toMatchObject({ expires_date: null, product_identifier: LIFETIME.productId })
    expect(subscriber.non_subscriptions[COINS.productId]).toHaveLength(2)
  })

  test('of a refunded lifetime purchase gives no access', async () => {
    await receipt('bo', s.buy(LIFETIME))
    const { purchases } = s.ctx.tables
    const all = await s.ctx.db.select().from(purchases)
    for (const row of all) {
      const fold = { ...row.fold, refundedAt: s.ctx.clock.now() - 1 }
      await s.ctx.write((tx) => tx.db.update(purchases).set({ fold }).where(eq(purchases.id, row.id)))
    }
    const { subscriber } = (await sdk(s, 'ios').person('bo')).body
    expect([subscriber.entitlements, subscriber.non_subscriptions]).toEqual([{}, {}])
    const other = (await sdk(s, 'ios').person('ada')).body
    expect(Date.parse(other.subscriber.subscriptions[MONTHLY.productId].expires_date)).toBeLessThanOrEqual(
      Date.parse(other.request_date),
    )
    expect(decodeWebPerson(other)).toEqual([])
  })
})

describe('a grant without a purchase', () => {
  async function grant(more: Record<string, unknown>) {
    await sdk(s, 'ios').person('bo')
    const { subscribers, access } = s.ctx.tables
    const [row] = await s.ctx.db.select().from(subscribers).where(eq(subscribers.appUserId, 'bo'))
    const ids = await s.ctx.db.select().from(access).where(eq(access.projectId, s.project.id))
    const accessIds = ids.filter(({ identifier }) => identifier === 'pro').map(({ id }) => id)
    const answer = await staff(s)
      .as('OWNER')
      .post(`/subscribers/${row?.id}/grants`, { accessIds, ...more })
    if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    return (await sdk(s, 'ios').person('bo')).body
  }

  test('has a made-up product with the nearest longer duration, which every SDK reads', async () => {
    const body = await grant({ expiresAt: new Date(s.ctx.clock.now() + 5 * DAY).toISOString() })
    expect(body.subscriber.entitlements.pro.product_identifier).toBe('rc_promo_pro_weekly')
    expect(body.subscriber.subscriptions.rc_promo_pro_weekly).toMatchObject({
      store: 'promotional',
      unsubscribe_detected_at: null,
    })
    for (const decode of [decodeWebPerson, decodeIosPerson, decodeAndroidPerson]) expect(decode(body)).toEqual([])
  })

  test('of two, the one that ends last is shown', async () => {
    await grant({ expiresAt: new Date(s.ctx.clock.now() + 5 * DAY).toISOString() })
    const body = await grant({})
    expect(body.subscriber.entitlements.pro).toMatchObject({
      product_identifier: 'rc_promo_pro_lifetime',
      expires_date: null,
    })
    expect(decodeWebPerson(body)).toEqual([])
  })
})

describe('offerings', () => {
  test('have the ids of the store of the caller, and the short names of the packages', async () => {
    const { body } = await sdk(s, 'ios').get('/v1/subscribers/ada/offerings')
    expect(body.current_offering_id).toBe('standard')
    const [offering] = body.offerings
    expect(offering).toMatchObject({
      identifier: 'standard',
      description: 'standard',
      metadata: { headline: 'Sleep better' },
    })
    expect(
      offering.packages.map((one: Record<string, unknown>) => [one.identifier, one.platform_product_identifier]),
    ).toEqual([
      ['$rc_monthly', MONTHLY.productId],
      ['$rc_annual', 'com.x.pro.yearly'],
    ])
    const web = await sdk(s, 'web').get('/v1/subscribers/ada/offerings')
    expect(web.body.offerings[0].packages[0].platform_product_identifier).toBe('pro_monthly')
  })

  test('never name a plan to iOS, and always to Android, which loses subscriptions without one', async () => {
    const { products } = s.ctx.tables
    await s.ctx.write((tx) =>
      tx.db
        .update(products)
        .set({ androidId: 'pro', androidBasePlanId: 'monthly' })
        .where(eq(products.identifier, 'pro_monthly')),
    )
    s.ctx.state.projects.forget(s.project.id)
    const android = (await sdk(s, 'android').get('/v1/subscribers/ada/offerings')).body
    const [first, ...others] = android.offerings[0].packages
    expect([first.platform_product_identifier, first.platform_product_plan_identifier, others]).toEqual([
      'pro',
      'monthly',
      [],
    ])
    expect(JSON.stringify((await sdk(s, 'ios').get('/v1/subscribers/ada/offerings')).body)).not.toContain(
      'plan_identifier',
    )
  })

  test('are read by the decoder of every SDK', async () => {
    for (const kind of SDKS) {
      const { body } = await sdk(s, kind).get(`/v1/subscribers/${encodeURIComponent(ANONYMOUS)}/offerings`)
      expect(decodeOfferings(body)).toEqual([])
    }
    expect(await s.ctx.db.select().from(s.ctx.tables.subscribers)).toEqual([])
  })
})

describe('placements', () => {
  const offering = (offeringId: string, audienceId: string | null = null) => ({
    audienceId,
    target: { type: 'offering' as const, offeringId },
  })
  const shown = async (kind: Sdk = 'ios', id = 'ada') => {
    const { body } = await sdk(s, kind).get(`/v1/subscribers/${encodeURIComponent(id)}/offerings`)
    return body.placements
  }

  test('are none as long as none shows an offering', async () => {
    await place(s, { placements: [{ rows: [NONE] }] })
    expect(await shown()).toBeNull()
  })

  test('show the offering of the first row that fits, or none; others show the current offering', async () => {
    const owner = staff(s).as('OWNER')
    const turkey = (await owner.post('/offerings', { identifier: 'turkey' })).body.data.id
    const audience = { name: 'Payers', rules: { plan: 'gold' } }
    const payers = (await owner.post('/audiences', audience)).body.data.id
    await place(s, {
      funnels: [{ id: 'fnl_1' }],
      placements: [
        { identifier: 'start', rows: [offering(turkey, payers), NONE] },
        { identifier: 'lost', rows: [offering('off_none'), offering(turkey)] },
        { identifier: 'funnel', rows: [FUNNEL('fnl_1', payers), offering(turkey)] },
        { identifier: 'off', isActive: false, rows: [offering(turkey)] },
        { identifier: 'funnels', rows: [FUNNEL('fnl_1')] },
      ],
    })
    const attributes = { plan: { value: 'gold', updated_at_ms: 1 } }
    await sdk(s, 'ios').post('/v1/subscribers/ada/attributes', { attributes })
    const others = { funnel: 'turkey', lost: 'turkey', start: null }
    for (const kind of SDKS) {
      expect(await shown(kind)).toEqual({
        fallback_offering_id: 'standard',
        offering_ids_by_placement: { funnel: null, lost: 'turkey', start: 'turkey' },
      })
      for (const id of ['bo', ANONYMOUS]) expect((await shown(kind, id)).offering_ids_by_placement).toEqual(others)
      const { body } = await sdk(s, kind).get('/v1/subscribers/ada/offerings')
      expect(decodeOfferings(body)).toEqual([])
    }
  })

  test('of a person who may not be shown are those of everybody', async () => {
    await s.close()
    s = await stage({ settings: { identityVerification: 'labels' } })
    await setSdkDoor(s, { enabled: true })
    const [first] = await s.ctx.db.select().from(s.ctx.tables.offerings)
    await place(s, { placements: [{ identifier: 'start', rows: [offering(first?.id ?? '')] }] })
    expect((await shown()).offering_ids_by_placement).toEqual({ start: 'standard' })
  })
})

test('products of the test store have prices, with a period or without', async () => {
  await setSdkDoor(s, { testStore: true })
  const { products } = s.ctx.tables
  const price = { amountMicros: 4_990_000, currency: 'EUR' }
  await s.ctx.write((tx) => tx.db.update(products).set({ price }).where(eq(products.identifier, 'pro_monthly')))
  s.ctx.state.projects.forget(s.project.id)
  const path = '/rcbilling/v1/subscribers/ada/products?id=pro_monthly&id=lifetime&id=unknown&id=lifetime'
  const { body } = await sdk(s, 'web').get(path, { key: `test_${s.project.publicKey}` })
  const [monthly, lifetime, ...others] = body.product_details
  expect(monthly.purchase_options.base_option.base).toEqual({
    ...{ period_duration: 'P1M', cycle_count: 1 },
    price: { amount_micros: 4_990_000, currency: 'EUR' },
  })
  expect(lifetime.purchase_options.base_option.base_price).toEqual({ amount_micros: 9_990_000, currency: 'USD' })
  expect([monthly.default_purchase_option_id, lifetime.product_type, others]).toEqual([
    'base_option',
    'non_consumable',
    [],
  ])
})

test('the mapping of products to entitlements names each product of the store of the caller', async () => {
  const { body } = await sdk(s, 'ios').get('/v1/product_entitlement_mapping')
  expect(body.product_entitlement_mapping[MONTHLY.productId]).toEqual({
    ...{ product_identifier: MONTHLY.productId, entitlements: ['pro'] },
  })
  expect(body.product_entitlement_mapping[COINS.productId].entitlements).toEqual([])
})

describe('a phone', () => {
  test('gets 304 only for the tag of the same answer, and never without a tag', async () => {
    const first = await sdk(s, 'ios').person('ada')
    const tag = (await sdk(s, 'ios').person('ada')).headers.get('x-revenuecat-etag') ?? ''
    expect([first.status, tag.length > 0]).toEqual([201, true])
    s.ctx.clock.advance(5000)
    const same = await sdk(s, 'ios').person('ada', { headers: { 'x-revenuecat-etag': tag } })
    expect([same.status, same.headers.get('x-revenuecat-etag'), same.body]).toEqual([304, tag, null])
    expect(same.headers.get('x-revenuecat-request-time')).toBe(String(s.ctx.clock.now()))
    await receipt('ada', s.buy(MONTHLY))
    const changed = await sdk(s, 'ios').person('ada', { headers: { 'x-revenuecat-etag': tag } })
    expect([changed.status, changed.headers.get('x-revenuecat-etag') === tag]).toEqual([200, false])
  })

  test('the web SDK never gets 304, whatever it sends', async () => {
    await sdk(s, 'web').person('ada')
    const answer = await sdk(s, 'web').person('ada')
    expect(answer.headers.get('x-revenuecat-etag')).toBeNull()
    for (const tag of ['', 'x', '*'])
      expect(
        (await sdk(s, 'web').person('ada', { headers: { 'x-revenuecat-etag': tag, 'if-none-match': '*' } })).status,
      ).toBe(200)
  })
})

test('a restore is allowed as purchases may move', async () => {
  const isAllowed = async () =>
    (await sdk(s, 'ios').post('/v1/subscribers/ada/restore/eligibility', { fetch_token: 'x' })).body
      .is_purchase_allowed_by_restore_behavior
  await setSdkDoor(s, { restoreBehavior: 'keep' })
  expect(await isAllowed()).toBe(false)
  await setSdkDoor(s, { restoreBehavior: 'project' })
  expect(await isAllowed()).toBe(true)
  const changed = await staff(s)
    .as('ADMIN')
    .patch('', { settings: { purchaseTransfer: 'never' } })
  expect([changed.status, await isAllowed()]).toEqual([200, false])
})

const PERSON = '/v1/subscribers/ada'
const CALLS: readonly [method: string, path: string, body: unknown, status: number, answer: unknown][] = [
  [
    'POST',
    `${PERSON}/intro_eligibility`,
    { product_identifiers: ['a', 'b'], fetch_token: 'x' },
    200,
    { a: null, b: null },
  ],
  ['POST', `${PERSON}/attribution`, { network: 0, data: {} }, 200, {}],
  ['POST', `${PERSON}/adservices_attribution`, { aad_attribution_token: 'token' }, 200, {}],
  [
    'POST',
    `${PERSON}/restore/eligibility`,
    { fetch_token: 'x' },
    200,
    { is_purchase_allowed_by_restore_behavior: true },
  ],
  ['POST', '/v1/offers', { app_user_id: 'ada', generate_offers: [] }, 200, { offers: [] }],
  ['POST', '/v1/events', { events: [{ id: 1 }] }, 200, {}],
  ['POST', '/v1/diagnostics', { entries: [] }, 200, {}],
  ['GET', `${PERSON}/health_report_availability`, undefined, 200, { report_logs: false }],
  ['GET', `${PERSON}/workflows?type=paywall`, undefined, 200, { workflows: [], ui_config: {} }],
  ['POST', '/v1/config/app', { app_user_id: 'ada' }, 404, { code: 7226 }],
  ['GET', '/v1/customercenter/ada', undefined, 404, { code: 7226 }],
  ['POST', '/v1/subscribers/redeem_purchase', { app_user_id: 'ada', redemption_token: 'x' }, 404, { code: 7849 }],
  ['POST', '/rcbilling/v1/checkout/start', { app_user_id: 'ada' }, 404, { code: 7226 }],
  ['GET', '/rcbilling/v1/branding', undefined, 200, { app_name: 'Project 1', app_icon: null }],
]

test.each(CALLS)('%s %s', async (method, path, body, status, answer) => {
  const got = await sdk(s, 'ios').call(method, path, body === undefined ? {} : { body })
  expect([got.status, got.body]).toEqual([
    status,
    status === 200 && path !== '/rcbilling/v1/branding' ? answer : expect.objectContaining(answer as object),
  ])
})

test.each(CALLS.filter(([method]) => method === 'POST'))(
  '%s %s without a body has a JSON answer',
  async (method, path) => {
    for (const raw of ['', '[]', 'null', '{', '{"a":"\\u0000"}']) {
      const { status, body } = await sdk(s, 'ios').call(method, path, { raw })
      expect([raw, status < 500, typeof body]).toEqual([raw, true, 'object'])
      if (status >= 400) expect(Number.isInteger(body.code)).toBe(true)
    }
  },
)

test('an offer that cannot be signed says so in its own entry', async () => {
  const generate_offers = [{ offer_id: 'o', product_id: MONTHLY.productId, subscription_group: 'g' }]
  const { status, body } = await sdk(s, 'ios').post('/v1/offers', { app_user_id: 'ada', generate_offers })
  if (status === 200) expect(body.offers[0]).toMatchObject({ offer_id: 'o', signature_data: null })
  else expect(status).toBeGreaterThanOrEqual(500)
})

test('a balance that 32 bits cannot hold is cut for Android alone', async () => {
  await sdk(s, 'android').person('ada')
  const [row] = await s.ctx.db.select().from(s.ctx.tables.subscribers)
  const amount = 3_000_000_000
  const paid = await staff(s)
    .as('OWNER')
    .post(`/subscribers/${row?.id}/credits`, { code: 'coins', amount, idempotencyKey: 'k1' })
  if (paid.status >= 300) throw new Error(JSON.stringify(paid.body))
  const read = async (kind: Sdk) =>
    (await sdk(s, kind).get(`${PERSON}/virtual_currencies`)).body.virtual_currencies.coins.balance
  expect([await read('android'), await read('ios')]).toEqual([2 ** 31 - 1, amount])
})

test('a path of the protocol that nothing answers is refused with an integer code', async () => {
  expect(sdkRefusal(await sdk(s, 'ios').get(`${PERSON}/health_report`))).toEqual([404, 7226])
})
