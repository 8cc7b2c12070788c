import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { ANONYMOUS, OTHER_ANONYMOUS, sdk, sdkRefusal, setSdkDoor } from '../support/former-sdk'
import { staff } from '../support/staff'

let s: Stage
beforeEach(async () => {
  s = await stage()
  await setSdkDoor(s, { enabled: true })
})
afterEach(() => s.close())

const identify = (app_user_id: unknown, new_app_user_id: unknown) =>
  sdk(s, 'ios').post('/v1/subscribers/identify', { app_user_id, new_app_user_id })
const receipt = (app_user_id: string) =>
  sdk(s, 'ios').post('/v1/receipts', { app_user_id, fetch_token: s.sign(s.buy(MONTHLY)) })
const access = async (id: string) => Object.keys((await sdk(s, 'ios').person(id)).body.subscriber.entitlements)
const rows = () => s.ctx.db.select().from(s.ctx.tables.subscribers)
const transfers = () => s.ctx.db.select().from(s.ctx.tables.transfers)

describe('a log-in', () => {
  test('to a new id is 201, to a known one 200, and answers with the new person', async () => {
    const first = await identify(ANONYMOUS, 'ada')
    expect([first.status, first.body.subscriber.original_app_user_id]).toEqual([201, 'ada'])
    expect((await identify(OTHER_ANONYMOUS, 'ada')).status).toBe(200)
  })

  test('takes along what the anonymous person has, and that can be undone', async () => {
    await receipt(ANONYMOUS)
    expect((await identify(ANONYMOUS, 'ada')).status).toBe(201)
    expect([await access('ada'), await access(ANONYMOUS)]).toEqual([['pro'], ['pro']])
    const [transfer] = await transfers()
    const undone = await staff(s).as('OWNER').post(`/transfers/${transfer?.id}/undo`, {})
    expect(undone.status).toBe(200)
    expect([await access('ada'), await access(ANONYMOUS)]).toEqual([[], ['pro']])
  })

  test('from one known person to another moves nothing', async () => {
    await receipt('ada')
    expect((await identify('ada', 'bo')).status).toBe(201)
    expect([await access('ada'), await access('bo')]).toEqual([['pro'], []])
    expect(await transfers()).toEqual([])
  })

  test('of an anonymous person who became somebody already moves nothing more', async () => {
    await receipt(ANONYMOUS)
    await identify(ANONYMOUS, 'ada')
    await identify(ANONYMOUS, 'bo')
    expect([await access('ada'), await access('bo')]).toEqual([['pro'], []])
  })

  test('from two phones at the same time makes one person: exactly one answer is 201', async () => {
    const answers = await Promise.all([ANONYMOUS, OTHER_ANONYMOUS].map((id) => identify(id, 'ada')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201])
    expect((await rows()).filter(({ appUserId }) => appUserId === 'ada')).toHaveLength(1)
  })

  test('without an id, or with one that no person can have, is 400 with 7220', async () => {
    for (const [from, to] of [
      ...[
        [undefined, 'ada'],
        [ANONYMOUS, undefined],
        [ANONYMOUS, ''],
        [ANONYMOUS, 'null'],
        [ANONYMOUS, 7],
      ],
    ])
      expect(sdkRefusal(await identify(from, to))).toEqual([400, 7220])
    expect(await rows()).toEqual([])
  })

  test('without a body is refused with an integer code', async () => {
    const answer = await sdk(s, 'android').call('POST', '/v1/subscribers/identify', { raw: '' })
    expect(sdkRefusal(answer)).toEqual([400, 7220])
  })
})

test('a person of the former SDK becomes the same as one of our own client', async () => {
  await receipt('ada')
  const identified = await s.post('/v1/identify', { deviceKey: 'phone-1', appUserId: 'ada' })
  expect(identified.body.data.transferred).toBe(true)
  expect(Object.keys((await s.get('/v1/me/access', 'phone-1')).body.data.access)).toEqual(['pro'])
  expect(await access('ada')).toEqual(['pro'])
})

test('a person of an import is found by the id that the vendor gave', async () => {
  await s.ctx.write((tx) => tx.db.update(tx.tables.subscribers).set({ updatedAt: 0 }))
  await s.get('/v1/me', ANONYMOUS)
  expect((await sdk(s, 'ios').person(ANONYMOUS)).status).toBe(200)
  expect(await rows()).toHaveLength(1)
})

test('the alias of the Android SDK is accepted', async () => {
  const body = { app_user_id: ANONYMOUS, new_app_user_id: 'ada' }
  expect((await sdk(s, 'android').post(`/v1/subscribers/${encodeURIComponent(ANONYMOUS)}/alias`, body)).status).toBe(
    200,
  )
})

describe('attributes', () => {
  const set = (attributes: unknown, id = 'ada') =>
    sdk(s, 'ios').post(`/v1/subscribers/${id}/attributes`, { attributes })
  const saved = async () => {
    const row = (await rows()).find(({ appUserId }) => appUserId === 'ada')
    return Object.fromEntries(Object.entries(row?.attributes ?? {}).map(([key, { value }]) => [key, value]))
  }
  const at = (value: unknown, updated_at_ms: unknown = 1000) => ({ value, updated_at_ms })

  test('are saved, with the keys that the SDKs send by themselves', async () => {
    const keys = [
      '$idfa',
      '$idfv',
      '$ip',
      '$gpsAdId',
      '$androidId',
      '$amazonAdId',
      '$attConsentStatus',
      '$deviceVersion',
    ]
    const attributes = Object.fromEntries(keys.map((key) => [key, at('x')]))
    expect(await set({ ...attributes, plan: at('gold'), $email: at('ada@example.com') })).toMatchObject({
      status: 200,
      body: {},
    })
    expect(await saved()).toMatchObject({ plan: 'gold', $email: 'ada@example.com', $ip: 'x', $deviceVersion: 'x' })
  })

  test('that are good are saved when others are refused, each refused one with its reason', async () => {
    const bad = { $made_up: at('x'), 'a b': at('x'), $email: at('no address'), n: at(7), long: at('x'.repeat(501)) }
    const { status, body } = await set({ ...bad, plan: at('gold') })
    expect([status, body.code]).toEqual([400, 7263])
    const names = body.attribute_errors.map(({ key_name }: { key_name: string }) => key_name)
    expect(names.sort()).toEqual(Object.keys(bad).sort())
    expect(await saved()).toMatchObject({ plan: 'gold' })
    expect(Object.keys(await saved())).not.toContain('$made_up')
  })

  test('of which the newest is kept, also when it arrives first', async () => {
    await set({ plan: at('new', 2000) })
    await set({ plan: at('old', 1000) })
    expect(await saved()).toMatchObject({ plan: 'new' })
    await set({ plan: at('newer', 3000) })
    expect(await saved()).toMatchObject({ plan: 'newer' })
  })

  test('are deleted by null and by an empty text', async () => {
    await set({ a: at('x'), b: at('x') })
    await set({ a: at(null, 2000), b: at('', 2000) })
    expect(Object.keys(await saved())).not.toContain('a')
    expect(Object.keys(await saved())).not.toContain('b')
  })

  test('that are none at all change nothing', async () => {
    for (const none of [undefined, null, {}, 'x', []]) expect((await set(none)).status).toBe(200)
  })
})
