import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq, like } from 'drizzle-orm'
import { createRegistry } from '../../src/base/jobs/registry'
import { Worker } from '../../src/base/jobs/worker'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { addPeriod } from '../../src/base/lib/period'
import { cohortCron, forgetMembers } from '../../src/insight/cohorts/jobs'
import type { ProjectState } from '../../src/projects/project/state'
import { type Answer, COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { makeCrowd, removeCrowd } from '../support/crowd'
import { personOf } from '../support/erased'
import { damage, expire, identify, refund, renew, rowOf } from '../support/facts'
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
beforeEach(() => s.ctx.clock.advance(DAY + MINUTE))
afterEach(async () => {
  for (const { id } of (await dataOf(support.get('/cohorts?limit=200'))).items)
    await dataOf(growth.delete(`/cohorts/${id}`))
})
afterAll(() => {
  durations.restore()
  return s.close()
})

const AT_OTHER = () => ({ projectId: s.other.id })
const SANDBOX = { environment: 'SANDBOX' } as const
let count = 0
const body = (definition: object, more: object = {}) => ({
  ...{ identifier: `cohort_${++count}`, name: 'Cohort', definition },
  ...more,
})
const made = (definition: object) => dataOf(growth.post('/cohorts', body(definition)))
const device = () => `svc_person_${++count}`

/** The device keys of the members, through pages of two. */
async function membersOf(id: string, limit = 2): Promise<string[]> {
  const keys: string[] = []
  for (let cursor = ''; cursor !== 'end'; ) {
    const { items, nextCursor } = await dataOf(support.get(`/cohorts/${id}/members?limit=${limit}${cursor}`))
    keys.push(...items.map(({ deviceKey }: { deviceKey: string }) => deviceKey))
    cursor = nextCursor === null ? 'end' : `&cursor=${nextCursor}`
  }
  return keys
}

async function refused(call: () => Promise<Answer>, status: number, code: string) {
  const before = await auditRows(s)
  const { status: got, body } = await call()
  expect([got, body?.error?.code]).toEqual([status, code])
  expect(await auditRows(s)).toEqual(before)
  return body.error.details
}

/** People who are seen for the first time now, in this order. */
async function people(number: number): Promise<string[]> {
  const keys = Array.from({ length: number }, device)
  for (const key of keys) await s.get('/v1/me', key)
  return keys
}
const SEEN_NOW = { event: 'subscriber.first_seen', within: 'P1D' }

describe('a cohort', () => {
  test('is made with its size, listed, changed and deleted, each with one audit row', async () => {
    const [ada] = await people(1)
    const wanted = body({ ...SEEN_NOW, filters: {} })
    const created = await changes(s, () => growth.post('/cohorts', wanted), ['cohort.create'], 201)
    expect(created).toEqual({
      ...wanted,
      id: expect.stringMatching(/^coh_[0-9a-z]{26}$/),
      size: 1,
      computedAt: iso(s.ctx.clock.now()),
      revision: 1,
      createdAt: iso(s.ctx.clock.now()),
      updatedAt: iso(s.ctx.clock.now()),
    })
    expect((await dataOf(support.get('/cohorts'))).items).toEqual([created])
    expect(await membersOf(created.id)).toEqual([ada as string])
    const path = `/cohorts/${created.id}`
    const renamed = await changes(s, () => growth.patch(path, { name: 'Other' }), ['cohort.update'])
    expect(renamed).toEqual({ ...created, name: 'Other', revision: 2 })
    expect(await changes(s, () => growth.patch(path, { name: 'Other' }), [])).toEqual(renamed)
    const definition = { event: 'level_up' }
    const changed = await changes(s, () => growth.patch(path, { definition }), ['cohort.update'])
    expect(changed).toEqual({ ...renamed, definition, size: 0, revision: 3 })
    expect(await membersOf(created.id)).toEqual([])
    await changes(s, () => growth.delete(path), ['cohort.delete'])
    for (const call of [
      () => growth.delete(path),
      () => growth.patch(path, { name: 'Again' }),
      () => support.get(`${path}/members`),
      () => support.get(`${path}/analysis`),
    ])
      await refused(call, 404, 'NOT_FOUND')
    const images = (await auditRows(s)).slice(-4).map(({ before, after }) => [before, after])
    const image = (name: string, definition: object) => ({ identifier: wanted.identifier, name, definition })
    expect(images).toEqual([
      [null, image('Cohort', wanted.definition)],
      [image('Cohort', wanted.definition), image('Other', wanted.definition)],
      [image('Other', wanted.definition), image('Other', definition)],
      [image('Other', definition), null],
    ])
  })

  const wrong: [fact: string, change: object][] = [
    ['without an identifier', { identifier: undefined }],
    ['with an impossible identifier', { identifier: 'a b' }],
    ['with a long identifier', { identifier: 'x'.repeat(65) }],
    ['with a blank name', { name: ' ' }],
    ['with an unknown member', { colour: 'red' }],
    ['without a definition', { definition: undefined }],
    ['without an event', { definition: {} }],
    ['of an event that is a number', { definition: { event: 5 } }],
    ['of an event that svc never records', { definition: { event: 'purchase.bought' } }],
    ['with an unknown member of the definition', { definition: { ...SEEN_NOW, until: 'P1D' } }],
    ['within hours', { definition: { ...SEEN_NOW, within: 'PT5H' } }],
    ['within a window without an end', { definition: { ...SEEN_NOW, within: { from: '2026-11-01T00:00:00Z' } } }],
    [
      'within a window that ends before it begins',
      { definition: { ...SEEN_NOW, within: { from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' } } },
    ],
    ['with an unknown filter', { definition: { ...SEEN_NOW, filters: { city: 'Berlin' } } }],
    ['with an unknown store', { definition: { ...SEEN_NOW, filters: { store: 'AMAZON' } } }],
    ['with an unknown platform', { definition: { ...SEEN_NOW, filters: { platform: 'windows' } } }],
    ['with an unknown environment', { definition: { ...SEEN_NOW, filters: { environment: 'production' } } }],
    ['with an unknown product', { definition: { ...SEEN_NOW, filters: { productId: 'prd_none' } } }],
    ['with an attribute that is a number', { definition: { ...SEEN_NOW, filters: { attributes: { level: 5 } } } }],
    [
      'with a reserved attribute',
      { definition: { ...SEEN_NOW, filters: { attributes: { $email: 'a@example.com' } } } },
    ],
  ]
  for (const [fact, change] of wrong)
    test(`${fact} is refused, when it is made and when it is changed`, async () => {
      await refused(() => growth.post('/cohorts', { ...body(SEEN_NOW), ...change }), 400, 'VALIDATION_ERROR')
      const [[name, value] = []] = Object.entries(change)
      if (name === undefined || value === undefined) return
      const { id } = await made(SEEN_NOW)
      await refused(() => growth.patch(`/cohorts/${id}`, { [name]: value }), 400, 'VALIDATION_ERROR')
    })

  test('with the product of another project is refused', async () => {
    const productId = 'prd_2pro_monthly'.padEnd(30, '0')
    await refused(() => growth.post('/cohorts', body({ ...SEEN_NOW, filters: { productId } })), 400, 'VALIDATION_ERROR')
  })

  test('whose product was deleted can still be renamed', async () => {
    const product = { identifier: `gone_${++count}`, type: 'SUBSCRIPTION', displayName: 'Gone' }
    const { id: productId } = await dataOf(owner.post('/products', product))
    const { id } = await dataOf(owner.post('/cohorts', body({ ...SEEN_NOW, filters: { productId } })))
    await dataOf(owner.delete(`/products/${productId}`))
    expect((await dataOf(owner.patch(`/cohorts/${id}`, { name: 'Renamed' }))).name).toBe('Renamed')
    const definition = { ...SEEN_NOW, filters: { productId, country: 'DE' } }
    await refused(() => owner.patch(`/cohorts/${id}`, { definition }), 400, 'VALIDATION_ERROR')
  })

  test('has an identifier of its own in its project', async () => {
    const first = await made(SEEN_NOW)
    const second = await made(SEEN_NOW)
    const { identifier } = first
    const details = { resource: 'cohort', identifier }
    const taken = () => growth.post('/cohorts', body(SEEN_NOW, { identifier }))
    expect(await refused(taken, 409, 'IDENTIFIER_TAKEN')).toEqual(details)
    expect(await refused(() => growth.patch(`/cohorts/${second.id}`, { identifier }), 409, 'IDENTIFIER_TAKEN')).toEqual(
      details,
    )
    const both = await Promise.all([1, 2].map(() => growth.post('/cohorts', body(SEEN_NOW, { identifier: 'same' }))))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    const other = await dataOf(growth.post('/cohorts', body(SEEN_NOW, { identifier }), AT_OTHER()))
    await dataOf(growth.delete(`/cohorts/${other.id}`, AT_OTHER()))
  })

  test('is not overwritten by somebody who has not seen the last change', async () => {
    const { id } = await made(SEEN_NOW)
    const details = await refused(() => growth.patch(`/cohorts/${id}`, { name: 'X' }, ifMatch(2)), 409, 'CONFLICT')
    expect(details).toMatchObject({ revision: 1, updatedBy: 'usr_growth@example.com' })
    await refused(() => growth.delete(`/cohorts/${id}`, ifMatch(2)), 409, 'CONFLICT')
    const both = await Promise.all(['X', 'Y'].map((name) => growth.patch(`/cohorts/${id}`, { name }, ifMatch(1))))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('of another project, or with a damaged id, is not found', async () => {
    const { id } = await dataOf(growth.post('/cohorts', body(SEEN_NOW), AT_OTHER()))
    for (const other of [id, 'damaged', '%20', 'x'.repeat(300)]) {
      await refused(() => growth.patch(`/cohorts/${other}`, { name: 'X' }), 404, 'NOT_FOUND')
      await refused(() => growth.delete(`/cohorts/${other}`), 404, 'NOT_FOUND')
      await refused(() => support.get(`/cohorts/${other}/members`), 404, 'NOT_FOUND')
      await refused(() => support.get(`/cohorts/${other}/analysis`), 404, 'NOT_FOUND')
    }
    expect((await dataOf(support.get('/cohorts'))).items).toEqual([])
    await refused(() => support.get(`/cohorts/${id}/members`, AT_OTHER()), 404, 'NOT_FOUND')
    await dataOf(growth.delete(`/cohorts/${id}`, AT_OTHER()))
  })

  test('can be one of 100: of two that come at once as the last, one is refused', async () => {
    const { cohorts } = s.ctx.tables
    const { id } = await made({ event: 'level_up' })
    const [row] = await s.ctx.db.select().from(cohorts).where(eq(cohorts.id, id))
    if (!row) throw new Error('it was not saved')
    const copies = Array.from({ length: 98 }, (_, n) => ({
      ...row,
      id: `${id.slice(0, -3)}${100 + n}`,
      identifier: `copy_${n}`,
    }))
    await s.ctx.write((tx) => tx.db.insert(cohorts).values(copies))
    const both = await Promise.all([growth.post('/cohorts', body(SEEN_NOW)), growth.post('/cohorts', body(SEEN_NOW))])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    await refused(() => growth.post('/cohorts', body(SEEN_NOW)), 409, 'CONFLICT')
    expect((await dataOf(support.get('/cohorts?limit=200'))).items).toHaveLength(100)
  })

  test('is listed newest first, in pages', async () => {
    const ids = [await made(SEEN_NOW), await made(SEEN_NOW), await made(SEEN_NOW)].map(({ id }) => id).reverse()
    const { items, nextCursor } = await dataOf(support.get('/cohorts?limit=2'))
    const rest = await dataOf(support.get(`/cohorts?limit=2&cursor=${nextCursor}`))
    expect([...items, ...rest.items].map(({ id }) => id)).toEqual(ids)
    expect(rest.nextCursor).toBeNull()
    await refused(() => support.get(`/cohorts/${ids[0]}/members?cursor=${nextCursor}`), 400, 'VALIDATION_ERROR')
  })
})

describe('the members of a cohort', () => {
  test('are subscribers as their list shows them, the newest first', async () => {
    const keys = await people(5)
    const { id, size } = await made(SEEN_NOW)
    expect([size, await membersOf(id)]).toEqual([5, keys.toReversed()])
    const [listed] = (await dataOf(support.get('/subscribers?limit=1'))).items
    expect((await dataOf(support.get(`/cohorts/${id}/members?limit=1`))).items).toEqual([listed])
  })

  test('are found again when they are read a minute later, not at once', async () => {
    const [ada] = await people(1)
    const { id } = await made(SEEN_NOW)
    const [bo] = await people(1)
    expect(await membersOf(id)).toEqual([ada as string])
    s.ctx.clock.advance(MINUTE)
    expect(await membersOf(id)).toEqual([bo, ada] as string[])
    const [{ size, computedAt, revision }] = (await dataOf(support.get('/cohorts'))).items
    expect([size, computedAt, revision]).toEqual([2, iso(s.ctx.clock.now()), 1])
    s.ctx.clock.advance(DAY)
    expect(await membersOf(id)).toEqual([])
  })

  test('are everybody, also where they are read in several ranges, and those who leave are taken out', async () => {
    const [ada] = (await people(1)) as [string]
    const count = 10_100
    await makeCrowd(s, ada, count)
    const { id } = await made(SEEN_NOW)
    const size = async () => (await dataOf(support.get('/cohorts'))).items[0].size
    // The answer above waits only for some seconds. Who reads the members has them found again where that failed.
    while ((await size()) === null) await support.get(`/cohorts/${id}/members?limit=1`)
    expect(await size()).toBe(count + 1)
    const keys = await membersOf(id, 200)
    expect(keys).toEqual([...Array.from({ length: count }, (_, i) => `many ${count - 1 - i}`), ada])
    await removeCrowd(s)
    s.ctx.clock.advance(DAY / 2) // What took long to find is shown longer than a minute.
    expect(await membersOf(id)).toEqual([ada])
    const { cohortMembers: m } = s.ctx.tables
    const left = async () => (await s.ctx.db.select().from(m).where(like(m.subscriberId, 'sub_zz%')).limit(1)).length
    // The answer before waited for some seconds only.
    for (; (await left()) > 0 || (await size()) !== 1; await Bun.sleep(50))
      await support.get(`/cohorts/${id}/members?limit=1`)
  })

  test('stay in order while others come and go between two pages', async () => {
    const keys = await people(4)
    const { id } = await made(SEEN_NOW)
    const first = await dataOf(support.get(`/cohorts/${id}/members?limit=2`))
    s.ctx.clock.advance(MINUTE)
    await people(2)
    await damage(s, (await rowOf(s, keys[1] as string)).id, { erasedAt: s.ctx.clock.now() })
    const rest = await dataOf(support.get(`/cohorts/${id}/members?limit=2&cursor=${first.nextCursor}`))
    const read = [...first.items, ...rest.items].map(({ deviceKey }) => deviceKey)
    expect(read).toEqual([keys[3], keys[2], keys[0]])
  })

  test('are one person after two became one, on whichever row the event happened', async () => {
    const [first, second] = (await people(2)) as [string, string]
    await postEvent(s, { eventType: 'merge_test', subscriberId: second })
    const { id } = await made({ event: 'merge_test' })
    expect(await membersOf(id)).toEqual([second])
    for (const key of [first, second]) await identify(s, key, `person of ${first}`)
    const rows = [await rowOf(s, first), await rowOf(s, second)]
    expect(rows.filter(({ mergedInto }) => mergedInto === null)).toHaveLength(1)
    expect((await membersOf(id)).length).toBeLessThanOrEqual(1)
    s.ctx.clock.advance(MINUTE)
    const live = rows.find(({ mergedInto }) => mergedInto === null)
    expect(await membersOf(id)).toEqual([live?.deviceKey as string])
    expect((await dataOf(support.get('/cohorts'))).items[0].size).toBe(1)
  })

  test('were first seen when the first of their rows was', async () => {
    const [old] = (await people(1)) as [string]
    s.ctx.clock.advance(3 * DAY)
    const [fresh] = (await people(1)) as [string]
    const { id } = await made(SEEN_NOW)
    expect(await membersOf(id)).toEqual([fresh])
    for (const key of [old, fresh]) await identify(s, key, `person of ${old}`)
    s.ctx.clock.advance(MINUTE)
    expect(await membersOf(id)).toEqual([])
    expect((await made({ event: 'subscriber.first_seen', within: 'P4D' })).size).toBe(1)
  })

  test('are taken out when a person is erased', async () => {
    const [ada, bo] = (await people(2)) as [string, string]
    const { id } = await made(SEEN_NOW)
    const [row, project] = [await rowOf(s, ada), await s.ctx.state.projects.find(s.project.id)]
    const saved = async () => (await s.ctx.db.select().from(s.ctx.tables.cohortMembers)).map((one) => one.subscriberId)
    expect(await saved()).toContain(row.id)
    await s.ctx.write(async (tx) => {
      for (const erase of tx.hooks.onErase ?? []) await erase(tx, project as ProjectState, row, personOf(row)) // That of the stage.
    })
    expect(await saved()).not.toContain(row.id)
    expect(await saved()).toContain((await rowOf(s, bo)).id)
    expect(await membersOf(id)).toEqual([bo])
  })

  test('of events of the feed are those of the environment, and each is there once', async () => {
    const [ada, bo] = [device(), device()]
    const chain = s.buy(MONTHLY)
    await s.receipt(ada, chain)
    await s.receipt(bo, s.buy(COINS))
    s.ctx.clock.advance(31 * DAY)
    await s.receipt(ada, renew(s, chain, MONTHLY))
    expect(await membersOf((await made({ event: 'purchase.renewed', filters: SANDBOX })).id)).toEqual([ada])
    expect((await made({ event: 'purchase.renewed' })).size).toBe(0)
    const initial = { event: 'purchase.initial', filters: SANDBOX }
    const all = await made(initial)
    expect(await membersOf(all.id)).toContain(ada)
    const { items } = await dataOf(support.get(`/cohorts/${all.id}/members?limit=200`))
    const member = (items as { deviceKey: string; lifetimeSpend: object }[]).find(({ deviceKey }) => deviceKey === ada)
    expect(member?.lifetimeSpend).toEqual({ amountMicros: 2 * 9_990_000, currency: 'USD' }) // Of the same environment.
    expect(await membersOf((await made({ ...initial, within: 'P30D' })).id)).not.toContain(ada)
    const month = (from: number, to: number) => ({
      from: iso(s.ctx.clock.now() + from * DAY),
      to: iso(s.ctx.clock.now() + to * DAY),
    })
    expect(await membersOf((await made({ ...initial, within: month(-32, -30) })).id)).toContain(ada)
    expect(await membersOf((await made({ ...initial, within: month(-30, 1) })).id)).not.toContain(ada)
  })

  test('pass all filters, and who lacks what a filter asks for passes none', async () => {
    const [ada, bo, cy] = [device(), device(), device()]
    await s.receipt(ada, s.buy(MONTHLY))
    await s.receipt(bo, s.buy(YEARLY))
    await s.get('/v1/me', cy, { headers: { 'x-svc-platform': 'android' } })
    const attributes = { country: 'DE', 'a.b': '1', '7': 'x', level: '10' }
    const headers = { 'x-svc-app-user-id': ada }
    expect((await s.post('/v1/me/attributes', { attributes }, { headers })).status).toBeLessThan(300)
    const passing = async (filters: object) =>
      (await membersOf((await made({ ...SEEN_NOW, filters })).id)).toReversed().map((key) => [ada, bo, cy].indexOf(key))
    expect(await passing({ country: 'DE' })).toEqual([0])
    expect(await passing({ country: 'de' })).toEqual([])
    expect(await passing({ attributes: { 'a.b': '1', '7': 'x' } })).toEqual([0])
    expect(await passing({ attributes: { level: '10.0' } })).toEqual([])
    expect(await passing({ attributes: { level: "10' or '1'='1" } })).toEqual([])
    expect(await passing({ platform: 'android' })).toEqual([2])
    expect(await passing({ country: 'DE', platform: 'android' })).toEqual([])
    expect(await passing({ store: 'IOS_STORE' })).toEqual([])
    const productId = 'prd_1pro_yearly'.padEnd(30, '0')
    const renewing = { event: 'purchase.initial', within: 'P1D' }
    const buyers = async (filters: object) =>
      (await membersOf((await made({ ...renewing, filters: { ...SANDBOX, ...filters } })).id)).toReversed()
    expect(await buyers({ store: 'IOS_STORE' })).toEqual([ada, bo])
    expect(await buyers({ store: 'PAYMENT' })).toEqual([])
    expect(await buyers({ store: 'IOS_STORE', productId })).toEqual([bo])
  })

  test('of events of apps are found by the type as it is saved', async () => {
    const [ada, bo] = (await people(2)) as [string, string]
    const future = iso(s.ctx.clock.now() + DAY)
    await postEvent(s, { eventType: 'purchase.fake', subscriberId: ada })
    await postEvent(s, { eventType: 'level_up_1', subscriberId: bo, occurredAt: future })
    await postEvent(s, { eventType: 'level_up_1' })
    expect(await membersOf((await made({ event: 'client.purchase.fake' })).id)).toEqual([ada])
    const { id } = await made({ event: 'level_up_1' })
    expect(await membersOf(id)).toEqual([])
    s.ctx.clock.advance(2 * DAY)
    expect(await membersOf(id)).toEqual([bo])
    expect((await made({ event: 'level_up_1', filters: SANDBOX })).size).toBe(0)
  })

  test('of another project are in no cohort', async () => {
    const key = device()
    await s.get('/v1/me', key, { key: s.other.publicKey })
    const [own] = await people(1)
    expect(await membersOf((await made(SEEN_NOW)).id)).toEqual([own as string])
    const { id } = await dataOf(growth.post('/cohorts', body(SEEN_NOW), AT_OTHER()))
    const { items } = await dataOf(growth.get(`/cohorts/${id}/members`, AT_OTHER()))
    expect(items.map(({ deviceKey }: { deviceKey: string }) => deviceKey)).toEqual([key])
    await dataOf(growth.delete(`/cohorts/${id}`, AT_OTHER()))
  })
})

describe('the analysis of a cohort', () => {
  test('has the share that was paid n months after the start', async () => {
    const event = 'analysed'
    const [ada, bo, cy] = (await people(3)) as [string, string, string]
    const start = s.ctx.clock.now()
    const begun = [s.buy(MONTHLY), s.buy(MONTHLY)] as const
    await s.receipt(ada, begun[0])
    await s.receipt(bo, begun[1])
    await s.receipt(cy, s.buy(COINS))
    for (const subscriberId of [ada, bo, cy]) await postEvent(s, { eventType: event, subscriberId })
    // Purchases of the test store are in the sandbox, where apps report no events.
    const { purchases } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(purchases).set({ environment: 'PRODUCTION' }))
    const { id } = await made({ event })
    const first = await dataOf(support.get(`/cohorts/${id}/analysis`))
    const month = new Date(start).toISOString().slice(0, 8)
    expect(first).toEqual({
      grain: 'month',
      computedAt: iso(s.ctx.clock.now()),
      rows: [{ start: `${month}01T00:00:00.000Z`, size: 3, shares: [0.6667] }],
    })
    await s.ctx.write((tx) => tx.db.update(purchases).set({ environment: 'SANDBOX' }))
    s.ctx.clock.set(addPeriod(start, 'P1M') - MINUTE)
    await s.receipt(ada, renew(s, begun[0], MONTHLY))
    await s.receipt(bo, expire(s, begun[1]))
    await s.ctx.write((tx) => tx.db.update(purchases).set({ environment: 'PRODUCTION' }))
    s.ctx.clock.advance(70 * DAY)
    const later = await dataOf(support.get(`/cohorts/${id}/analysis`))
    expect(later.rows[0].size).toBe(3)
    expect(later.rows[0].shares.slice(0, 2)).toEqual([0.6667, 0.3333])
    expect(later.rows[0].shares.at(-1)).toBe(0)
    await s.ctx.write((tx) => tx.db.update(purchases).set({ environment: 'SANDBOX' }))
  })

  test('of nobody has no rows, and a refund is not paid any more', async () => {
    const { id } = await made({ event: 'nobody_does_it' })
    expect((await dataOf(support.get(`/cohorts/${id}/analysis`))).rows).toEqual([])
    const key = device()
    const chain = s.buy(MONTHLY)
    await s.receipt(key, chain)
    const definition = { event: 'purchase.initial', within: 'P1D', filters: SANDBOX }
    const cohort = await made(definition)
    const shares = async () =>
      (await dataOf(support.get(`/cohorts/${cohort.id}/analysis`))).rows.map(
        (row: { shares: number[] }) => row.shares[0],
      )
    expect(await shares()).toEqual([1])
    await s.receipt(key, refund(s, chain))
    s.ctx.clock.advance(MINUTE)
    expect(await shares()).toEqual([0])
  })
})

test('a cohort is made although its members cannot be found, and is found later', async () => {
  await people(1)
  const real = s.ctx.storage.readInThread
  const storage = s.ctx.storage as { readInThread: typeof real }
  storage.readInThread = () => Promise.reject(new Error('the thread has ended'))
  const { id, size, computedAt } = await made(SEEN_NOW)
  expect([size, computedAt]).toEqual([null, null])
  expect((await support.get(`/cohorts/${id}/members`)).status).toBe(500)
  storage.readInThread = real
  expect(await membersOf(id)).toHaveLength(1)
})

describe('in the background', () => {
  const worker = () => new Worker(s.ctx, createRegistry([forgetMembers], cohortCron))
  test('members of deleted cohorts and of former definitions are forgotten', async () => {
    await people(2)
    const kept = await made(SEEN_NOW)
    const changed = await made(SEEN_NOW)
    const gone = await made(SEEN_NOW)
    await dataOf(growth.patch(`/cohorts/${changed.id}`, { definition: { event: 'level_up' } }))
    await dataOf(growth.delete(`/cohorts/${gone.id}`))
    const lists = async () =>
      new Set((await s.ctx.db.select().from(s.ctx.tables.cohortMembers)).map(({ listId }) => listId))
    await worker().runDue()
    expect((await lists()).size).toBe(1)
    expect(await membersOf(kept.id)).toHaveLength(2)
  })

  test('sizes are computed every hour', async () => {
    await people(1)
    const { id } = await made(SEEN_NOW)
    await worker().runDue()
    await people(1)
    s.ctx.clock.advance(60 * MINUTE)
    await worker().runDue()
    const [cohort] = (await dataOf(support.get('/cohorts'))).items
    expect([cohort.id, cohort.size]).toEqual([id, 2])
  })
})
