import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import type { ProjectState } from '../../src/projects/project/state'
import { type Answer, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { crowdId, execute, fillBalances, makeCrowd, removeCrowd } from '../support/crowd'
import { personOf } from '../support/erased'
import { damage, identify, refund, renew, rowOf } from '../support/facts'
import { auditRows, changes, dataOf, ifMatch } from '../support/operator'
import { computeAtOnce } from '../support/pauses'
import { type StaffCalls, staff } from '../support/staff'
import { iso, postEvent } from '../support/telemetry'

let s: Stage
let growth: StaffCalls
let owner: StaffCalls
let support: StaffCalls
let durations: ReturnType<typeof computeAtOnce>
beforeAll(async () => {
  durations = computeAtOnce()
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  const team = staff(s)
  team.sessions.roles.set(`usr_growth ${s.other.id}`, 'GROWTH')
  growth = team.as('GROWTH')
  owner = team.as('OWNER')
  support = team.as('CUSTOMER_SUPPORT')
})
beforeEach(() => s.ctx.clock.advance(40 * DAY))
afterEach(async () => {
  for (const { id } of await listed()) await dataOf(growth.delete(`/leaderboards/${id}`))
})
afterAll(() => {
  durations.restore()
  return s.close()
})

const AT_OTHER = () => ({ projectId: s.other.id })
const COINS = 'vcy_1coins'.padEnd(30, '0')
let count = 0
const body = (more: object = {}) => ({
  identifier: `board_${++count}`,
  name: 'Board',
  metric: 'spend',
  window: 'all',
  ...more,
})
const made = (more: object = {}) => dataOf(growth.post('/leaderboards', body(more)))
const listed = async () => (await dataOf(support.get('/leaderboards?limit=200'))).items
const device = () => `svc_player_${++count}`

interface Entry {
  rank: number
  subscriberId: string
  appUserId: string | null
  person?: Record<string, string | null>
  value: number
}

async function entriesOf(id: string, query = ''): Promise<Entry[]> {
  const entries: Entry[] = []
  for (let cursor = ''; cursor !== 'end'; ) {
    const { items, nextCursor } = await dataOf(support.get(`/leaderboards/${id}/entries?limit=2${query}${cursor}`))
    entries.push(...items)
    cursor = nextCursor === null ? 'end' : `&cursor=${nextCursor}`
  }
  return entries
}

/** Rank and value of the entries of these devices; nobody else may be listed. */
async function standings(id: string, devices: readonly string[], query = ''): Promise<[string, number, number][]> {
  const ids = new Map<string, string>()
  for (const key of devices) ids.set((await rowOf(s, key)).id, key)
  const entries = await entriesOf(id, query)
  return entries.map(({ subscriberId, rank, value }) => [
    ids.get(subscriberId) ?? `nobody ${subscriberId}`,
    rank,
    value,
  ])
}

/** Another currency for each test, so that nobody of another test is listed. */
async function currency(): Promise<{ id: string; code: string }> {
  const code = `gold_${++count}`
  const { id } = await dataOf(owner.post('/virtual-currencies', { code, name: code }))
  return { id, code }
}

async function give(key: string, code: string, amount: number | string): Promise<void> {
  await s.get('/v1/me', key)
  const path = `/v1/virtual-currencies/${key}/${code}/transactions`
  const raw = `{"amount":${amount},"idempotencyKey":"given ${++count}"}`
  const { status, body } = await s.call('POST', path, { key: s.project.secretKey, raw })
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
}

async function refused(call: () => Promise<Answer>, status: number, code: string) {
  const before = await auditRows(s)
  const { status: got, body } = await call()
  expect([got, body?.error?.code]).toEqual([status, code])
  expect(await auditRows(s)).toEqual(before)
  return body.error.details
}

describe('a leaderboard', () => {
  test('is made, listed, changed and deleted, each with one audit row', async () => {
    const wanted = body({ metric: 'currency', currencyId: COINS, window: 'week' })
    const created = await changes(s, () => growth.post('/leaderboards', wanted), ['leaderboard.create'], 201)
    expect(created).toEqual({
      ...wanted,
      id: expect.stringMatching(/^ldb_[0-9a-z]{26}$/),
      eventType: null,
      computedAt: null,
      revision: 1,
      createdAt: iso(s.ctx.clock.now()),
      updatedAt: iso(s.ctx.clock.now()),
    })
    expect(await listed()).toEqual([created])
    const path = `/leaderboards/${created.id}`
    const change = { metric: 'event', currencyId: null, eventType: 'level_up', window: 'day' }
    const changed = await changes(s, () => growth.patch(path, change), ['leaderboard.update'])
    expect(changed).toEqual({ ...created, ...change, revision: 2 })
    expect(await changes(s, () => growth.patch(path, change), [])).toEqual(changed)
    expect(await entriesOf(created.id)).toEqual([])
    expect((await listed())[0].computedAt).toBe(iso(s.ctx.clock.now()))
    await changes(s, () => growth.delete(path), ['leaderboard.delete'])
    for (const call of [
      () => growth.delete(path),
      () => growth.patch(path, { name: 'Again' }),
      () => support.get(`${path}/entries`),
    ])
      await refused(call, 404, 'NOT_FOUND')
  })

  const wrong: [fact: string, change: object][] = [
    ['without an identifier', { identifier: undefined }],
    ['with an impossible identifier', { identifier: 'ä' }],
    ['with a blank name', { name: '' }],
    ['with an unknown member', { limit: 5 }],
    ['without a metric', { metric: undefined }],
    ['with an unknown metric', { metric: 'score' }],
    ['without a window', { window: undefined }],
    ['with an unknown window', { window: 'year' }],
    ['of a currency that is not named', { metric: 'currency' }],
    ['of an unknown currency', { metric: 'currency', currencyId: 'vcy_none' }],
    ['of the currency of another project', { metric: 'currency', currencyId: 'vcy_2coins'.padEnd(30, '0') }],
    ['of spending in a currency', { currencyId: COINS }],
    ['of spending with an event', { eventType: 'level_up' }],
    ['of an event that is not named', { metric: 'event' }],
    ['of an event that svc never records', { metric: 'event', eventType: 'purchase.bought' }],
    ['of first visits', { metric: 'event', eventType: 'subscriber.first_seen' }],
    ['of an event with a currency', { metric: 'event', eventType: 'level_up', currencyId: COINS }],
  ]
  for (const [fact, change] of wrong)
    test(`${fact} is refused, when it is made and when it is changed`, async () => {
      await refused(() => growth.post('/leaderboards', { ...body(), ...change }), 400, 'VALIDATION_ERROR')
      if (Object.values(change).includes(undefined)) return
      const { id } = await made()
      await refused(() => growth.patch(`/leaderboards/${id}`, change), 400, 'VALIDATION_ERROR')
    })

  test('of which only half is changed is refused', async () => {
    const { id } = await made({ metric: 'currency', currencyId: COINS })
    await refused(() => growth.patch(`/leaderboards/${id}`, { metric: 'spend' }), 400, 'VALIDATION_ERROR')
    await refused(() => growth.patch(`/leaderboards/${id}`, { currencyId: null }), 400, 'VALIDATION_ERROR')
    await dataOf(growth.patch(`/leaderboards/${id}`, { metric: 'spend', currencyId: null }))
  })

  test('has an identifier of its own in its project', async () => {
    const [first, second] = [await made(), await made()]
    const { identifier } = first
    const details = { resource: 'leaderboard', identifier }
    expect(await refused(() => growth.post('/leaderboards', body({ identifier })), 409, 'IDENTIFIER_TAKEN')).toEqual(
      details,
    )
    const change = () => growth.patch(`/leaderboards/${second.id}`, { identifier })
    expect(await refused(change, 409, 'IDENTIFIER_TAKEN')).toEqual(details)
    const both = await Promise.all([1, 2].map(() => growth.post('/leaderboards', body({ identifier: 'same' }))))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    const other = await dataOf(growth.post('/leaderboards', body({ identifier }), AT_OTHER()))
    await dataOf(growth.delete(`/leaderboards/${other.id}`, AT_OTHER()))
  })

  test('is not overwritten by somebody who has not seen the last change', async () => {
    const { id } = await made()
    const details = await refused(() => growth.patch(`/leaderboards/${id}`, { name: 'X' }, ifMatch(2)), 409, 'CONFLICT')
    expect(details).toMatchObject({ revision: 1, updatedBy: 'usr_growth@example.com' })
    await refused(() => growth.delete(`/leaderboards/${id}`, ifMatch(2)), 409, 'CONFLICT')
    const both = await Promise.all(['X', 'Y'].map((name) => growth.patch(`/leaderboards/${id}`, { name }, ifMatch(1))))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('of another project, or with a damaged id, is not found', async () => {
    const { id } = await dataOf(growth.post('/leaderboards', body(), AT_OTHER()))
    for (const other of [id, 'damaged', '%20', 'x'.repeat(300)]) {
      await refused(() => growth.patch(`/leaderboards/${other}`, { name: 'X' }), 404, 'NOT_FOUND')
      await refused(() => growth.delete(`/leaderboards/${other}`), 404, 'NOT_FOUND')
      await refused(() => support.get(`/leaderboards/${other}/entries`), 404, 'NOT_FOUND')
    }
    expect(await listed()).toEqual([])
    await dataOf(growth.delete(`/leaderboards/${id}`, AT_OTHER()))
  })

  test('can be one of 50: of two that come at once as the last, one is refused', async () => {
    for (let number = 0; number < 49; number++) await made()
    const both = await Promise.all([growth.post('/leaderboards', body()), growth.post('/leaderboards', body())])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    await refused(() => growth.post('/leaderboards', body()), 409, 'CONFLICT')
    expect(await listed()).toHaveLength(50)
  })

  test('of a currency that was archived still lists, and another of it cannot be made', async () => {
    const { id: currencyId, code } = await currency()
    const key = device()
    await give(key, code, 5)
    const { id } = await made({ metric: 'currency', currencyId })
    await dataOf(owner.delete(`/virtual-currencies/${currencyId}`))
    expect(await standings(id, [key])).toEqual([[key, 1, 5]])
    await refused(() => growth.post('/leaderboards', body({ metric: 'currency', currencyId })), 400, 'VALIDATION_ERROR')
    await dataOf(growth.patch(`/leaderboards/${id}`, { name: 'Renamed' }))
    const { id: other } = await made()
    await refused(
      () => growth.patch(`/leaderboards/${other}`, { metric: 'currency', currencyId }),
      400,
      'VALIDATION_ERROR',
    )
    const { virtualCurrencies: c } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.delete(c).where(eq(c.id, currencyId)))
    expect(await standings(id, [key])).toEqual([[key, 1, 5]])
  })
})

describe('the entries of a leaderboard', () => {
  test('of balances have exact values, one rank for equal ones, and the oldest of them first', async () => {
    const { id: currencyId, code } = await currency()
    const [ada, bo, cy, di, ed] = [device(), device(), device(), device(), device()]
    await give(ada, code, 7)
    await give(bo, code, 9)
    await give(cy, code, 7)
    await give(di, code, 1)
    await give(ed, code, 3)
    await give(ed, code, -3)
    const { id } = await made({ metric: 'currency', currencyId })
    expect(await standings(id, [ada, bo, cy, di])).toEqual([
      [bo, 1, 9],
      [ada, 2, 7],
      [cy, 2, 7],
      [di, 4, 1],
    ])
    await identify(s, bo, `label of ${bo}`)
    const [first, second] = await entriesOf(id)
    const own = { subscriberId: (await rowOf(s, bo)).id, appUserId: `label of ${bo}` }
    const unknown = { email: null, displayName: null, country: null }
    expect(first).toEqual({ ...own, rank: 1, value: 9, person: { ...own, ...unknown, deviceKey: bo } })
    expect(second).toMatchObject({ appUserId: null, person: { appUserId: null, deviceKey: ada } })
  })

  test('keep the digits of 64 bits', async () => {
    const { id: currencyId, code } = await currency()
    const [ada, bo, cy] = [device(), device(), device()]
    await give(ada, code, '9223372036854775806')
    await give(bo, code, '9223372036854775807')
    await give(cy, code, '9007199254740993')
    const { id } = await made({ metric: 'currency', currencyId })
    const text = await digits(id)
    expect(text.map(({ rank, value }) => [rank, value])).toEqual([
      ['1', '9223372036854775807'],
      ['2', '9223372036854775806'],
      ['3', '9007199254740993'],
    ])
    // What was earned may be more than a balance can be.
    await give(ada, code, '-9223372036854775806')
    await give(ada, code, '9223372036854775807')
    const { id: earned } = await made({ metric: 'currency', currencyId, window: 'day' })
    expect((await digits(earned)).map(({ value }) => value)).toEqual([
      '18446744073709551613',
      '9223372036854775807',
      '9007199254740993',
    ])
  })

  /** Ranks and values as they are written, because parsing rounds them. */
  async function digits(id: string): Promise<{ rank: string; value: string }[]> {
    const url = `http://localhost/dashboard/projects/${s.project.id}/leaderboards/${id}/entries`
    const response = await s.app.handle(new Request(url, { headers: { cookie: 'svc_session=OWNER' } }))
    const found = [...(await response.text()).matchAll(/"rank":(\d+).*?"value":(\d+)/g)]
    return found.map(([, rank = '', value = '']) => ({ rank, value }))
  }

  test('with a window have what was earned since its beginning, without spending and moves', async () => {
    const { id: currencyId, code } = await currency()
    const [ada, bo] = [device(), device()]
    s.ctx.clock.set(Math.floor(s.ctx.clock.now() / DAY) * DAY + 12 * HOUR)
    await give(bo, code, 100)
    s.ctx.clock.advance(DAY)
    await give(ada, code, 5)
    await give(ada, code, 6)
    await give(ada, code, -10)
    const day = await made({ metric: 'currency', currencyId, window: 'day' })
    const all = await made({ metric: 'currency', currencyId })
    expect(await standings(day.id, [ada, bo])).toEqual([[ada, 1, 11]])
    expect(await standings(all.id, [ada, bo])).toEqual([
      [bo, 1, 100],
      [ada, 2, 1],
    ])
    s.ctx.clock.advance(13 * HOUR)
    expect(await standings(day.id, [ada, bo])).toEqual([])
    expect(await entriesOf(all.id, '&environment=SANDBOX')).toEqual([])
  })

  test('count from midnight of the project, not of UTC', async () => {
    const { projects } = s.ctx.tables
    const zone = (timezone: string) =>
      s.ctx.write((tx) => tx.db.update(projects).set({ timezone }).where(eq(projects.id, s.project.id)))
    const { id: currencyId, code } = await currency()
    const key = device()
    s.ctx.clock.set(Math.floor(s.ctx.clock.now() / DAY) * DAY + 17 * HOUR)
    await give(key, code, 5)
    s.ctx.clock.advance(2 * HOUR)
    const { id } = await made({ metric: 'currency', currencyId, window: 'day' })
    expect(await standings(id, [key])).toEqual([[key, 1, 5]])
    await zone('Asia/Kolkata') // Midnight was at 18:30.
    expect(await standings(id, [key])).toEqual([])
    await zone('UTC')
  })

  test('of spending are what was paid less what was given back, by environment', async () => {
    const [ada, bo, cy] = [device(), device(), device()]
    const chain = s.buy(MONTHLY)
    await s.receipt(ada, chain)
    await s.receipt(bo, s.buy(YEARLY))
    const returned = s.buy(YEARLY)
    await s.receipt(cy, returned)
    await s.receipt(cy, refund(s, returned))
    s.ctx.clock.advance(31 * DAY)
    await s.receipt(ada, renew(s, chain, MONTHLY))
    const all = await made()
    const day = await made({ window: 'day' })
    expect(await entriesOf(all.id)).toEqual([])
    const line = await s.ctx.db.select({ usd: s.ctx.tables.transactions.usdMicros }).from(s.ctx.tables.transactions)
    expect(line.length).toBeGreaterThan(3)
    expect(await standings(all.id, [ada, bo, cy], '&environment=SANDBOX')).toEqual([
      [bo, 1, 79_990_000],
      [ada, 2, 19_980_000],
    ])
    expect(await standings(day.id, [ada, bo, cy], '&environment=SANDBOX')).toEqual([[ada, 1, 9_990_000]])
    await s.ctx.write((tx) => tx.db.update(s.ctx.tables.transactions).set({ usdMicros: null }))
  })

  test('of an event count how often it happened, of the feed and of apps', async () => {
    const [ada, bo] = [device(), device()]
    await s.receipt(ada, s.buy(YEARLY))
    await s.get('/v1/me', bo)
    for (const subscriberId of [bo, bo, ada]) await postEvent(s, { eventType: 'jump', subscriberId })
    await postEvent(s, { eventType: 'jump' })
    await postEvent(s, { eventType: 'jump', subscriberId: ada, occurredAt: iso(s.ctx.clock.now() - 2 * DAY) })
    await postEvent(s, { eventType: 'jump', subscriberId: ada, occurredAt: iso(s.ctx.clock.now() - 3 * DAY) })
    const all = await made({ metric: 'event', eventType: 'jump' })
    const day = await made({ metric: 'event', eventType: 'jump', window: 'day' })
    expect(await standings(all.id, [ada, bo])).toEqual([
      [ada, 1, 3],
      [bo, 2, 2],
    ])
    expect(await standings(day.id, [ada, bo])).toEqual([
      [bo, 1, 2],
      [ada, 2, 1],
    ])
    const bought = { metric: 'event', eventType: 'entitlement.granted' }
    const feed = [await made({ ...bought, window: 'day' }), await made({ ...bought, window: 'month' })]
    for (const { id } of feed) {
      expect(await entriesOf(id, '&environment=PRODUCTION')).toEqual([])
      expect((await standings(id, [ada, bo], '&environment=SANDBOX')).map(([key]) => key)).toEqual([ada])
    }
    expect(await entriesOf(all.id, '&environment=SANDBOX')).toEqual([])
  })

  test('have a merged person once, with what happened on both rows, and no erased one', async () => {
    const { id: currencyId, code } = await currency()
    const [ada, bo, cy] = [device(), device(), device()]
    for (const [key, amount] of [
      [ada, 5],
      [bo, 7],
      [cy, 50],
    ] as const)
      await give(key, code, amount)
    for (const subscriberId of [ada, bo, bo]) await postEvent(s, { eventType: 'merge_jump', subscriberId })
    const boards = [
      await made({ metric: 'currency', currencyId }),
      await made({ metric: 'currency', currencyId, window: 'month' }),
      await made({ metric: 'event', eventType: 'merge_jump' }),
      await made({ metric: 'event', eventType: 'merge_jump', window: 'week' }),
    ]
    for (const { id } of boards) expect(await entriesOf(id)).not.toEqual([])
    for (const key of [ada, bo]) await identify(s, key, `both of ${ada}`)
    await damage(s, (await rowOf(s, cy)).id, { erasedAt: s.ctx.clock.now() })
    const live = [await rowOf(s, ada), await rowOf(s, bo)].filter(({ mergedInto }) => mergedInto === null)
    expect(live).toHaveLength(1)
    for (const { id } of boards)
      for (const { subscriberId } of await entriesOf(id)) expect(subscriberId as string).toBe(live[0]?.id as string)
    s.ctx.clock.advance(MINUTE)
    const values: number[][] = []
    for (const { id } of boards) values.push((await entriesOf(id)).flatMap(({ rank, value }) => [rank, value]))
    expect(values).toEqual([
      [1, 12],
      [1, 12],
      [1, 3],
      [1, 3],
    ])
  })

  test('are forgotten when a person is erased, and computed without the person', async () => {
    const { id: currencyId, code } = await currency()
    const [ada, bo] = [device(), device()]
    for (const key of [ada, bo]) await give(key, code, 5)
    const { id } = await made({ metric: 'currency', currencyId })
    await entriesOf(id)
    const [row, project] = [await rowOf(s, ada), await s.ctx.state.projects.find(s.project.id)]
    const stored = async () => JSON.stringify(await s.ctx.db.select().from(s.ctx.tables.leaderboardPages))
    expect(await stored()).toContain(row.id)
    await damage(s, row.id, { erasedAt: s.ctx.clock.now() })
    await s.ctx.write(async (tx) => {
      for (const erase of tx.hooks.onErase ?? []) await erase(tx, project as ProjectState, row, personOf(row)) // That of the stage.
    })
    expect(await stored()).not.toContain(row.id)
    expect((await standings(id, [bo])).map(([key, rank]) => [key, rank])).toEqual([[bo, 1]])
    expect(await stored()).not.toContain(row.id)
  })

  test('are computed again when they are read a minute later, not at once', async () => {
    const { id: currencyId, code } = await currency()
    const key = device()
    await give(key, code, 5)
    const { id } = await made({ metric: 'currency', currencyId })
    expect(await standings(id, [key])).toEqual([[key, 1, 5]])
    await give(key, code, 1)
    expect(await standings(id, [key])).toEqual([[key, 1, 5]])
    expect((await listed())[0].computedAt).toBe(iso(s.ctx.clock.now()))
    s.ctx.clock.advance(MINUTE)
    expect(await standings(id, [key])).toEqual([[key, 1, 6]])
    const { id: other, code: otherCode } = await currency()
    await give(key, otherCode, 1)
    await dataOf(growth.patch(`/leaderboards/${id}`, { currencyId: other }))
    expect(await standings(id, [key])).toEqual([[key, 1, 1]])
  })

  test('are of one computation on all pages, while the values change', async () => {
    const { id: currencyId, code } = await currency()
    const keys = Array.from({ length: 5 }, device)
    for (const [index, key] of keys.entries()) await give(key, code, 50 - index)
    const { id } = await made({ metric: 'currency', currencyId })
    const path = `/leaderboards/${id}/entries?limit=2`
    const first = await dataOf(support.get(path))
    await give(keys[4] as string, code, 1000)
    s.ctx.clock.advance(2 * MINUTE)
    const fresh = await dataOf(support.get(path))
    expect(fresh.items[0].value).toBe(1046)
    const second = await dataOf(support.get(`${path}&cursor=${first.nextCursor}`))
    const third = await dataOf(support.get(`${path}&cursor=${second.nextCursor}`))
    const read = [...first.items, ...second.items, ...third.items]
    expect(read.map(({ rank, value }: Entry) => [rank, value])).toEqual(
      [50, 49, 48, 47, 46].map((value, index) => [index + 1, value]),
    )
    expect(third.nextCursor).toBeNull()
    s.ctx.clock.advance(20 * MINUTE)
    await dataOf(support.get(path))
    await refused(() => support.get(`${path}&cursor=${first.nextCursor}`), 400, 'VALIDATION_ERROR')
    await refused(() => support.get(`${path}&environment=SANDBOX&cursor=${fresh.nextCursor}`), 400, 'VALIDATION_ERROR')
    const other = await made({ metric: 'currency', currencyId })
    await refused(
      () => support.get(`/leaderboards/${other.id}/entries?cursor=${fresh.nextCursor}`),
      400,
      'VALIDATION_ERROR',
    )
  })

  test('refuse a limit and an environment that do not exist', async () => {
    const { id } = await made()
    for (const query of ['limit=0', 'limit=201', 'environment=production', 'environment=', 'window=day'])
      await refused(() => support.get(`/leaderboards/${id}/entries?${query}`), 400, 'VALIDATION_ERROR')
  })

  test('are the first 10,000 of many, whatever the ranges in which they were read', async () => {
    const { id: currencyId, code } = await currency()
    const key = device()
    await give(key, code, 1)
    const count = 20_100
    await makeCrowd(s, key, count)
    await fillBalances(s, currencyId, count, 7919) // Each value from 1 to 20,100 once.
    const half = sql`update balances set balance = balance / 2 where currency_id = ${currencyId}`
    await execute(s, half) // Now two people have each value.
    const { id } = await made({ metric: 'currency', currencyId })
    // An answer waits for some seconds, and is 503 when there is nothing to show by then.
    for (; (await support.get(`/leaderboards/${id}/entries`)).status === 503; await Bun.sleep(50));
    const read: Entry[] = []
    for (let cursor = ''; cursor !== 'end'; ) {
      const { items, nextCursor } = await dataOf(support.get(`/leaderboards/${id}/entries?limit=190${cursor}`))
      read.push(...items)
      cursor = nextCursor === null ? 'end' : `&cursor=${nextCursor}`
    }
    const people = Array.from({ length: count }, (_, i) => ({
      subscriberId: crowdId(i),
      value: Math.floor((((i * 7919) % count) + 1) / 2),
    }))
    const wanted = people
      .sort((a, b) => b.value - a.value || (a.subscriberId < b.subscriberId ? -1 : 1))
      .slice(0, 10_000)
      .map(({ subscriberId, value }) => [subscriberId, value])
    expect(read.map(({ subscriberId, value }) => [subscriberId, value])).toEqual(wanted)
    expect(read.slice(0, 5).map(({ rank, value }) => [rank, value])).toEqual([
      [1, 10_050],
      [2, 10_049],
      [2, 10_049],
      [4, 10_048],
      [4, 10_048],
    ])
    await removeCrowd(s)
  })
})
