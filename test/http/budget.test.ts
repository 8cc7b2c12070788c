import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DEFAULT_PLANS, type Tier } from '../../src/base/config-cloud'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { createLog } from '../../src/base/lib/log'
import { createContext } from '../../src/create-context'
import { setPlan } from '../../src/projects/billing/service'
import { tellReachedMarks } from '../../src/projects/budget/alerts'
import { isStopped, reachedMarks } from '../../src/projects/budget/marks'
import { recountUsage } from '../../src/projects/usage/recount'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { auditedBy, join, type Person } from '../support/crew'
import { clientEvents, opened, postEvent, postSessions } from '../support/telemetry'

/** FREE includes 100 events. */
const PLANS = DEFAULT_PLANS.map((plan) => ({
  ...plan,
  meters: plan.meters.map((meter) =>
    meter.name === 'events' && plan.tier === 'FREE' ? { ...meter, included: 100 } : meter,
  ),
}))

const NOVEMBER = Date.UTC(2026, 10, 20, 8)

let s: Stage
let self: Stage
let owner: Person
let admin: Person
let developer: Person
let number = 0
beforeAll(async () => {
  s = await stage({ env: { SVC_CLOUD: '1', SVC_BILLING_PLANS: JSON.stringify(PLANS) } })
  self = await stage()
  owner = await join(s, 'ada', 'OWNER')
  admin = await join(s, 'bo', 'ADMIN')
  developer = await join(s, 'cy', 'DEVELOPER')
})
beforeEach(async () => {
  s.ctx.clock.set(NOVEMBER)
  const { usageDays, planChanges, budgets, budgetAlerts, notices, mails } = s.ctx.tables
  await s.ctx.write(async ({ db }) => {
    for (const table of [usageDays, planChanges, budgets, budgetAlerts, notices, mails]) await db.delete(table)
  })
  s.ctx.state.budgetStops.forget(s.project.id)
})
afterAll(async () => {
  await s.close()
  await self.close()
})

const path = (projectId = s.project.id) => `/dashboard/projects/${projectId}/billing/budget`
const NONE = { alertsAt: [], stopTelemetryAt: null }
const read = async (who = admin) => (await who.browser.get(path())).body.data
const put = (body: unknown, who = admin) => who.browser.put(path(), body)
async function set(body: { alertsAt?: number[]; stopTelemetryAt?: number | null }): Promise<void> {
  const { status } = await put({ ...NONE, ...body })
  expect(status).toBe(200)
}
const use = (used: number, at = s.ctx.clock.now()) =>
  s.ctx.write(async ({ db, tables }) =>
    db.insert(tables.usageDays).values({
      ...{ projectId: s.project.id, meter: 'events', day: Math.floor(at / DAY), writer: ++number, used },
    }),
  )
const give = (tier: Tier) =>
  setPlan(
    s.ctx,
    { projectId: s.project.id, actor: { kind: 'CLI', id: null, email: null } },
    { tier, until: null, note: 'test' },
  )
const events = async () => {
  const { meters } = (await owner.browser.get(`/dashboard/projects/${s.project.id}/usage`)).body.data
  return meters.find(({ name }: { name: string }) => name === 'events')
}
const device = () => `svc_budget_${++number}`
const droppedHeader = (answer: { headers: Headers }) => answer.headers.get('x-svc-dropped')

describe('refused', () => {
  test('without SVC_CLOUD it is 503 to read and to write, whatever the body, after membership and role', async () => {
    const [ada, bo] = [await join(self, 'ada', 'ADMIN'), await join(self, 'bo', 'DEVELOPER')]
    const own = path(self.project.id)
    for (const answer of [await ada.browser.get(own), await ada.browser.put(own, NONE), await ada.browser.put(own, {})])
      expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
        503,
        'FEATURE_NOT_CONFIGURED',
        { feature: 'billing' },
      ])
    expect((await bo.browser.get(own)).body.error.code).toBe('ROLE_REQUIRED')
    expect((await ada.browser.get(path(self.other.id))).status).toBe(404)
  })

  test('to a developer', async () => {
    for (const answer of [await developer.browser.get(path()), await put(NONE, developer)])
      expect([answer.status, answer.body.error.code]).toEqual([403, 'ROLE_REQUIRED'])
  })

  test.each([
    ['no stop', { alertsAt: [] }],
    ['no marks', { stopTelemetryAt: null }],
    ['a sixth mark', { ...NONE, alertsAt: [1, 2, 3, 4, 5, 6] }],
    ['a mark twice', { ...NONE, alertsAt: [80, 80] }],
    ['a mark of 0', { ...NONE, alertsAt: [0] }],
    ['a mark over 1000', { ...NONE, alertsAt: [1001] }],
    ['half a percent', { ...NONE, alertsAt: [0.5] }],
    ['a stop at 0', { ...NONE, stopTelemetryAt: 0 }],
    ['a stop over 1000', { ...NONE, stopTelemetryAt: 1001 }],
    ['a stop in text', { ...NONE, stopTelemetryAt: '100' }],
    ['another member', { ...NONE, stopMoneyAt: 100 }],
  ])('with %s, and nothing changes', async (_, body) => {
    const { count } = await auditedBy(s, async () => {
      const answer = await put(body)
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    })
    expect([count, await read()]).toEqual([0, NONE])
  })

  test('a stop where the plan includes events without a limit', async () => {
    await give('ENTERPRISE')
    const answer = await put({ alertsAt: [80], stopTelemetryAt: 100 })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    await set({ alertsAt: [80] })
  })
})

describe('a budget', () => {
  test('has no marks and no stop before it is set, and is ascending after it', async () => {
    expect(await read()).toEqual(NONE)
    await set({ alertsAt: [100, 50], stopTelemetryAt: 120 })
    expect(await read(owner)).toEqual({ alertsAt: [50, 100], stopTelemetryAt: 120 })
  })

  test('has a row in the audit log, and none for the same again', async () => {
    const body = { alertsAt: [80], stopTelemetryAt: null }
    const first = await auditedBy(s, () => put(body))
    expect([first.count, first.last]).toEqual([
      1,
      expect.objectContaining({ action: 'budget.update', before: NONE, after: body }),
    ])
    expect((await auditedBy(s, () => put(body))).count).toBe(0)
  })
})

describe('over the stop', () => {
  const stop = async (used: number) => {
    await set({ stopTelemetryAt: 100 })
    await use(used)
  }

  test('a batch of sessions is taken and dropped whole, creates nobody, and is counted as dropped', async () => {
    await stop(101)
    const who = device()
    const answer = await postSessions(s, who, [opened(s), opened(s, { type: 'close' })])
    expect([answer.status, droppedHeader(answer)]).toEqual([202, '1'])
    expect(await events()).toMatchObject({ used: 101, dropped: 2 })
    const { subscribers } = s.ctx.tables
    expect((await s.ctx.db.select().from(subscribers)).some(({ deviceKey }) => deviceKey === who)).toBe(false)
  })

  test('an event of an app is taken, dropped and counted, and never saved', async () => {
    await stop(101)
    const before = (await clientEvents(s)).length
    const answer = await postEvent(s, { subscriberId: device() })
    expect([answer.status, droppedHeader(answer)]).toEqual([202, '1'])
    expect([(await clientEvents(s)).length, (await events()).dropped]).toEqual([before, 1])
  })

  test('a batch that has only old events is 422 as ever, and not counted', async () => {
    await stop(101)
    const old = opened(s, { occurredAt: new Date(NOVEMBER - 3 * DAY).toISOString() })
    const answer = await postSessions(s, device(), [old])
    expect([answer.status, answer.body.error.code]).toEqual([422, 'STALE_BATCH'])
    expect((await events()).dropped).toBe(0)
  })

  test('money, access and configuration go on', async () => {
    await stop(1000)
    const who = device()
    const bought = await s.receipt(who, s.buy(MONTHLY))
    expect([bought.status, droppedHeader(bought)]).toEqual([200, null])
    expect((await s.get('/v1/me/entitlements', who)).body.data.entitlements.pro.isActive).toBe(true)
    expect((await s.get(`/v1/config?subscriberId=${who}`)).status).toBe(200)
    expect((await events()).used).toBeGreaterThan(1000)
  })

  test('what was dropped changes nothing that a recount compares', async () => {
    await stop(101)
    const before = await recountUsage(s.ctx, s.project.id)
    expect(droppedHeader(await postEvent(s, { subscriberId: device() }))).toBe('1')
    expect(await recountUsage(s.ctx, s.project.id)).toEqual(before)
  })

  test('as much as the mark is not over it, and without a stop nothing is dropped', async () => {
    await stop(100)
    expect(droppedHeader(await postEvent(s, { subscriberId: device() }))).toBeNull()
    await use(50)
    expect(droppedHeader(await postEvent(s, { subscriberId: device() }))).toBe('1')
    await set({ stopTelemetryAt: null })
    expect(droppedHeader(await postEvent(s, { subscriberId: device() }))).toBeNull()
  })

  test('another project is not concerned, and the next month begins anew', async () => {
    await stop(101)
    const elsewhere = await postEvent(s, { subscriberId: device() }, { key: s.other.publicKey })
    expect([elsewhere.status, droppedHeader(elsewhere)]).toEqual([202, null])
    s.ctx.clock.set(Date.UTC(2026, 11, 1))
    expect(droppedHeader(await postEvent(s, { subscriberId: device() }))).toBeNull()
  })

  test('a plan that includes more ends it at once', async () => {
    await stop(101)
    await give('INDIE')
    expect(droppedHeader(await postEvent(s, { subscriberId: device() }))).toBeNull()
  })
})

describe('an alert', () => {
  const unread = async (who: Person) => {
    const { items } = (await who.browser.get('/dashboard/notifications')).body.data
    return items.map(({ kind, title }: { kind: string; title: string }) => [kind, title])
  }
  const mailed = async () => (await s.ctx.db.select().from(s.ctx.tables.mails)).map(({ toAddress }) => toAddress).sort()
  const title = (percent: number) => ['usage.alert', `Project 1 has used ${percent} % of its events`]

  test('reaches owners and administrators, in the console and by mail, and nobody else', async () => {
    await set({ alertsAt: [80] })
    await use(79)
    await tellReachedMarks(s.ctx)
    expect(await unread(owner)).toEqual([])
    await use(1)
    await tellReachedMarks(s.ctx)
    expect([await unread(owner), await unread(admin), await unread(developer)]).toEqual([[title(80)], [title(80)], []])
    expect(await mailed()).toEqual([owner.email, admin.email].sort())
  })

  test('comes once for a mark in a month, and again in the next one', async () => {
    await set({ alertsAt: [50, 80] })
    await use(60)
    for (let at = 0; at < 3; at++) {
      s.ctx.clock.advance(MINUTE)
      await tellReachedMarks(s.ctx)
    }
    expect(await unread(owner)).toEqual([title(50)])
    await set({ alertsAt: [80] })
    await set({ alertsAt: [50, 80] })
    await use(40)
    await tellReachedMarks(s.ctx)
    expect((await unread(owner)).toSorted()).toEqual([title(50), title(80)])
    s.ctx.clock.set(Date.UTC(2026, 11, 2))
    await tellReachedMarks(s.ctx)
    expect(await unread(owner)).toHaveLength(2)
    await use(55)
    await tellReachedMarks(s.ctx)
    expect(await unread(owner)).toHaveLength(3)
  })

  test('comes once from eight processes at once, also after the clock was set back', async () => {
    await set({ alertsAt: [10, 90] })
    await use(95)
    const quiet = createLog({ level: 'off', now: () => 0 })
    const others = await Promise.all(
      Array.from({ length: 8 }, () => createContext(s.ctx.config, { log: quiet, clock: s.ctx.clock })),
    )
    await Promise.all(others.map(tellReachedMarks))
    s.ctx.clock.set(NOVEMBER - DAY)
    for (const other of others) await tellReachedMarks(other)
    for (const other of others) await other.close()
    expect((await unread(owner)).toSorted()).toEqual([title(10), title(90)])
  })

  test('does not come where the plan has no limit, nor without a mark, nor to who switched it off', async () => {
    await use(1000)
    await tellReachedMarks(s.ctx)
    await set({ alertsAt: [80] })
    await give('ENTERPRISE')
    await tellReachedMarks(s.ctx)
    expect(await unread(owner)).toEqual([])
    await give('FREE')
    const off = { kinds: { 'usage.alert': { inapp: false, email: false, push: false } } }
    expect((await admin.browser.patch('/dashboard/notifications/preferences', off)).status).toBe(200)
    await tellReachedMarks(s.ctx)
    expect([await unread(owner), await unread(admin), await mailed()]).toEqual([[title(80)], [], [owner.email]])
  })
})

describe('marks are exact', () => {
  const at = (used: number, included: number | null = 3) => ({ used, included })
  test('in the largest amounts', () => {
    const large = at(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    expect(isStopped({ alertsAt: [], stopTelemetryAt: 100 }, large)).toBe(false)
    expect(reachedMarks({ alertsAt: [99, 100, 101], stopTelemetryAt: null }, large)).toEqual([99, 100])
  })

  test('where the plan includes nothing, and where it has no limit', () => {
    const budget = { alertsAt: [1], stopTelemetryAt: 1 }
    expect([isStopped(budget, at(0, 0)), isStopped(budget, at(1, 0)), isStopped(budget, at(9, null))]).toEqual([
      false,
      true,
      false,
    ])
    expect(reachedMarks(budget, at(9, null))).toEqual([])
  })
})
