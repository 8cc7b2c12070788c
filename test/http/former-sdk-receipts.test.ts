import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { COINS, LIFETIME, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { ANONYMOUS, OTHER_ANONYMOUS, sdk, sdkRefusal, setSdkDoor, testToken } from '../support/former-sdk'

let s: Stage
beforeEach(async () => {
  s = await stage({ env: { SVC_RATE_IP: '0' } })
  await setSdkDoor(s, { enabled: true })
})
afterEach(() => s.close())

const receipt = (app_user_id: string, fetch_token: unknown, more: Record<string, unknown> = {}) =>
  sdk(s, 'ios').post('/v1/receipts', { app_user_id, fetch_token, product_id: MONTHLY.productId, ...more })
const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)

describe('a receipt of StoreKit 2', () => {
  test('gives the person what was bought', async () => {
    const { status, body } = await receipt('ada', s.sign(s.buy(MONTHLY)))
    expect(status).toBe(200)
    const { entitlements, subscriptions } = body.subscriber
    expect(entitlements.pro.product_identifier).toBe(MONTHLY.productId)
    expect(subscriptions[MONTHLY.productId]).toMatchObject({
      ...{ store: 'app_store', period_type: 'normal', ownership_type: 'PURCHASED', is_sandbox: true },
      price: { amount: 9.99, currency: 'USD' },
      ...{ refunded_at: null, unsubscribe_detected_at: null, billing_issues_detected_at: null },
    })
    const again = await sdk(s, 'ios').person('ada')
    expect(again.body.subscriber.entitlements).toEqual(entitlements)
  })

  test('names the offering and the placement of the sale', async () => {
    const token = s.sign(s.buy(MONTHLY))
    await receipt('ada', token, { presented_offering_identifier: 'standard', presented_placement_identifier: 'start' })
    const [row] = await purchases()
    expect(row?.presentedContext).toEqual({ offeringIdentifier: 'standard', placementId: 'start' })
  })

  test('counts once, however often it is sent', async () => {
    const token = s.sign(s.buy(COINS))
    for (let times = 0; times < 3; times++) expect((await receipt('ada', token)).status).toBe(200)
    expect(await purchases()).toHaveLength(1)
    const balances = await sdk(s, 'ios').get('/v1/subscribers/ada/virtual_currencies')
    expect(balances.body.virtual_currencies.coins).toEqual({
      balance: 100,
      code: 'coins',
      name: 'Coins',
      description: null,
    })
  })

  test('without a product, or with a wrong one, is booked for the product that the store signed', async () => {
    for (const product_id of [undefined, 'nonsense']) {
      const answer = await receipt('ada', s.sign(s.buy(YEARLY)), { product_id })
      expect([answer.status, Object.keys(answer.body.subscriber.entitlements)]).toEqual([200, ['coach', 'pro']])
    }
  })

  test('in the list that Xcode sends is booked, each of them', async () => {
    const list = [s.sign(s.buy(MONTHLY)), s.sign(s.buy(LIFETIME))]
    const { body } = await receipt('ada', Buffer.from(JSON.stringify(list)).toString('base64'))
    expect(Object.keys(body.subscriber.subscriptions)).toEqual([MONTHLY.productId])
    expect(Object.keys(body.subscriber.non_subscriptions)).toEqual([LIFETIME.productId])
  })

  test('saves its attributes, and says which it could not save', async () => {
    const attributes = { plan: { value: 'gold', updated_at_ms: 5 }, 'bad key': { value: 'x', updated_at_ms: 5 } }
    const { status, body } = await receipt('ada', s.sign(s.buy(MONTHLY)), { attributes })
    expect([status, body.attributes_error_response.code]).toEqual([200, 7263])
    expect(body.attributes_error_response.attribute_errors.map((one: { key_name: string }) => one.key_name)).toEqual([
      'bad key',
    ])
  })

  test('of a phone that has bought nothing is answered with the person', async () => {
    const { status, body } = await receipt('ada', undefined, { is_restore: true, app_transaction: 'x.y.z' })
    expect([status, body.subscriber.subscriptions]).toEqual([200, {}])
  })
})

describe('a cause that passes is 5xx', () => {
  test('a product that the catalogue lacks', async () => {
    const { products } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.delete(products))
    await s.ctx.write((tx) => tx.db.update(tx.tables.projects).set({ configVersion: 99 }))
    s.ctx.state.projects.forget(s.project.id)
    expect((await receipt('ada', s.sign(s.buy(MONTHLY)))).status).toBe(503)
  })

  test('a store that is not configured', async () => {
    await s.ctx.write((tx) => tx.db.delete(tx.tables.storeSettings).where(eq(tx.tables.storeSettings.section, 'ios')))
    s.ctx.state.projects.forget(s.project.id)
    expect((await receipt('ada', s.sign(s.buy(MONTHLY)))).status).toBe(503)
    const android = await sdk(s, 'android').post('/v1/receipts', {
      ...{ app_user_id: 'ada', fetch_token: 'a.token', product_ids: ['pro_monthly'] },
    })
    expect(android.status).toBe(503)
  })

  test('a receipt file of StoreKit 1, whose message says why', async () => {
    const file = Buffer.concat([Buffer.from([0x30, 0x82, 0x10, 0x00]), Buffer.alloc(4096, 7)]).toString('base64')
    const { status, body } = await receipt('ada', file)
    expect(status).toBe(503)
    expect(body.message).toContain('StoreKit 2')
  })

  test('a store that this server has no adapter for', async () => {
    const headers = { 'x-platform': 'amazon' }
    const answer = await sdk(s, 'android').call('POST', '/v1/receipts', {
      body: { app_user_id: 'ada', fetch_token: 'x' },
      headers,
    })
    expect(answer.status).toBe(503)
  })

  test('too many people of one address', async () => {
    await s.close()
    s = await stage({ env: { SVC_RATE_NEW: '1' } })
    await setSdkDoor(s, { enabled: true })
    const statuses = await Promise.all(['ada', 'bo', 'cy'].map((id) => receipt(id, s.sign(s.buy(MONTHLY)))))
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 503, 503])
  })

  test('too many receipts of one person', async () => {
    const token = s.sign(s.buy(MONTHLY))
    const statuses = new Set<number>()
    for (let times = 0; times < 125; times++) statuses.add((await receipt('ada', token)).status)
    expect([...statuses]).toEqual([200, 503])
  })

  test('a body over 4 MiB; one over 1 MiB is read', async () => {
    const app_transaction = 'x'.repeat(2 * 1024 * 1024)
    expect((await receipt('ada', s.sign(s.buy(MONTHLY)), { app_transaction })).status).toBe(200)
    expect((await receipt('ada', 'x', { app_transaction: 'x'.repeat(5 * 1024 * 1024) })).status).toBe(503)
  })

  test('a person who was erased, and an id that no person can have', async () => {
    await sdk(s, 'ios').person('ada')
    await s.ctx.write((tx) => tx.db.update(tx.tables.subscribers).set({ erasedAt: s.ctx.clock.now() }))
    expect((await receipt('ada', s.sign(s.buy(MONTHLY)))).status).toBe(503)
    expect((await receipt('', s.sign(s.buy(MONTHLY)))).status).toBe(503)
    expect(await purchases()).toEqual([])
  })

  test('a database that does not answer', async () => {
    const token = s.sign(s.buy(MONTHLY))
    await receipt('ada', token)
    const { write } = s.ctx
    Object.defineProperty(s.ctx, 'write', { value: () => Promise.reject(new Error('disk')), configurable: true })
    const answer = await receipt('eve', token)
    Object.defineProperty(s.ctx, 'write', { value: write })
    expect(answer.status).toBeGreaterThanOrEqual(500)
  })
})

describe('a receipt that can never be booked is 4xx', () => {
  test('a forged one, one of another app and one that is no receipt: 7103', async () => {
    const signed = s.sign(s.buy(MONTHLY))
    const forged = `${signed.slice(0, -8)}AAAAAAAA`
    const foreign = s.sign(s.buy(MONTHLY, { bundleId: 'com.else' }))
    for (const token of [forged, foreign, 'not a receipt', '!!'])
      expect(sdkRefusal(await receipt('ada', token))).toEqual([400, 7103])
    expect(await purchases()).toEqual([])
  })

  test('a body that is not JSON: 7103', async () => {
    for (const raw of ['', '[]', '{', 'null', '"x"']) {
      const answer = await sdk(s, 'ios').call('POST', '/v1/receipts', { raw })
      expect([raw, answer.status, Number.isInteger(answer.body.code)]).toEqual([raw, raw === '' ? 503 : 400, true])
    }
  })

  test('a token of the test store with the key of a store: 7103', async () => {
    expect(sdkRefusal(await receipt('ada', testToken(1)))).toEqual([400, 7103])
  })

  test('one of another person, when purchases keep their owner: 7102', async () => {
    await setSdkDoor(s, { restoreBehavior: 'keep' })
    const token = s.sign(s.buy(MONTHLY))
    await receipt('ada', token)
    expect(sdkRefusal(await receipt('eve', token))).toEqual([409, 7102])
  })
})

describe('the receipt of another person', () => {
  test('moves the purchase, as at the former vendor, and the move can be undone', async () => {
    const token = s.sign(s.buy(MONTHLY))
    await receipt('ada', token)
    const moved = await receipt('eve', token, { is_restore: true })
    expect(Object.keys(moved.body.subscriber.entitlements)).toEqual(['pro'])
    expect((await sdk(s, 'ios').person('ada')).body.subscriber.entitlements).toEqual({})
    const [row] = await s.ctx.db.select().from(s.ctx.tables.transfers)
    expect([row?.cause, row?.undoneAt]).toEqual(['RESTORE', null])
  })

  test('follows the rule of the project where that is chosen', async () => {
    await setSdkDoor(s, { restoreBehavior: 'project' })
    const token = s.sign(s.buy(MONTHLY))
    await receipt(ANONYMOUS, token)
    expect((await receipt(OTHER_ANONYMOUS, token)).status).toBe(200)
    await receipt('ada', token)
    expect(sdkRefusal(await receipt('eve', token))).toEqual([409, 7102])
  })

  test('from two people at the same time belongs to one of them', async () => {
    const token = s.sign(s.buy(MONTHLY))
    const answers = await Promise.all([receipt('ada', token), receipt('eve', token)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const held = await Promise.all(['ada', 'eve'].map((id) => sdk(s, 'ios').person(id)))
    expect(held.filter(({ body }) => 'pro' in body.subscriber.entitlements)).toHaveLength(1)
  })
})

describe('with a test_ key', () => {
  const key = () => `test_${s.project.publicKey}`
  const buy = (product_id: string, token: string, id = 'ada') =>
    sdk(s, 'web').call('POST', '/v1/receipts', {
      key: key(),
      body: { app_user_id: id, product_id, fetch_token: token },
    })
  beforeEach(() => setSdkDoor(s, { testStore: true }))

  test('a token buys at the test store, once', async () => {
    for (let times = 0; times < 2; times++) {
      const { status, body } = await buy('pro_monthly', testToken(1))
      expect([status, body.subscriber.subscriptions.pro_monthly?.store]).toEqual([200, 'test_store'])
      expect(body.subscriber.entitlements.pro.product_identifier).toBe('pro_monthly')
    }
    expect(await purchases()).toHaveLength(1)
    await buy('coins_100', testToken(2))
    await buy('coins_100', testToken(3))
    expect(await purchases()).toHaveLength(3)
  })

  test('two calls with one token at the same time buy once', async () => {
    const answers = await Promise.all([buy('coins_100', testToken(4)), buy('coins_100', testToken(4))])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await purchases()).toHaveLength(1)
  })

  test('what is no token of the test store, and a product that the project lacks, are 7103', async () => {
    expect(sdkRefusal(await buy('pro_monthly', 'test_x'))).toEqual([400, 7103])
    expect(sdkRefusal(await buy('pro_monthly', s.sign(s.buy(MONTHLY))))).toEqual([400, 7103])
    expect(sdkRefusal(await buy('nothing', testToken(5)))).toEqual([400, 7103])
    expect(await purchases()).toEqual([])
  })
})

test('an access that has ended is listed with its end', async () => {
  await receipt('ada', s.sign(s.buy(MONTHLY)))
  s.ctx.clock.advance(40 * DAY)
  const { body } = await sdk(s, 'ios').person('ada')
  expect(Date.parse(body.subscriber.entitlements.pro.expires_date)).toBeLessThan(Date.parse(body.request_date))
})
