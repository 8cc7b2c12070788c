import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createRegistry } from '../../src/base/jobs/registry'
import { Worker } from '../../src/base/jobs/worker'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { retentionCron } from '../../src/base/retention/sweep'
import { notificationCron } from '../../src/intake/catch-up/jobs'
import { pruneStoreEvents } from '../../src/intake/inbox/retention'
import { pruneEvents } from '../../src/people/events/retention'
import { type CastProject, MONTHLY, type Stage, stage } from '../support/cast'
import { access, changeSettings, everything, expectRefused, identify, money, rowOf } from '../support/facts'
import { deliver, notificationBody, notify, type StoreEventRow, storeEvents } from '../support/notify'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const BOUGHT = ['SUBSCRIBED', 'INITIAL_BUY'] as const

/** Writes rows into the inbox, each older than now by its `ageMs`. */
async function fill(rows: (Partial<StoreEventRow> & { ageMs: number })[]): Promise<void> {
  const now = s.ctx.clock.now()
  const full = rows.map(({ ageMs, ...row }, index) => ({
    id: `sev_${String(index).padStart(26, '0')}`,
    projectId: s.project.id,
    store: 'IOS_STORE' as const,
    notificationId: `n-${index}`,
    type: 'DID_RENEW',
    status: 'PROCESSED' as const,
    body: '{}',
    attempts: 1,
    receivedAt: now - ageMs,
    ...row,
  }))
  for (let start = 0; start < full.length; start += 100)
    await s.ctx.write((tx) => tx.db.insert(tx.tables.storeEvents).values(full.slice(start, start + 100)))
}

const left = async () => (await storeEvents(s)).map(({ notificationId }) => notificationId)

describe('the inbox', () => {
  test('keeps a notification for exactly 90 days, whatever became of it', async () => {
    const statuses = ['RECEIVED', 'PROCESSED', 'IGNORED', 'FAILED'] as const
    await fill(
      statuses.flatMap((status) => [
        { status, ageMs: 90 * DAY },
        { status, ageMs: 90 * DAY - 1 },
      ]),
    )
    expect(await pruneStoreEvents(s.ctx)).toBe(0)
    s.ctx.clock.advance(1)
    expect(await pruneStoreEvents(s.ctx)).toBe(4)
    expect((await left()).sort()).toEqual(['n-1', 'n-3', 'n-5', 'n-7'])
    expect(await pruneStoreEvents(s.ctx)).toBe(0)
  })

  test('keeps what is being processed, until that has lapsed', async () => {
    const now = s.ctx.clock.now()
    const old = { status: 'PROCESSING' as const, leasedBy: 'x', ageMs: 100 * DAY }
    await fill([
      { ...old, leasedUntil: now + 1 },
      { ...old, leasedUntil: now },
      { ...old, leasedUntil: null },
    ])
    expect(await pruneStoreEvents(s.ctx)).toBe(2)
    expect(await left()).toEqual(['n-0'])
    s.ctx.clock.advance(1)
    expect(await pruneStoreEvents(s.ctx)).toBe(1)
  })

  test('is pruned in batches, by several at once as well', async () => {
    await fill([...Array.from({ length: 1234 }, () => ({ ageMs: 91 * DAY })), { ageMs: 0 }])
    const counts = await Promise.all([1, 2, 3].map(() => pruneStoreEvents(s.ctx)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1234)
    expect(await left()).toEqual(['n-1234'])
  }, 600_000)

  test('stops in between when the process does', async () => {
    await fill(Array.from({ length: 1100 }, () => ({ ageMs: 91 * DAY })))
    let asked = 0
    await pruneStoreEvents(s.ctx, () => ++asked > 2)
    expect((await left()).length).toBeGreaterThan(0)
  }, 600_000)

  test('without the notification takes a late repetition of it for what it is', async () => {
    const bought = s.buy(MONTHLY)
    const body = notificationBody(s, BOUGHT, bought)
    await deliver(s, body)
    s.ctx.clock.advance(91 * DAY)
    await pruneStoreEvents(s.ctx)
    const before = await everything(s)
    expect((await deliver(s, body)).body).toEqual({ data: { received: true, duplicate: false } })
    expect(await everything(s)).toEqual(before)
  })
})

const feed = (query = '', project: CastProject = s.project) =>
  s.get(`/v1/events${query}`, undefined, { key: project.secretKey })
const cursorOf = async (project?: CastProject): Promise<string> => (await feed('', project)).body.data.nextCursor
const typesOf = async (project?: CastProject) =>
  (await feed('', project)).body.data.items.map(({ type }: { type: string }) => type)
const allEvents = () => s.ctx.db.select().from(s.ctx.tables.events).orderBy(s.ctx.tables.events.position)

describe('events', () => {
  test('are kept for exactly 30 days, and only the oldest go', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    s.ctx.clock.advance(DAY)
    await s.receipt('svc_bo', s.buy(MONTHLY))
    s.ctx.clock.advance(29 * DAY)
    expect(await pruneEvents(s.ctx)).toBe(0)
    s.ctx.clock.advance(1)
    expect(await pruneEvents(s.ctx)).toBe(2)
    expect(await typesOf()).toEqual(['purchase.initial', 'entitlement.granted'])
    const [first] = await allEvents()
    expect(first?.subscriberId).toBe((await rowOf(s, 'svc_bo')).id)
    expect(await pruneEvents(s.ctx)).toBe(0)
  })

  test('are kept as long as their project says', async () => {
    await changeSettings(s, { eventRetentionDays: 1825 })
    for (const { publicKey } of [s.project, s.other]) await s.receipt('svc_ada', s.buy(MONTHLY), { key: publicKey })
    s.ctx.clock.advance(1825 * DAY)
    expect(await pruneEvents(s.ctx)).toBe(2)
    expect(await typesOf(s.other)).toEqual([])
    expect(await typesOf()).toHaveLength(2)
    s.ctx.clock.advance(1)
    expect(await pruneEvents(s.ctx)).toBe(2)
  })

  test('that are gone leave access, money and the next number as they were', async () => {
    await s.receipt('svc_ada', s.buy({ ...MONTHLY, period: 'P1Y' }))
    const [held, paid] = [await access(s, 'svc_ada'), await money(s, (await rowOf(s, 'svc_ada')).id)]
    s.ctx.clock.advance(31 * DAY)
    await pruneEvents(s.ctx)
    expect([await access(s, 'svc_ada'), await money(s, (await rowOf(s, 'svc_ada')).id)]).toEqual([held, paid])
    const explain = `/v1/subscribers/svc_ada/access/pro/explain?at=${new Date(s.ctx.clock.now()).toISOString()}`
    expect((await s.get(explain, undefined, { key: s.project.secretKey })).body.data).toMatchObject({ isActive: true })
    await identify(s, 'svc_ada', 'ada')
    const { id } = await rowOf(s, 'svc_ada')
    expect((await s.events(id)).map(({ seq }) => seq)).toEqual([3])
  })

  test('of more than a page go in one run', async () => {
    const row = { projectId: s.project.id, type: 'purchase.renewed', environment: 'SANDBOX' as const, data: {} }
    const cause = { kind: 'API' as const, ref: null, store: null, detail: null }
    const at = s.ctx.clock.now()
    for (let start = 0; start < 1300; start += 100)
      await s.ctx.write((tx) =>
        tx.db.insert(tx.tables.events).values(
          Array.from({ length: 100 }, (_, index) => ({
            ...row,
            cause,
            id: `evt_${start + index}`,
            occurredAt: at,
            recordedAt: at,
          })),
        ),
      )
    s.ctx.clock.advance(31 * DAY)
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const counts = await Promise.all([pruneEvents(s.ctx), pruneEvents(s.ctx)])
    expect(Math.max(...counts)).toBeGreaterThan(0)
    expect(await allEvents()).toHaveLength(2)
  }, 600_000)
})

describe('a cursor', () => {
  test('from before the retention is 410, pruned or not, and a younger one goes on', async () => {
    const ancient = await cursorOf()
    await s.receipt('svc_ada', s.buy(MONTHLY))
    s.ctx.clock.advance(DAY)
    const old = await cursorOf()
    s.ctx.clock.advance(30 * DAY)
    for (let round = 0; round < 2; round++) {
      await expectRefused(s, () => feed(`?after=${ancient}`), 410, 'HTTP_ERROR')
      expect((await feed(`?after=${old}`)).status).toBe(200)
      await pruneEvents(s.ctx)
    }
  })

  test('from before what was deleted is 410 as well when the retention is raised later', async () => {
    const ancient = await cursorOf()
    await s.receipt('svc_ada', s.buy(MONTHLY))
    s.ctx.clock.advance(31 * DAY)
    await pruneEvents(s.ctx)
    await changeSettings(s, { eventRetentionDays: 365 })
    await expectRefused(s, () => feed(`?after=${ancient}`), 410, 'HTTP_ERROR')
    // Nothing of the other project was deleted.
    expect((await feed(`?after=${await cursorOf(s.other)}`, s.other)).status).toBe(200)
  })

  test('as old goes on where nothing was deleted', async () => {
    await changeSettings(s, { eventRetentionDays: 365 })
    const ancient = await cursorOf()
    await s.receipt('svc_ada', s.buy(MONTHLY))
    s.ctx.clock.advance(200 * DAY)
    await pruneEvents(s.ctx)
    expect((await feed(`?after=${ancient}`)).body.data.items).toHaveLength(2)
  })
})

test('both are pruned by hourly jobs', async () => {
  await notify(s, BOUGHT, s.buy(MONTHLY))
  const worker = new Worker(s.ctx, createRegistry([], [...notificationCron, ...retentionCron]))
  s.ctx.clock.advance(91 * DAY)
  await worker.runDue()
  expect([await left(), await allEvents()]).toEqual([[], []])
  await notify(s, BOUGHT, s.buy(MONTHLY))
  s.ctx.clock.advance(91 * DAY + 60 * MINUTE)
  await worker.runDue()
  expect([await left(), await allEvents()]).toEqual([[], []])
  await worker.stop(0)
})
