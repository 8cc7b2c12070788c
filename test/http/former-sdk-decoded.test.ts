import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import type { PurchaseFold } from '../../src/people/purchases/model'
import { type Answer, COINS, LIFETIME, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { ANONYMOUS, type Sdk, sdk, sdkRefusal, setSdkDoor, testToken } from '../support/former-sdk'
import * as decode from '../support/former-sdk-decoders'
import { FUNNEL, place } from '../support/placements'
import { staff } from '../support/staff'

/** Each answer of the door, as the parsers of iOS and Android read it. */
let s: Stage
beforeEach(async () => {
  s = await stage()
  await setSdkDoor(s, { enabled: true, testStore: true })
})
afterEach(() => s.close())

const PHONES = ['ios', 'android'] as const
type Phone = (typeof PHONES)[number]
const decodePerson = { ios: decode.decodeIosPerson, android: decode.decodeAndroidPerson, web: decode.decodeWebPerson }

/** What holds of every answer: JSON that is an object, and for phones the instant by which they decide. */
function whole({ headers, body, status }: Answer, kind: Sdk): string[] {
  const faults: string[] = []
  if (typeof body !== 'object' || body === null || Array.isArray(body)) faults.push(`the body is ${body}`)
  if (!headers.get('content-type')?.startsWith('application/json')) faults.push('the type is not JSON')
  if (status < 400 && !/^\d{13}$/.test(headers.get('x-revenuecat-request-time') ?? '')) faults.push('no request time')
  if (status < 400 && kind !== 'web' && !headers.get('x-revenuecat-etag')) faults.push('no tag')
  return faults
}

const post = (kind: Sdk, path: string, body: unknown) => sdk(s, kind).post(path, body)
const receipt = (id: string, payload: ReturnType<Stage['buy']>) =>
  post('ios', '/v1/receipts', { app_user_id: id, fetch_token: s.sign(payload) })

describe('each call', () => {
  beforeEach(async () => {
    for (const product of [MONTHLY, LIFETIME, COINS]) await receipt('ada', s.buy(product))
    const [first] = await s.ctx.db.select().from(s.ctx.tables.offerings)
    const row = { audienceId: null, target: { type: 'offering' as const, offeringId: first?.id ?? '' } }
    await place(s, {
      funnels: [{ id: 'fnl_1' }],
      placements: [
        { identifier: 'start', rows: [row] },
        { identifier: 'none', rows: [FUNNEL('fnl_1', 'aud_none'), row] },
      ],
    })
  })

  const P = '/v1/subscribers/ada'
  const isEmpty = (body: unknown) => (Object.keys(body as object).length === 0 ? [] : ['the body is not empty'])
  type Case = [name: string, method: string, path: string, body: unknown, status: number, read: Read]
  type Read = (body: unknown, kind: Phone) => string[]
  const person: Read = (body, kind) => decodePerson[kind](body)
  const bad = { plan: { value: 'gold', updated_at_ms: 1 }, $nothing: { value: 'x', updated_at_ms: 1 } }
  const offer = { offer_id: 'o', product_id: MONTHLY.productId, subscription_group: 'g' }
  const cases: Case[] = [
    ['a person', 'GET', P, undefined, 200, person],
    ['a new person', 'GET', '/v1/subscribers/bo', undefined, 201, person],
    ['offerings', 'GET', `${P}/offerings`, undefined, 200, decode.decodeOfferings],
    ['a log-in', 'POST', '/v1/subscribers/identify', { app_user_id: ANONYMOUS, new_app_user_id: 'cy' }, 201, person],
    ['attributes', 'POST', `${P}/attributes`, { attributes: {} }, 200, isEmpty],
    ['attributes, some refused', 'POST', `${P}/attributes`, { attributes: bad }, 400, decode.decodeRefusal],
    ['a restore of nothing', 'POST', '/v1/receipts', { app_user_id: 'ada' }, 200, person],
    ['currencies', 'GET', `${P}/virtual_currencies`, undefined, 200, (b, k) => decode.decodeCurrencies(b, k !== 'ios')],
    ['the mapping', 'GET', '/v1/product_entitlement_mapping', undefined, 200, decode.decodeMapping],
    ['offers', 'POST', '/v1/offers', { app_user_id: 'ada', generate_offers: [offer, offer] }, 200, decode.decodeOffers],
    [
      'trials',
      'POST',
      `${P}/intro_eligibility`,
      { product_identifiers: [MONTHLY.productId] },
      200,
      decode.decodeEligibility,
    ],
    [
      'whether a restore may move',
      'POST',
      `${P}/restore/eligibility`,
      { fetch_token: 'x' },
      200,
      decode.decodeFlag('is_purchase_allowed_by_restore_behavior'),
    ],
    ['reports', 'GET', `${P}/health_report_availability`, undefined, 200, decode.decodeFlag('report_logs')],
    ['an alias', 'POST', `${P}/alias`, { app_user_id: 'ada', new_app_user_id: 'bo' }, 200, isEmpty],
    ['attribution', 'POST', `${P}/attribution`, { network: 1, data: {} }, 200, isEmpty],
    ['AdServices', 'POST', `${P}/adservices_attribution`, { aad_attribution_token: 'x' }, 200, isEmpty],
    ['events', 'POST', '/v1/events', { events: [] }, 200, isEmpty],
    ['diagnostics', 'POST', '/v1/diagnostics', { entries: [] }, 200, isEmpty],
    ['health', 'GET', '/v1/health', undefined, 200, isEmpty],
    ['a wrong id', 'GET', '/v1/subscribers/null', undefined, 400, decode.decodeRefusal],
    ['the configuration', 'POST', '/v1/config/app', { app_user_id: 'ada' }, 404, decode.decodeRefusal],
    ['the customer center', 'GET', '/v1/customercenter/ada', undefined, 404, decode.decodeRefusal],
    ['a redemption', 'POST', '/v1/subscribers/redeem_purchase', { redemption_token: 'x' }, 404, decode.decodeRefusal],
    [
      'products of the test store',
      'GET',
      '/rcbilling/v1/subscribers/ada/products?id=pro_monthly&id=coins_100',
      undefined,
      200,
      decode.decodeProducts,
    ],
  ]
  for (const kind of PHONES)
    test.each(cases)(`of ${kind} is read: %s`, async (name, method, path, body, status, read) => {
      if (kind === 'android' && name === 'a restore of nothing') return
      const answer = await sdk(s, kind).call(method, path, body === undefined ? {} : { body })
      expect([answer.status, whole(answer, kind), read(answer.body, kind)]).toEqual([status, [], []])
    })

  test('with a key of the test store is read too, also after a purchase there', async () => {
    const key = `test_${s.project.publicKey}`
    for (const [n, kind] of PHONES.entries()) {
      const body = { app_user_id: 'bo', product_id: 'coins_100', fetch_token: testToken(n) }
      const bought = await sdk(s, kind).post('/v1/receipts', { ...body, attributes: bad }, { key })
      expect([bought.status, decodePerson[kind](bought.body), decode.decodeBought(bought.body)]).toEqual([200, [], []])
      expect(bought.body.purchased_products).toEqual({ coins_100: { should_consume: true } })
      const { body: offerings } = await sdk(s, kind).get(`${P}/offerings`, { key })
      expect(decode.decodeOfferings(offerings)).toEqual([])
    }
  })
})

describe('a person is read by every SDK, whatever has become of the purchase:', () => {
  const now = () => s.ctx.clock.now()
  const states: [name: string, change: () => Partial<PurchaseFold>][] = [
    ['a trial', () => ({ isTrial: true, price: null })],
    ['an introductory offer', () => ({ isIntroOffer: true })],
    ['a grace period', () => ({ billingTrouble: 'GRACE', gracePeriodExpiresAt: now() + DAY, expiresAt: now() - DAY })],
    ['a payment that is retried', () => ({ billingTrouble: 'RETRY', expiresAt: now() - DAY })],
    ['a pause', () => ({ pausedAt: now() - DAY, autoResumeAt: now() + DAY })],
    ['a pause to come', () => ({ pausedAt: now() + DAY, autoResumeAt: now() + 2 * DAY })],
    ['a cancellation', () => ({ autoRenews: false, cancelledAt: now() - DAY })],
    ['an end', () => ({ expiresAt: now() - DAY, autoRenews: false, expiryReason: 'UNSUBSCRIBED' as never })],
    ['a refund', () => ({ refundedAt: now() - DAY })],
    ['a revocation', () => ({ revokedAt: now() - DAY })],
    ['a shared purchase', () => ({ ownershipType: 'FAMILY_SHARED' })],
    ['no end', () => ({ expiresAt: null })],
    ['no price', () => ({ price: null })],
    ['a price without decimals', () => ({ price: { amountMicros: 1_500_000_000, currency: 'JPY' } })],
  ]
  for (const product of [MONTHLY, LIFETIME])
    test.each(states)(`${product.productId}, %s`, async (_name, change) => {
      await receipt('ada', s.buy(product))
      await receipt('ada', s.buy(COINS))
      const { purchases } = s.ctx.tables
      const [row] = await s.ctx.db.select().from(purchases)
      if (!row) throw new Error('no purchase')
      await s.ctx.write((tx) =>
        tx.db
          .update(purchases)
          .set({ fold: { ...row.fold, ...change() } })
          .where(eq(purchases.id, row.id)),
      )
      for (const kind of ['ios', 'android', 'web'] as const)
        expect([kind, decodePerson[kind]((await sdk(s, kind).person('ada')).body)]).toEqual([kind, []])
    })

  test('a product that the catalogue does not have, and a purchase of every store', async () => {
    for (const product of [MONTHLY, YEARLY, LIFETIME]) await receipt('ada', s.buy(product))
    const { purchases } = s.ctx.tables
    const rows = await s.ctx.db.select().from(purchases)
    const change = (at: number, set: Partial<(typeof rows)[number]>) =>
      s.ctx.write((tx) =>
        tx.db
          .update(purchases)
          .set(set)
          .where(eq(purchases.id, rows[at]?.id ?? '')),
      )
    await change(0, { productId: null })
    await change(1, { store: 'PAYMENT' })
    await change(2, { store: 'ANDROID_STORE' })
    for (const kind of ['ios', 'android', 'web'] as const) {
      const { body } = await sdk(s, kind).person('ada')
      expect([kind, decodePerson[kind](body)]).toEqual([kind, []])
      expect(Object.keys(body.subscriber.entitlements)).toContain('pro')
    }
  })
})

describe('a call without a body', () => {
  const P = '/v1/subscribers/ada'
  const PATHS: [method: string, path: string, status: number][] = [
    ['POST', '/v1/receipts', 503],
    ['POST', '/v1/subscribers/identify', 400],
    ['POST', '/v1/subscribers/redeem_purchase', 404],
    ['POST', `${P}/attributes`, 200],
    ['POST', `${P}/alias`, 200],
    ['POST', `${P}/restore/eligibility`, 200],
    ['POST', `${P}/intro_eligibility`, 200],
    ['POST', `${P}/attribution`, 200],
    ['POST', `${P}/adservices_attribution`, 200],
    ['POST', '/v1/offers', 200],
    ['POST', '/v1/events', 200],
    ['POST', '/v1/diagnostics', 200],
    ['POST', '/v1/config/app', 404],
    ['POST', '/v1/customercenter/support/create-ticket', 404],
    ['POST', '/rcbilling/v1/checkout/start', 404],
    ['POST', '/rcbilling/v1/checkout/prepare', 404],
    ['POST', '/rcbilling/v1/checkout/c1/complete', 404],
    ['PATCH', '/rcbilling/v1/checkout/c1', 404],
  ]
  test.each(PATHS)('%s %s has an answer that every SDK reads', async (method, path, status) => {
    for (const kind of ['ios', 'android', 'web'] as const)
      for (const more of [{}, { raw: '' }, { raw: '{}' }]) {
        const answer = await sdk(s, kind).call(method, path, more)
        expect([kind, answer.status, whole(answer, kind)]).toEqual([kind, status, []])
        if (status >= 400) expect(decode.decodeRefusal(answer.body)).toEqual([])
      }
  })

  test.each(PATHS)('%s %s with another body than an object is refused with an integer code', async (method, path) => {
    for (const raw of ['[]', 'null', '"x"', '7', '{', `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`]) {
      const answer = await sdk(s, 'android').call(method, path, { raw })
      expect([raw, answer.status < 500, whole(answer, 'android')]).toEqual([raw, true, []])
      if (answer.status >= 400) expect(decode.decodeRefusal(answer.body)).toEqual([])
    }
  })
})

describe('a text that cannot be stored', () => {
  test('in an attribute does not lose the purchase that is sent with it, nor the other attributes', async () => {
    const value = { value: 'Ada \ud83d', updated_at_ms: 1 }
    const attributes = { $displayName: value, nul: { value: 'a\0b', updated_at_ms: 1 }, app_user_id: value }
    const body = { app_user_id: 'ada', fetch_token: s.sign(s.buy(MONTHLY)), attributes }
    const answer = await post('ios', '/v1/receipts', body)
    expect([answer.status, Object.keys(answer.body.subscriber.entitlements)]).toEqual([200, ['pro']])
    expect((await post('ios', '/v1/subscribers/ada/attributes', { attributes })).status).toBeLessThan(500)
    const [row] = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    expect(row?.attributes.$displayName?.value).toBe('Ada \ufffd')
  })

  test('in the id of a person is no id', async () => {
    for (const app_user_id of ['a\0b', 'Ada \ud83d'])
      expect(sdkRefusal(await post('ios', '/v1/subscribers/identify', { app_user_id, new_app_user_id: 'bo' }))).toEqual(
        [400, 7220],
      )
    expect(await s.ctx.db.select().from(s.ctx.tables.subscribers)).toEqual([])
  })
})

describe('an id', () => {
  /** As the SDK for Apple's platforms writes ids into paths. */
  const asApple = (id: string) =>
    encodeURIComponent(id).replace(/%(24|3A|2B|2C|3B|3D|26)/g, (escaped) => decodeURIComponent(escaped))
  const written: [Sdk, (id: string) => string][] = [
    ['ios', asApple],
    ['android', encodeURIComponent],
    ['web', encodeURIComponent],
  ]
  const IDS = ['a+b c', '100%', 'ä😀', "x,y;z=1!'(2)*&$:", 'user@example.com', '?#', 'x'.repeat(255), ANONYMOUS]

  test.each(IDS)('%p is one person in every call of every SDK', async (id) => {
    for (const [kind, encode] of written) {
      const path = `/v1/subscribers/${encode(id)}`
      const { body } = await sdk(s, kind).get(path)
      expect(body.subscriber.original_app_user_id).toBe(id)
      const calls = [
        sdk(s, kind).get(`${path}/offerings`),
        sdk(s, kind).get(`${path}/virtual_currencies`),
        post(kind, `${path}/attributes`, { attributes: { [kind]: { value: 'x', updated_at_ms: 1 } } }),
        post(kind, '/v1/subscribers/identify', { app_user_id: id, new_app_user_id: id }),
      ]
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    }
    const body = { app_user_id: id, fetch_token: s.sign(s.buy(MONTHLY)) }
    expect((await post('ios', '/v1/receipts', body)).body.subscriber.original_app_user_id).toBe(id)
    const people = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    expect(people.map(({ attributes }) => Object.keys(attributes).sort())).toEqual([
      ['android', 'ios', 'platform', 'web'],
    ])
  })

  test.each(['a/b', '/', 'x'.repeat(256), '😀'.repeat(128), ' ', 'null', 'a\u0007b'])(
    '%p is no person: 7220, and on receipts 503',
    async (id) => {
      for (const [kind, encode] of written) {
        const path = `/v1/subscribers/${encode(id)}`
        const calls = [
          sdk(s, kind).get(path),
          sdk(s, kind).get(`${path}/offerings`),
          sdk(s, kind).get(`${path}/virtual_currencies`),
          post(kind, `${path}/attributes`, { attributes: {} }),
          post(kind, '/v1/subscribers/identify', { app_user_id: ANONYMOUS, new_app_user_id: id }),
        ]
        expect((await Promise.all(calls)).map(sdkRefusal)).toEqual(calls.map(() => [400, 7220]))
        const kept = await post(kind, '/v1/receipts', { app_user_id: id, fetch_token: s.sign(s.buy(MONTHLY)) })
        expect(kept.status).toBe(503)
      }
      expect(await s.ctx.db.select().from(s.ctx.tables.subscribers)).toEqual([])
    },
  )

  test('that is not UTF-8 in the path is no person', async () => {
    expect(sdkRefusal(await sdk(s, 'ios').get('/v1/subscribers/%ff%fe'))).toEqual([400, 7220])
  })
})

describe('one receipt from two people at the same time', () => {
  test('is kept by one of them where purchases keep their owner', async () => {
    await setSdkDoor(s, { restoreBehavior: 'keep' })
    const fetch_token = s.sign(s.buy(MONTHLY))
    const answers = await Promise.all(
      ['ada', 'eve', 'bo'].map((app_user_id) => post('ios', '/v1/receipts', { app_user_id, fetch_token })),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 409, 409])
    for (const answer of answers) if (answer.status === 409) expect(sdkRefusal(answer)).toEqual([409, 7102])
    expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toHaveLength(1)
  })

  test('of the test store is bought once', async () => {
    const key = `test_${s.project.publicKey}`
    const body = { product_id: 'coins_100', fetch_token: testToken(9) }
    const answers = await Promise.all(
      ['ada', 'eve'].map((app_user_id) => sdk(s, 'web').post('/v1/receipts', { ...body, app_user_id }, { key })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const bought = answers.map(({ body: { subscriber } }) => (subscriber.non_subscriptions.coins_100 ?? []).length)
    expect(bought.sort()).toEqual([0, 1])
  })

  test('who are anonymous, where the second one logs in meanwhile, belongs to one person', async () => {
    const fetch_token = s.sign(s.buy(MONTHLY))
    await Promise.all([
      post('ios', '/v1/receipts', { app_user_id: ANONYMOUS, fetch_token }),
      post('ios', '/v1/subscribers/identify', { app_user_id: ANONYMOUS, new_app_user_id: 'ada' }),
      post('ios', '/v1/receipts', { app_user_id: 'ada', fetch_token }),
    ])
    const { body } = await post('ios', '/v1/receipts', { app_user_id: 'ada', fetch_token })
    expect(Object.keys(body.subscriber.entitlements)).toEqual(['pro'])
    expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toHaveLength(1)
  })
})

test('a person who was granted access and one with a foreign offering read the same everywhere', async () => {
  await sdk(s, 'ios').person('bo')
  const { subscribers, access } = s.ctx.tables
  const [row] = await s.ctx.db.select().from(subscribers).where(eq(subscribers.appUserId, 'bo'))
  const levels = await s.ctx.db.select().from(access).where(eq(access.projectId, s.project.id))
  const given = await staff(s)
    .as('OWNER')
    .post(`/subscribers/${row?.id}/grants`, { accessIds: levels.map(({ id }) => id) })
  expect(given.status).toBeLessThan(300)
  for (const kind of ['ios', 'android', 'web'] as const)
    expect(decodePerson[kind]((await sdk(s, kind).person('bo')).body)).toEqual([])
})
