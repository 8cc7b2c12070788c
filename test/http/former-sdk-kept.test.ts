import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY, SECOND } from '../../src/base/lib/clock'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { ANONYMOUS, type Sdk, sdk, sdkRefusal, setSdkDoor } from '../support/former-sdk'
import { staff } from '../support/staff'

/** The answer about a person is kept in memory until something in it changes. */
let s: Stage
beforeEach(async () => {
  s = await stage()
  await setSdkDoor(s, { enabled: true })
  await receipt('ada')
})
afterEach(() => s.close())

const receipt = (app_user_id: string) =>
  sdk(s, 'ios').post('/v1/receipts', { app_user_id, fetch_token: s.sign(s.buy(MONTHLY)) })
const person = async (id = 'ada', kind: Sdk = 'ios') => (await sdk(s, kind).person(id)).body
const access = async (id = 'ada') => Object.keys((await person(id)).subscriber.entitlements)
const expiry = async () => (await person()).subscriber.subscriptions[MONTHLY.productId].expires_date

/** Asks twice: the second answer is the kept one. */
async function kept(id = 'ada') {
  const first = await person(id)
  expect(await person(id)).toEqual(first)
  return first
}

test('has the instant of each request, and reads nothing', async () => {
  const first = await kept()
  const { db } = s.ctx
  s.ctx.clock.advance(7 * SECOND)
  const read = Object.getOwnPropertyDescriptor(db, 'select')
  Object.defineProperty(db, 'select', { configurable: true, value: () => expect.unreachable() })
  const later = await person()
  if (read) Object.defineProperty(db, 'select', read)
  else Reflect.deleteProperty(db, 'select')
  expect([later.request_date_ms, later.subscriber.last_seen]).toEqual([s.ctx.clock.now(), later.request_date])
  expect(later.request_date).not.toBe(first.request_date)
  const { last_seen: _first, ...before } = first.subscriber
  const { last_seen: _later, ...after } = later.subscriber
  expect(after).toEqual(before)
})

test('has one tag for the made and the kept answer, whenever the person was last seen', async () => {
  await sdk(s, 'ios').person('bo')
  const tags = new Set<string | null>()
  for (let times = 0; times < 3; times++) {
    const answer = await sdk(s, 'ios').person('bo')
    tags.add(answer.headers.get('x-revenuecat-etag'))
    s.ctx.clock.advance(DAY)
    await s.ctx.write((tx) => tx.db.update(tx.tables.subscribers).set({ lastSeenAt: s.ctx.clock.now() }))
    s.ctx.state.responseCache.clear()
  }
  expect(tags.size).toBe(1)
  const [tag] = tags
  const headers = { 'x-revenuecat-etag': tag ?? '' }
  expect((await sdk(s, 'ios').person('bo', { headers })).status).toBe(304)
  expect((await sdk(s, 'ios').person('bo', { headers })).status).toBe(304)
})

test('keeps the person among those who are seen, and the device counted', async () => {
  await kept()
  s.ctx.state.presence.take()
  await person()
  expect(s.ctx.state.presence.take()).toHaveLength(1)
})

describe('is made again', () => {
  test('after a purchase, and at the end of one', async () => {
    const before = await kept()
    expect(await access()).toEqual(['pro'])
    s.ctx.clock.advance(Date.parse(await expiry()) - s.ctx.clock.now() - SECOND)
    expect(await person()).toMatchObject({ subscriber: { entitlements: before.subscriber.entitlements } })
    s.ctx.clock.advance(2 * SECOND)
    const { request_date, subscriber } = await person()
    expect(Date.parse(subscriber.entitlements.pro.expires_date)).toBeLessThan(Date.parse(request_date))
    await receipt('ada')
    const renewed = await person()
    expect(Date.parse(renewed.subscriber.entitlements.pro.expires_date)).toBeGreaterThan(s.ctx.clock.now())
  })

  test('after a refund, a grant and a change of the catalogue', async () => {
    await kept()
    const { purchases, subscribers } = s.ctx.tables
    const [bought] = await s.ctx.db.select().from(purchases)
    const fold = { ...(bought?.fold as NonNullable<typeof bought>['fold']), refundedAt: s.ctx.clock.now() - 1 }
    await s.ctx.write((tx) =>
      tx.db
        .update(purchases)
        .set({ fold })
        .where(eq(purchases.id, bought?.id ?? '')),
    )
    const refunded = await kept()
    expect(refunded.subscriber.subscriptions[MONTHLY.productId].refunded_at).not.toBeNull()
    const [row] = await s.ctx.db.select().from(subscribers)
    const owner = staff(s).as('OWNER')
    const levels: { id: string; identifier: string }[] = (await owner.get('/access')).body.data.items
    const pro = levels.find(({ identifier }) => identifier === 'pro')
    const given = await owner.post(`/subscribers/${row?.id}/grants`, { accessIds: [pro?.id] })
    expect(given.status).toBeLessThan(300)
    expect((await kept()).subscriber.entitlements.pro.product_identifier).toBe('rc_promo_pro_lifetime')
    const renamed = await owner.patch(`/access/${pro?.id}`, { identifier: 'plus' })
    expect([renamed.status, await access()]).toEqual([200, ['plus']])
  })

  test('after a transfer, for both people', async () => {
    const fetch_token = s.sign(s.buy(MONTHLY))
    await sdk(s, 'ios').post('/v1/receipts', { app_user_id: 'bo', fetch_token })
    await kept('bo')
    await sdk(s, 'ios').person('eve')
    await kept('eve')
    await sdk(s, 'ios').post('/v1/receipts', { app_user_id: 'eve', fetch_token, is_restore: true })
    expect([await access('bo'), await access('eve')]).toEqual([[], ['pro']])
  })

  test('after a log-in, for the anonymous id that became somebody', async () => {
    await receipt(ANONYMOUS)
    await kept(ANONYMOUS)
    await sdk(s, 'ios').post('/v1/subscribers/identify', { app_user_id: ANONYMOUS, new_app_user_id: 'cy' })
    expect(await access('cy')).toEqual(['pro'])
    const [transfer] = await s.ctx.db.select().from(s.ctx.tables.transfers)
    expect(await access(ANONYMOUS)).toEqual(['pro'])
    await staff(s).as('OWNER').post(`/transfers/${transfer?.id}/undo`, {})
    expect([await access('cy'), await access(ANONYMOUS)]).toEqual([[], ['pro']])
  })

  test('when the label is taken from its row', async () => {
    await s.post('/v1/identify', { deviceKey: 'phone-1', appUserId: 'dora' }, { key: s.project.secretKey })
    await s.receipt('phone-1', s.buy(MONTHLY))
    await kept('dora')
    expect(await access('dora')).toEqual(['pro'])
    const { subscribers } = s.ctx.tables
    const [row] = await s.ctx.db.select().from(subscribers).where(eq(subscribers.appUserId, 'dora'))
    const isRow = eq(subscribers.id, row?.id ?? '')
    await s.ctx.write((tx) => tx.db.update(subscribers).set({ appUserId: 'old-dora' }).where(isRow))
    const answer = await sdk(s, 'ios').person('dora')
    expect([answer.status, answer.body.subscriber.entitlements]).toEqual([201, {}])
  })
})

test('is not given with a closed door, to another project, or for the test store', async () => {
  await kept()
  await setSdkDoor(s, { testStore: true })
  const test = await sdk(s, 'web').person('ada', { key: `test_${s.project.publicKey}` })
  expect(Object.keys(test.body.subscriber.subscriptions)).toEqual(['pro_monthly'])
  expect(sdkRefusal(await sdk(s, 'ios').person('ada', { key: `appl_${s.other.publicKey}` }))).toEqual([401, 7225])
  await setSdkDoor(s, { enabled: false })
  expect(sdkRefusal(await sdk(s, 'ios').person('ada'))).toEqual([401, 7225])
})

test('is not given without the identity token that the project asks for', async () => {
  await kept()
  const changed = await staff(s)
    .as('ADMIN')
    .patch('', { settings: { identityVerification: 'labels' } })
  expect(changed.status).toBe(200)
  expect(sdkRefusal(await sdk(s, 'ios').person('ada'))).toEqual([403, 7225])
})

test('is not given with a key that was revoked, nor with an old key that was removed', async () => {
  await kept()
  const old = 'LegacyKeyWithoutPrefix'
  await setSdkDoor(s, { oldKeys: [{ key: old, platform: 'ios' }] })
  for (let times = 0; times < 2; times++) expect((await sdk(s, 'ios').person('ada', { key: old })).status).toBe(200)
  await setSdkDoor(s, { oldKeys: [] })
  expect(sdkRefusal(await sdk(s, 'ios').person('ada', { key: old }))).toEqual([401, 7225])
  const { apiKeys } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(apiKeys).set({ revokedAt: s.ctx.clock.now() }))
  s.ctx.state.keys.forget(s.project.id)
  expect(sdkRefusal(await sdk(s, 'ios').person('ada'))).toEqual([401, 7225])
})

test('is not given to a page of an origin that the project does not name', async () => {
  await kept()
  const headers = { origin: 'https://evil.example' }
  expect(sdkRefusal(await sdk(s, 'web').person('ada', { headers }))).toEqual([403, 7225])
})

test('has the headers of the first answer', async () => {
  const [first, again] = [await sdk(s, 'web').person('bo'), await sdk(s, 'web').person('bo')]
  const names = (answer: typeof first) => [...answer.headers.keys()].sort()
  expect([first.status, again.status, names(again)]).toEqual([201, 200, names(first)])
})

test('is counted once against each limit, and so is a call over the limit of the key', async () => {
  await s.close()
  s = await stage({ env: { SVC_RATE_IP: '100', SVC_RATE_KEY: '3' } })
  await setSdkDoor(s, { enabled: true })
  const answers: [status: number, ip: number, key: number][] = []
  for (let times = 0; times < 5; times++) {
    const { status, headers } = await sdk(s, 'ios').person('ada')
    const [ip, key] = [...(headers.get('ratelimit') ?? '').matchAll(/r=(\d+)/g)].map(([, left]) => Number(left))
    answers.push([status, ip ?? -1, key ?? -1])
  }
  const [, first] = answers[0] ?? [0, 0]
  expect(answers).toEqual([
    [201, first, 2],
    [200, first - 1, 1],
    [200, first - 2, 0],
    [429, first - 3, 0],
    [429, first - 4, 0],
  ])
})
