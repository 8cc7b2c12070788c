import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Context } from '../../src/base/context'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { createLog } from '../../src/base/lib/log'
import { sweepRetention } from '../../src/base/retention/sweep'
import { createContext } from '../../src/create-context'
import { joinWriters } from '../../src/projects/usage/join'
import { recountUsage } from '../../src/projects/usage/recount'
import { countUsage } from '../../src/projects/usage/service'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { erase } from '../support/erased'
import { rowOf } from '../support/facts'
import { dataOf } from '../support/operator'
import { type Staff, staff } from '../support/staff'
import { iso, opened, postEvent, postSessions } from '../support/telemetry'

let s: Stage
let team: Staff
let count = 0
beforeAll(async () => {
  s = await stage()
  team = staff(s)
})
beforeEach(() => s.ctx.clock.advance(MINUTE))
afterAll(() => s.close())

interface Meter {
  name: string
  used: number
  previous: number
  limit: null
  forecast: number
  daily: number[]
  parts: { name: string; used: number }[]
}

const device = () => `svc_usage_${++count}`
const usage = (query = '') => dataOf(team.as('CUSTOMER_SUPPORT').get(`/usage${query}`))
async function meter(name: string, query = ''): Promise<Meter> {
  const found = (await usage(query)).meters.find((one: Meter) => one.name === name)
  if (!found) throw new Error(`there is no meter ${name}`)
  return found
}
const used = async (name: string, query = '') => (await meter(name, query)).used
const part = async (name: string) => (await meter('events')).parts.find((one) => one.name === name)?.used ?? 0
const recount = () => recountUsage(s.ctx, s.project.id)
const taken = async (call: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await call
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
}
const buy = (who = device()) => taken(s.receipt(who, s.buy(MONTHLY)))
/** A grant to somebody who was not seen before. */
async function grant(who: string): Promise<void> {
  await taken(postSessions(s, who, [opened(s)]))
  const { id } = await rowOf(s, who)
  await taken(team.as('ADMIN').post(`/subscribers/${id}/grants`, { accessIds: ['coach'] }))
}
const eventRows = async () => {
  const { events: e } = s.ctx.tables
  return (await s.ctx.db.select({ id: e.id }).from(e).where(eq(e.projectId, s.project.id))).length
}
/** What was added to the meters by some work. */
async function added(work: () => Promise<unknown>) {
  const before = { events: await part('events'), telemetry: await part('telemetry'), sql: await used('sqlQueries') }
  await work()
  return {
    events: (await part('events')) - before.events,
    telemetry: (await part('telemetry')) - before.telemetry,
    sql: (await used('sqlQueries')) - before.sql,
  }
}

describe('refused', () => {
  test('without a session', async () => {
    const { status, body } = await s.get(`/dashboard/projects/${s.project.id}/usage`, undefined, { key: null })
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  test('to somebody who is no member, and for a project that does not exist', async () => {
    expect((await team.as('STRANGER').get('/usage')).status).toBe(404)
    expect((await team.as('OWNER').get('/usage', { projectId: s.other.id })).status).toBe(404)
    expect((await team.as('OWNER').get('/usage', { projectId: 'prj_none' })).status).toBe(404)
  })

  test.each([
    ['a month that is none', 'month=2026-13'],
    ['a day', 'month=2026-11-01'],
    ['a month to come', 'month=2999-01'],
    ['an empty month', 'month='],
    ['another member', 'day=1'],
  ])('%s', async (_, query) => {
    const { status, body } = await team.as('CUSTOMER_SUPPORT').get(`/usage?${query}`)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('counted', () => {
  test('a purchase counts as its rows in the event log, and a repeated receipt as none', async () => {
    const who = device()
    const payload = s.buy(MONTHLY)
    const before = await eventRows()
    const first = await added(() => taken(s.receipt(who, payload)))
    expect(first).toEqual({ events: (await eventRows()) - before, telemetry: 0, sql: 0 })
    expect(first.events).toBeGreaterThan(1)
    expect(await added(() => taken(s.receipt(who, payload)))).toEqual({ events: 0, telemetry: 0, sql: 0 })
  })

  test('a trial run of a change counts nothing', async () => {
    const who = device()
    await buy(who)
    const body = { accessIds: ['coach'], dryRun: true }
    const { id } = await rowOf(s, who)
    const answer = { status: 0 }
    const seen = await added(async () => {
      answer.status = (await team.as('ADMIN').post(`/subscribers/${id}/grants`, body)).status
    })
    expect([answer.status < 300, seen]).toEqual([true, { events: 0, telemetry: 0, sql: 0 }])
  })

  test('each event of an app counts once, however often it is sent', async () => {
    const eventId = 'usage-1'
    const send = () => taken(postEvent(s, { eventId, subscriberId: device() }))
    expect(await added(send)).toMatchObject({ telemetry: 1 })
    expect(await added(send)).toMatchObject({ telemetry: 0 })
  })

  test('each session event counts once; those that are too old count nothing', async () => {
    const who = device()
    const now = s.ctx.clock.now()
    const events = [
      opened(s),
      opened(s, { occurredAt: iso(now - HOUR) }),
      opened(s, { occurredAt: iso(now - 3 * DAY) }),
    ]
    const send = () => taken(postSessions(s, who, events))
    expect(await added(send)).toMatchObject({ telemetry: 2, events: 0 })
    expect(await added(send)).toMatchObject({ telemetry: 0, events: 0 })
  })

  test('a session event counts on the day on which it happened', async () => {
    const day = new Date(s.ctx.clock.now()).getUTCDate()
    const before = (await meter('events')).daily[day - 2] ?? 0
    await taken(postSessions(s, device(), [opened(s, { occurredAt: iso(s.ctx.clock.now() - DAY) })]))
    expect((await meter('events')).daily[day - 2]).toBe(before + 1)
  })

  test('an executed query counts, a refused one does not', async () => {
    const run = (sql: string) => team.as('DEVELOPER').post('/queries/execute', { sql })
    expect(await added(() => taken(run('select count(*) from events')))).toMatchObject({ sql: 1 })
    expect(await added(() => run('delete from events'))).toMatchObject({ sql: 0 })
    expect(await added(() => run('select from'))).toMatchObject({ sql: 0 })
  })

  test('one project never counts what another one does', async () => {
    const other = () => taken(s.receipt(device(), s.buy(MONTHLY), { key: s.other.publicKey }))
    expect(await added(other)).toEqual({ events: 0, telemetry: 0, sql: 0 })
  })

  test('what many calls do at once is counted exactly', async () => {
    await Promise.all(
      Array.from({ length: 24 }, (_, n) => (n % 2 ? buy() : taken(postSessions(s, device(), [opened(s)])))),
    )
    expect((await recount()).differences).toEqual([])
  })
})

describe('counted by eight processes at once', () => {
  test('exactly', async () => {
    const quiet = createLog({ level: 'off', now: () => 0 })
    const others = await Promise.all(
      Array.from({ length: 8 }, () => createContext(s.ctx.config, { log: quiet, clock: s.ctx.clock })),
    )
    const before = await used('webhookDeliveries')
    const count = async (ctx: Context) => {
      for (let at = 0; at < 25; at++)
        await ctx.write((tx) => countUsage(tx, s.project.id, 'webhookDeliveries', tx.clock.now(), 1))
    }
    await Promise.all(others.map(count))
    for (const ctx of others) await ctx.close()
    expect(await used('webhookDeliveries')).toBe(before + 200)
  })
})

describe('shown', () => {
  test('the days of a month are its figure, and the parts too', async () => {
    const events = await meter('events')
    expect(events.daily).toHaveLength(31)
    expect(events.daily.reduce((a, b) => a + b)).toBe(events.used)
    expect(events.parts.reduce((sum, one) => sum + one.used, 0)).toBe(events.used)
    expect(events.limit).toBeNull()
  })

  test('the forecast is what was used divided by the share of the month that is over, rounded up', async () => {
    const { period } = await usage()
    const [start, end] = [Date.parse(period.start), Date.parse(period.end)]
    const { used: all, forecast } = await meter('events')
    expect(forecast).toBe(Math.ceil((all * (end - start)) / (s.ctx.clock.now() - start)))
  })

  test('a month that is over has no other forecast than what was used', async () => {
    const now = s.ctx.clock.now()
    const month = iso(now).slice(0, 7)
    const all = await used('events')
    s.ctx.clock.set(now + 32 * DAY)
    const past = await meter('events', `?month=${month}`)
    expect([past.used, past.forecast]).toEqual([all, all])
    expect(await meter('events')).toMatchObject({ used: 0, previous: all, forecast: 0 })
    s.ctx.clock.set(now)
  })
})

describe('a recount', () => {
  test('finds what was counted, after the clock was set back too', async () => {
    const now = s.ctx.clock.now()
    s.ctx.clock.set(now - 20 * HOUR)
    await grant(device())
    await taken(postEvent(s, { subscriberId: device() }))
    expect((await recount()).differences).toEqual([])
    s.ctx.clock.set(now)
    await buy()
    expect((await recount()).differences).toEqual([])
  })

  test('finds it after retention has deleted the rows', async () => {
    const now = s.ctx.clock.now()
    const month = iso(now).slice(0, 7)
    const before = await used('events')
    const rows = await eventRows()
    s.ctx.clock.set(now + 500 * DAY)
    await sweepRetention(s.ctx)
    expect(await eventRows()).toBeLessThan(rows)
    expect(await used('events', `?month=${month}`)).toBe(before)
    expect((await recountUsage(s.ctx, s.project.id, month)).differences).toEqual([])
    s.ctx.clock.set(now)
  })

  test('finds it after a person was erased, and the figure stays', async () => {
    const who = device()
    await buy(who)
    await taken(postSessions(s, who, [opened(s)]))
    await taken(postEvent(s, { subscriberId: who }))
    const before = await part('telemetry')
    await erase(s, (await rowOf(s, who)).id)
    expect(await part('telemetry')).toBe(before)
    expect((await recount()).differences).toEqual([])
  })

  test('finds it after the rows of single connections were joined', async () => {
    const before = await usage()
    const now = s.ctx.clock.now()
    s.ctx.clock.set(now + 10 * DAY)
    await joinWriters(s.ctx)
    const { usageDays: u } = s.ctx.tables
    expect((await s.ctx.db.select().from(u)).every(({ writer }) => writer === 0)).toBe(true)
    s.ctx.clock.set(now)
    expect(await usage()).toEqual(before)
  })

  test('names the day on which the meter and the rows differ', async () => {
    const { usageDays: u } = s.ctx.tables
    const day = Math.floor(s.ctx.clock.now() / DAY)
    await buy()
    const key = { projectId: s.project.id, meter: 'events', day, writer: -1 } as const
    await s.ctx.write(async ({ db }) => db.insert(u).values({ ...key, used: 3 }))
    const [difference] = (await recount()).differences
    expect(difference).toMatchObject({ meter: 'events', day })
    expect((difference?.counted ?? 0) - (difference?.found ?? 0)).toBe(3)
    await s.ctx.write(async ({ db }) => db.delete(u).where(eq(u.writer, -1)))
  })
})
