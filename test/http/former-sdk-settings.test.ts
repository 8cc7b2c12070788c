import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { sdkDoorCommand } from '../../src/moving/sdk-door/command'
import { sdkDoorExamination } from '../../src/moving/sdk-door/doctor'
import { callsRetention, tokensRetention } from '../../src/moving/sdk-door/retention'
import { type Stage, stage } from '../support/cast'
import { runBeside } from '../support/command'
import { sdk, sdkRefusal, setSdkDoor, testToken } from '../support/former-sdk'
import { changes, ifMatch, refused } from '../support/operator'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
beforeEach(async () => {
  s = await stage()
  team = staff(s)
})
afterEach(() => s.close())

const KEY = 'appl_FormerVendorKey1234'
const put = (body: unknown, options = {}) => team.as('ADMIN').put('/sdk-door', body, options)
const read = async () => (await team.as('CUSTOMER_SUPPORT').get('/sdk-door')).body.data
const calls = async () => (await team.as('CUSTOMER_SUPPORT').get('/sdk-door/calls')).body.data.calls

describe('the settings', () => {
  test('have everything off, and change one by one, with a row in the audit log', async () => {
    expect(await read()).toEqual({
      ...{ enabled: false, testStore: false, restoreBehavior: 'transfer', logCalls: true, oldKeys: [], revision: 0 },
    })
    await changes(s, () => put({ enabled: true }), ['store.create'])
    await changes(s, () => put({ restoreBehavior: 'keep' }), ['store.update'])
    await changes(s, () => put({ restoreBehavior: 'keep' }), [])
    expect(await read()).toMatchObject({ enabled: true, restoreBehavior: 'keep', revision: 2 })
  })

  test('are not changed by a developer, nor over those of somebody else', async () => {
    await refused(s, () => team.as('DEVELOPER').put('/sdk-door', { enabled: true }), 403, 'ROLE_REQUIRED')
    await put({ enabled: true })
    await refused(s, () => put({ enabled: false }, ifMatch(0)), 409, 'CONFLICT')
  })

  test.each([
    { enabled: 'yes' },
    { restoreBehavior: 'move' },
    { other: 1 },
    { oldKeys: [{ platform: 'ios' }] },
    { oldKeys: [{ key: 'short', platform: 'ios' }] },
    { oldKeys: [{ key: 'with space in it', platform: 'ios' }] },
    { oldKeys: [{ key: KEY, platform: 'windows' }] },
    { oldKeys: [{ key: `svc_pub_${'1'.repeat(32)}`, platform: 'ios' }] },
    { oldKeys: [{ key: `appl_svc_pub_${'1'.repeat(32)}`, platform: 'ios' }] },
    { oldKeys: Array.from({ length: 21 }, (_, n) => ({ key: `appl_key_number_${n}`, platform: 'ios' })) },
  ])('%j is refused', async (body) => {
    await refused(s, () => put(body), 400, 'VALIDATION_ERROR')
  })
})

describe('an old key', () => {
  const one = { key: KEY, platform: 'ios' }

  test('is accepted once it is entered, and no more once it is removed', async () => {
    await setSdkDoor(s, { enabled: true })
    expect(sdkRefusal(await sdk(s, 'ios').person('ada', { key: KEY }))).toEqual([401, 7225])
    await put({ oldKeys: [one] })
    expect((await sdk(s, 'ios').person('ada', { key: KEY })).status).toBe(201)
    await put({ oldKeys: [] })
    expect(sdkRefusal(await sdk(s, 'ios').person('ada', { key: KEY }))).toEqual([401, 7225])
  })

  test('without a prefix is accepted with the headers of an SDK', async () => {
    await put({ enabled: true, oldKeys: [{ key: 'AbCdEfGhIjKlMnOp', platform: 'android' }] })
    expect((await sdk(s, 'android').person('ada', { key: 'AbCdEfGhIjKlMnOp' })).status).toBe(201)
  })

  test('is shown by its last characters, stored as a hash, and stays by its id', async () => {
    const { body } = await put({ oldKeys: [one] })
    const [shown] = body.data.oldKeys
    expect(shown).toEqual({ id: expect.stringMatching(/^fsk_/), platform: 'ios', last4: '1234' })
    expect(JSON.stringify(await s.ctx.db.select().from(s.ctx.tables.formerSdkKeys))).not.toContain(KEY)
    await put({
      oldKeys: [
        { id: shown.id, platform: 'ios' },
        { key: 'goog_Another12345678', platform: 'android' },
      ],
    })
    expect((await read()).oldKeys.map(({ last4 }: { last4: string }) => last4)).toEqual(['1234', '5678'])
    await put({ enabled: true })
    expect((await read()).oldKeys).toHaveLength(2)
  })

  test('of another project is refused, and so is an id that the project lacks', async () => {
    const { formerSdkKeys } = s.ctx.tables
    await put({ oldKeys: [one] })
    await s.ctx.write((tx) => tx.db.update(formerSdkKeys).set({ projectId: s.other.id }))
    await refused(s, () => put({ oldKeys: [one] }), 409, 'CONFLICT')
    await refused(s, () => put({ oldKeys: [{ id: 'fsk_x', platform: 'ios' }] }), 404, 'NOT_FOUND')
  })
})

describe('the command', () => {
  const run = (...args: string[]) => runBeside(s, sdkDoorCommand, '--project', 'project-1', ...args)

  test('switches it on and off, and says what called', async () => {
    expect((await run('status')).out).toContain('not answered')
    expect((await run('enable', '--test-store', 'on', '--restore', 'keep')).code).toBe(0)
    expect(await read()).toMatchObject({ enabled: true, testStore: true, restoreBehavior: 'keep' })
    s.ctx.state.projects.forget(s.project.id)
    await sdk(s, 'ios').person('ada')
    await calls()
    expect((await run('status')).out).toMatch(/iOS +- +5\.43\.0 +1 +0/)
    await run('disable')
    expect(JSON.parse((await run('status', '--json')).out)).toMatchObject({ enabled: false, testStore: true })
  })

  test.each([[], ['open'], ['status', 'x'], ['enable', '--test-store', 'yes'], ['enable', '--restore', 'move']])(
    'refuses %p',
    async (...args) => {
      expect((await run(...args.flat())).code).toBe(2)
    },
  )
})

test('svc doctor names the open test store, and what Android apps do not show', async () => {
  const gaps = async () => {
    const report = await sdkDoorExamination.project?.({ ...s.ctx, handle: s.ctx } as never, {
      id: s.project.id,
      slug: 'x',
    })
    return (report?.gaps ?? []).map(({ message }) => message)
  } // The examination reads the handle alone.
  expect(await gaps()).toEqual([])
  await setSdkDoor(s, { enabled: true })
  expect(await gaps()).toEqual([])
  await setSdkDoor(s, { testStore: true })
  expect(await gaps()).toEqual([expect.stringContaining('test store')])
  const { products, storeSettings } = s.ctx.tables
  await s.ctx.write(async (tx) => {
    await tx.db.update(products).set({ androidId: 'pro' }).where(eq(products.identifier, 'pro_monthly'))
    await tx.db
      .update(storeSettings)
      .set({ section: 'android' })
      .where(and(eq(storeSettings.section, 'ios'), eq(storeSettings.projectId, s.project.id)))
  })
  expect(await gaps()).toEqual([expect.stringContaining('test store'), expect.stringContaining('pro_monthly')])
})

test('counts and tokens are deleted at their age', async () => {
  const { formerSdkCalls, formerSdkTokens } = s.ctx.tables
  await setSdkDoor(s, { enabled: true, testStore: true })
  const key = `test_${s.project.publicKey}`
  const body = { app_user_id: 'ada', product_id: 'coins_100', fetch_token: testToken(1) }
  expect((await sdk(s, 'web').call('POST', '/v1/receipts', { key, body })).status).toBe(200)
  await calls()
  const rows = async () => [
    (await s.ctx.db.select().from(formerSdkCalls)).length,
    (await s.ctx.db.select().from(formerSdkTokens)).length,
  ]
  const sweep = () => Promise.all([callsRetention, tokensRetention].map((rule) => rule.sweep(s.ctx, () => false)))
  await sweep()
  expect(await rows()).toEqual([1, 1])
  expect(await callsRetention.oldest?.(s.ctx)).toHaveLength(1)
  s.ctx.clock.advance(62 * DAY)
  await sweep()
  expect(await rows()).toEqual([0, 1])
  s.ctx.clock.advance(30 * DAY)
  await sweep()
  expect(await rows()).toEqual([0, 0])
})

describe('what was seen', () => {
  test('is counted by SDK, version, call and outcome', async () => {
    await setSdkDoor(s, { enabled: true })
    await sdk(s, 'ios').person('ada')
    await sdk(s, 'ios').person('ada')
    await sdk(s, 'ios').person('null')
    const bad = { attributes: { 'a b': { value: 'x', updated_at_ms: 1 } } }
    await sdk(s, 'ios').post('/v1/subscribers/ada/attributes', bad)
    await sdk(s, 'android').post('/v1/events', { events: [] }, { headers: { 'x-platform-flavor': 'flutter' } })
    const seen = await calls()
    expect(seen.map(({ day: _day, ...one }: Record<string, unknown>) => one)).toEqual([
      { platform: 'android', flavor: 'flutter', version: '9.9.0', call: 'events', outcome: 'OK', count: 1 },
      { platform: 'iOS', flavor: '', version: '5.43.0', call: 'attributes', outcome: '7263', count: 1 },
      { platform: 'iOS', flavor: '', version: '5.43.0', call: 'subscriber', outcome: '7220', count: 1 },
      { platform: 'iOS', flavor: '', version: '5.43.0', call: 'subscriber', outcome: 'OK', count: 2 },
    ])
    await sdk(s, 'ios').person('ada')
    expect(
      (await calls()).find(({ outcome, call }: Record<string, unknown>) => outcome === 'OK' && call === 'subscriber')
        .count,
    ).toBe(3)
  })

  test('is counted although the counts could not be written once', async () => {
    await setSdkDoor(s, { enabled: true })
    await sdk(s, 'ios').person('ada')
    await sdk(s, 'ios').person('ada')
    const { sdkCalls } = s.ctx.state
    const failing = { ...s.ctx, write: () => Promise.reject(new Error('the disk is full')) }
    await expect(sdkCalls.flush(failing)).rejects.toThrow('the disk is full')
    await sdk(s, 'ios').person('ada')
    const counts = (await calls()).map(({ count }: { count: number }) => count)
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(3)
  })

  test('is not counted when that is off, and is forgotten after 30 days', async () => {
    await setSdkDoor(s, { enabled: true })
    await sdk(s, 'ios').person('ada')
    expect(await calls()).toHaveLength(1)
    await setSdkDoor(s, { logCalls: false })
    await sdk(s, 'ios').person('bo')
    expect((await calls()).map(({ count }: { count: number }) => count)).toEqual([1])
    s.ctx.clock.advance(30 * DAY)
    expect(await calls()).toEqual([])
  })
})
