import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { sdk, sdkRefusal, setSdkDoor } from '../support/former-sdk'
import { decodeAndroidPerson, decodeBought, decodeMapping, decodeOfferings } from '../support/former-sdk-decoders'

let s: AndroidStage
beforeEach(async () => {
  s = await androidStage()
  await setSdkDoor(s, { enabled: true })
})
afterEach(() => s.close())

const send = (fetch_token: string, more: Record<string, unknown>) =>
  sdk(s, 'android').post('/v1/receipts', { app_user_id: 'ada', fetch_token, ...more })
const plan = [{ product_id: 'pro', base_plan_id: 'monthly', offer_id: null }]

describe('a purchase token', () => {
  test('gives the person the subscription, under the id of the store and with its base plan', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const { status, body } = await send(token, { product_ids: ['pro'], platform_product_ids: plan })
    expect(status).toBe(200)
    expect(body.subscriber.entitlements.pro).toMatchObject({
      product_identifier: 'pro',
      product_plan_identifier: 'monthly',
    })
    expect(body.subscriber.subscriptions.pro).toMatchObject({ store: 'play_store', product_plan_identifier: 'monthly' })
    expect(body.purchased_products).toBeUndefined()
  })

  test('is booked by its product alone, as older SDKs send it', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    expect((await send(token, { product_ids: ['pro'] })).status).toBe(200)
  })

  test('of a consumable is to be consumed, and of another one-time product is not', async () => {
    const { products } = s.ctx.tables
    const rows = await s.ctx.db.select().from(products)
    const idOf = (identifier: string) => rows.find((row) => row.identifier === identifier)?.androidId ?? ''
    const coins = s.server.store.buy(idOf('coins_100'))
    const { body } = await send(coins, { product_ids: [idOf('coins_100')] })
    expect(body.purchased_products).toEqual({ [idOf('coins_100')]: { should_consume: true } })
  })
})

describe('a cause that passes is 5xx', () => {
  test('a payment that is pending', async () => {
    const token = s.server.store.subscribePending(ANDROID_MONTHLY)
    const answer = await send(token, { platform_product_ids: plan })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60'])
  })

  test('an outage of the store', async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    await s.server.close()
    const answer = await send(token, { platform_product_ids: plan })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60'])
  })

  test('a product that the catalogue lacks', async () => {
    expect((await send(s.server.store.subscribe(ANDROID_MONTHLY), { product_ids: ['unknown'] })).status).toBe(503)
  })
})

test('a token that the store does not know is 7103', async () => {
  expect(sdkRefusal(await send('made.up', { platform_product_ids: plan }))).toEqual([400, 7103])
  expect(sdkRefusal(await send('made.up', {}))).toEqual([400, 7103])
  expect(sdkRefusal(await send('', { product_ids: ['pro'] }))).toEqual([400, 7103])
})

describe('one token from two people at the same time', () => {
  const both = async () => {
    const token = s.server.store.subscribe(ANDROID_MONTHLY)
    const body = { fetch_token: token, product_ids: ['pro'], platform_product_ids: plan }
    return Promise.all(
      ['ada', 'eve'].map((app_user_id) => sdk(s, 'android').post('/v1/receipts', { ...body, app_user_id })),
    )
  }

  test('belongs to the one who came last, as at the former vendor', async () => {
    expect((await both()).map(({ status }) => status)).toEqual([200, 200])
    const held = await Promise.all(['ada', 'eve'].map((id) => sdk(s, 'android').person(id)))
    expect(held.filter(({ body }) => 'pro' in body.subscriber.entitlements)).toHaveLength(1)
    expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toHaveLength(1)
  })

  test('stays with the first one where purchases keep their owner', async () => {
    await setSdkDoor(s, { restoreBehavior: 'keep' })
    const answers = await both()
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.filter(({ status }) => status === 409).map(sdkRefusal)).toEqual([[409, 7102]])
  })
})

test('what an Android app reads has every member that its SDK needs', async () => {
  const token = s.server.store.subscribe(ANDROID_MONTHLY)
  const bought = await send(token, { platform_product_ids: plan })
  expect([decodeAndroidPerson(bought.body), decodeBought(bought.body)]).toEqual([[], []])
  const { body: offerings } = await sdk(s, 'android').get('/v1/subscribers/ada/offerings')
  expect(decodeOfferings(offerings)).toEqual([])
  for (const { packages } of offerings.offerings)
    for (const slot of packages) expect(Object.values(slot)).not.toContain(undefined)
  const { body: mapping } = await sdk(s, 'android').get('/v1/product_entitlement_mapping')
  expect(decodeMapping(mapping)).toEqual([])
  expect(mapping.product_entitlement_mapping['pro:monthly']).toEqual({
    ...{ product_identifier: 'pro', base_plan_id: 'monthly', entitlements: ['pro'] },
  })
})
