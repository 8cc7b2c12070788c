import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { sdkDoorCommand } from '../../src/moving/sdk-door/command'
import { SdkDevices } from '../../src/moving/sdk-door/devices'
import { callsRetention, devicesRetention } from '../../src/moving/sdk-door/retention'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { runBeside } from '../support/command'
import { erase } from '../support/erased'
import { ANONYMOUS, type Sdk, sdk, setSdkDoor } from '../support/former-sdk'
import { staff } from '../support/staff'

let s: Stage
beforeEach(async () => {
  s = await stage()
  await setSdkDoor(s, { enabled: true })
})
afterEach(() => s.close())

const seen = async () => (await staff(s).as('CUSTOMER_SUPPORT').get('/sdk-door/calls')).body.data
const devices = async () =>
  (await seen()).devices.map(({ lastDay: _day, vendorEvents: _events, ...one }: Record<string, unknown>) => one)
const rows = () => s.ctx.db.select().from(s.ctx.tables.formerSdkDevices)
const open = (kind: Sdk, id: string, headers: Record<string, string> = {}) => sdk(s, kind).person(id, { headers })
const IOS = { platform: 'iOS', flavor: '', version: '5.43.0' }

describe('devices', () => {
  test('count once for each person and platform, by the SDK and the app of their last call', async () => {
    const app = { 'x-client-version': '2.1 (7)' }
    for (const id of ['ada', 'bo', 'ada']) await open('ios', id, app)
    await open('android', 'ada', { 'x-client-version': '2.0', 'x-platform-flavor': 'flutter' })
    await open('web', 'ada')
    expect(await devices()).toEqual([
      { platform: 'android', flavor: 'flutter', version: '9.9.0', appVersion: '2.0', devices: 1 },
      { ...IOS, appVersion: '2.1 (7)', devices: 2 },
      { platform: 'web', flavor: '', version: '1.63.1', appVersion: '', devices: 1 },
    ])
    await open('ios', 'ada', { 'x-client-version': '2.2', 'x-version': '5.80.0' })
    expect(await devices()).toContainEqual({ ...IOS, appVersion: '2.1 (7)', devices: 1 })
    expect(await devices()).toContainEqual({ ...IOS, version: '5.80.0', appVersion: '2.2', devices: 1 })
  })

  test('are known by receipts, log-ins and attributes too, and by nothing that is refused', async () => {
    const attributes = { plan: { value: 'gold', updated_at_ms: 1 } }
    await sdk(s, 'ios').post('/v1/receipts', { app_user_id: 'ada', fetch_token: s.sign(s.buy(MONTHLY)) })
    await sdk(s, 'ios').post('/v1/subscribers/identify', { app_user_id: ANONYMOUS, new_app_user_id: 'bo' })
    await sdk(s, 'ios').post('/v1/subscribers/cy/attributes', { attributes })
    expect((await devices()).map(({ devices: count }: { devices: number }) => count)).toEqual([3])
    await sdk(s, 'ios').post('/v1/receipts', { app_user_id: 'eve', fetch_token: 'no receipt' })
    await open('ios', 'null')
    await open('ios', 'eve', { authorization: 'Bearer appl_unknown' })
    await sdk(s, 'ios').get('/v1/subscribers/nobody/offerings')
    expect((await devices()).map(({ devices: count }: { devices: number }) => count)).toEqual([3])
  })

  test('are kept without the ids of people, and are deleted with the person', async () => {
    await open('ios', 'ada-lovelace')
    await open('android', 'ada-lovelace')
    await open('ios', ANONYMOUS)
    await seen()
    const people = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    const text = JSON.stringify(await rows())
    for (const { id, deviceKey } of people) for (const secret of [id, deviceKey]) expect(text).not.toContain(secret)
    expect(text).not.toContain('lovelace')
    const ada = people.find(({ appUserId }) => appUserId !== null)
    await open('ios', 'ada-lovelace', { 'x-client-version': '3' })
    await erase(s, ada?.id ?? '')
    await seen()
    expect(await rows()).toHaveLength(1)
  })

  test('that another process has not written yet are not written after an erasure', async () => {
    await open('ios', 'ada')
    const [person] = await s.ctx.db.select().from(s.ctx.tables.subscribers)
    const other = new SdkDevices(s.ctx.mac, () => s.ctx.clock.now())
    for (const id of [person?.id ?? '', 'sub_of_bo']) other.note(s.project.id, id, { ...IOS, appVersion: '1.0' })
    await erase(s, person?.id ?? '')
    await other.flush(s.ctx)
    expect((await rows()).map(({ deviceHash }) => deviceHash)).toEqual([other.hash(s.project.id, 'sub_of_bo')])
  })

  test('of the last 30 days are shown, and the others are deleted', async () => {
    await open('ios', 'ada')
    s.ctx.clock.advance(29 * DAY)
    await open('ios', 'bo')
    expect((await devices())[0].devices).toBe(2)
    s.ctx.clock.advance(DAY)
    expect((await devices())[0].devices).toBe(1)
    expect(await rows()).toHaveLength(2)
    s.ctx.clock.advance(2 * DAY)
    await devicesRetention.sweep(s.ctx, () => false)
    expect(await rows()).toHaveLength(1)
    expect(await devicesRetention.oldest?.(s.ctx)).toHaveLength(1)
  })

  test('are noted although they could not be written once, and not at all when calls are not counted', async () => {
    await open('ios', 'ada')
    const failing = { ...s.ctx, write: () => Promise.reject(new Error('the disk is full')) }
    await expect(s.ctx.state.sdkDevices.flush(failing)).rejects.toThrow('the disk is full')
    expect(await devices()).toHaveLength(1)
    await setSdkDoor(s, { logCalls: false })
    await open('android', 'ada')
    expect(await devices()).toHaveLength(1)
  })

  test('of many people are written together, and again when their apps are updated', async () => {
    const { sdkDevices } = s.ctx.state
    const people = Array.from({ length: 41 }, (_, n) => `sub_${n}`)
    const [old, updated] = [
      { ...IOS, appVersion: '1.0' },
      { ...IOS, version: '5.80.0', appVersion: '1.1' },
    ]
    for (const id of people) sdkDevices.note(s.project.id, id, old)
    expect(await devices()).toEqual([{ ...old, devices: 41 }])
    s.ctx.clock.advance(DAY)
    for (const id of people.slice(1)) sdkDevices.note(s.project.id, id, updated)
    expect(await devices()).toEqual([
      { ...old, devices: 1 },
      { ...updated, devices: 40 },
    ])
    const days = (await rows()).map(({ day }) => day)
    expect(days.filter((day) => day === Math.max(...days))).toHaveLength(40)
  })

  test('of another project are not shown', async () => {
    await open('ios', 'ada')
    await seen()
    await s.ctx.write((tx) => tx.db.update(tx.tables.formerSdkDevices).set({ projectId: s.other.id }))
    expect(await devices()).toEqual([])
  })

  test('are in the report of the command', async () => {
    await open('ios', 'ada')
    await open('ios', 'bo')
    await seen()
    const { out } = await runBeside(s, sdkDoorCommand, 'status', '--project', 'project-1')
    expect(out).toMatch(/iOS +- +5\.43\.0 +2 +0 +2/)
  })
})

describe('events to the former vendor', () => {
  test.each([
    ['android', '10.17.0', 'YES'],
    ['amazon', '7.0.1', 'YES'],
    ['web', '1.63.1', 'YES'],
    ['iOS', '5.86.0-SNAPSHOT', 'NO'],
    ['tvOS', '5.0.0', 'NO'],
    ['iOS', '4.19.0', 'UNKNOWN'],
    ['iOS', '', 'UNKNOWN'],
    ['roku', '5.0.0', 'UNKNOWN'],
  ])('of %s %s: %s', async (platform, version, expected) => {
    await open('ios', 'ada', { 'x-platform': platform, 'x-version': version })
    const { devices: found, vendorEventsBy } = await seen()
    expect([found[0].vendorEvents, vendorEventsBy]).toEqual([expected, 'SDK_VERSION'])
  })
})

describe('refused calls', () => {
  const outcomes = async () =>
    Object.fromEntries(
      (await seen()).calls.map((one: Record<string, unknown>) => [
        `${one.platform} ${one.call} ${one.outcome}`,
        one.count,
      ]),
    )

  test('are counted while it is off, for a wrong origin and for a closed test store', async () => {
    await setSdkDoor(s, { enabled: false })
    await open('ios', 'ada')
    await sdk(s, 'ios').post('/v1/receipts', { app_user_id: 'ada', fetch_token: 'x' })
    await setSdkDoor(s, { enabled: true })
    await open('web', 'ada', { origin: 'https://evil.example' })
    await sdk(s, 'web').person('ada', { key: `test_${s.project.publicKey}` })
    expect(await outcomes()).toEqual({
      ...{ 'iOS subscriber 7225': 1, 'iOS receipts 7110': 1 },
      ...{ 'web subscriber 7225': 1, 'web subscriber 7103': 1 },
    })
    expect(await rows()).toEqual([])
  })

  test('are counted over the limit of the key', async () => {
    await s.ctx.write((tx) => tx.db.update(tx.tables.apiKeys).set({ ratePerMinute: 1 }))
    for (let times = 0; times < 3; times++) await open('ios', 'ada')
    expect(await outcomes()).toEqual({ 'iOS subscriber OK': 1, 'iOS subscriber 7114': 2 })
  })

  test('with a key of nobody are in no project', async () => {
    await sdk(s, 'ios').person('ada', { key: 'appl_unknown' })
    await sdk(s, 'ios').person('ada', { key: null })
    expect(await outcomes()).toEqual({})
  })
})

test('all counts that are due are deleted in one sweep, page by page', async () => {
  const { formerSdkCalls } = s.ctx.tables
  const today = Math.floor(s.ctx.clock.now() / DAY) * DAY
  const row = (day: number, version: string) => ({
    ...{ projectId: s.project.id, day, platform: 'iOS', flavor: '', version, call: 'subscriber', outcome: 'OK' },
    count: 1,
  })
  const due = Array.from({ length: 1300 }, (_, n) => row(today - (70 + (n % 3)) * DAY, String(n)))
  await s.ctx.write(async (tx) => {
    for (let at = 0; at < due.length; at += 100) await tx.db.insert(formerSdkCalls).values(due.slice(at, at + 100))
    await tx.db.insert(formerSdkCalls).values(row(today - 10 * DAY, '1'))
  })
  const left: number[] = []
  const { write } = s.ctx
  const counting = { ...s.ctx, write: ((work) => write(work).finally(count)) as typeof write }
  async function count() {
    left.push(await s.ctx.db.$count(formerSdkCalls))
  }
  await callsRetention.sweep(counting, () => false)
  expect(left).toEqual([801, 301, 1])
})
