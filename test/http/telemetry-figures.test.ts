import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { activesOf, sessionDays } from '../../src/insight/telemetry/figures'
import { playTimeOf } from '../../src/insight/telemetry/hooks'
import { pruneTelemetry } from '../../src/insight/telemetry/retention'
import { undoTransfer } from '../../src/people/identity/undo'
import type { ProjectState } from '../../src/projects/project/state'
import { type Stage, stage } from '../support/cast'
import { erase as eraseNow } from '../support/erased'
import { changeSettings, identify, rowOf } from '../support/facts'
import { clientEvents, iso, opened, postEvent, postSessions, sessionsOf, today } from '../support/telemetry'

let s: Stage
beforeEach(async () => {
  s = await stage({ now: Date.UTC(2026, 10, 20, 8) })
})
afterEach(() => s.close())

const idOf = async (device: string) => (await rowOf(s, device)).id
const days = (last = today(s), first = last - 30) => sessionDays(s.ctx, s.project.id, [first, last])
const later = (ms: number) => s.ctx.clock.advance(ms)
const send = async (device: string, ...events: object[]) => {
  const all = events.length === 0 ? [opened(s)] : events.map((event) => opened(s, event))
  expect((await postSessions(s, device, all)).status).toBe(202)
}

describe('sessions by day', () => {
  test('of a project without any are nothing', async () => {
    expect(await days()).toEqual([])
    expect(await activesOf(s.ctx, s.project.id, today(s))).toEqual({ daily: 0, weekly: 0, monthly: 0 })
    expect(await activesOf(s.ctx, 'prj_none', today(s))).toEqual({ daily: 0, weekly: 0, monthly: 0 })
  })

  test('count subscribers, opened sessions and their lengths', async () => {
    const first = today(s)
    await send('svc_ada', {}, { type: 'close', durationMs: 5 * MINUTE })
    await send('svc_bo', {}, { occurredAt: iso(s.ctx.clock.now() - HOUR) }, { type: 'background', durationMs: 1000 })
    await send('svc_cy', { type: 'close' })
    later(DAY)
    await send('svc_ada', {}, { type: 'close', durationMs: 3 * DAY })
    expect(await days()).toEqual([
      { day: first, actives: 3, sessions: 3, timed: 2, playMs: 5 * MINUTE + 1000 },
      { day: first + 1, actives: 1, sessions: 1, timed: 1, playMs: DAY },
    ])
    expect(await days(first)).toHaveLength(1)
    expect(await days(first + 9, first + 1)).toMatchObject([{ day: first + 1 }])
  })

  test('belong to the day on which they happened, at both ends of a midnight', async () => {
    s.ctx.clock.set(Date.UTC(2026, 10, 21, 0, 0, 0))
    const midnight = s.ctx.clock.now()
    await send('svc_ada', { occurredAt: iso(midnight - 1) }, { occurredAt: iso(midnight) })
    expect(await days()).toMatchObject([
      { day: today(s) - 1, sessions: 1 },
      { day: today(s), sessions: 1 },
    ])
  })

  test('are those of one project', async () => {
    await postSessions(s, 'svc_ada', [opened(s)], { key: s.other.publicKey })
    expect(await days()).toEqual([])
    expect(await sessionDays(s.ctx, s.other.id, [today(s), today(s)])).toMatchObject([{ actives: 1 }])
  })

  test('count an active once a day, a week and a month, however many packs the day has', async () => {
    for (let turn = 0; turn < 3; turn++)
      await send(
        'svc_ada',
        ...Array.from({ length: 200 }, (_, at) => ({
          occurredAt: iso(s.ctx.clock.now() - (turn * 200 + at) * 40_000),
        })),
      )
    expect((await days()).map(({ actives }) => actives)).toEqual([1])
    await send('svc_bo')
    later(6 * DAY)
    await send('svc_ada')
    later(DAY)
    await send('svc_cy')
    const last = today(s)
    expect(await activesOf(s.ctx, s.project.id, last)).toEqual({ daily: 1, weekly: 2, monthly: 3 })
    expect(await activesOf(s.ctx, s.project.id, last - 1)).toEqual({ daily: 1, weekly: 2, monthly: 2 })
    expect(await activesOf(s.ctx, s.project.id, last - 7 + 30)).toEqual({ daily: 0, weekly: 0, monthly: 2 })
    expect(await activesOf(s.ctx, s.project.id, last - 8 + 30)).toEqual({ daily: 0, weekly: 0, monthly: 3 })
  })
})

describe('play time', () => {
  test('is not known of a person without a session that has a length', async () => {
    await send('svc_ada')
    expect(await playTimeOf(s.ctx, await idOf('svc_ada'))).toBeNull()
    expect(await playTimeOf(s.ctx, 'sub_none')).toBeNull()
  })

  test('follows a person through a merge and back', async () => {
    await identify(s, 'svc_first', 'ada')
    await send('svc_first', { durationMs: 1000 })
    await send('svc_second', { durationMs: 20 })
    await identify(s, 'svc_second', 'ada')
    const [first, second] = [await idOf('svc_first'), await idOf('svc_second')]
    expect([await playTimeOf(s.ctx, first), await playTimeOf(s.ctx, second)]).toEqual([1000, 1020])
    const [transfer] = await s.ctx.db.select().from(s.ctx.tables.transfers)
    const project = (await s.ctx.state.projects.find(s.project.id)) as ProjectState // The project of the stage.
    await undoTransfer(s.ctx, project, transfer?.id ?? '', { requestId: 'req_undo', actor: null })
    expect([await playTimeOf(s.ctx, first), await playTimeOf(s.ctx, second)]).toEqual([1000, 20])
  })

  test('counts each session once', async () => {
    for (let turn = 0; turn < 3; turn++) await send('svc_ada', { durationMs: 1000 })
    expect(await playTimeOf(s.ctx, await idOf('svc_ada'))).toBe(1000)
  })
})

describe('retention', () => {
  test('keeps sessions for 400 days, and play time for good', async () => {
    await send('svc_ada', { durationMs: 1000 })
    const first = today(s)
    s.ctx.clock.set((first + 401) * DAY - 1)
    expect(await pruneTelemetry(s.ctx)).toBe(0)
    expect(await days(first)).toHaveLength(1)
    later(1)
    await send('svc_ada', { durationMs: 5 })
    expect(await pruneTelemetry(s.ctx)).toBe(1)
    expect(await days(first)).toEqual([])
    expect(await sessionsOf(s, await idOf('svc_ada'))).toHaveLength(1)
    expect(await playTimeOf(s.ctx, await idOf('svc_ada'))).toBe(1005)
    expect(await pruneTelemetry(s.ctx)).toBe(0)
  })

  test('keeps client events as long as the events of the project, and sessions as long where that is longer', async () => {
    const both = async (key: string) => {
      await postEvent(s, {}, { key })
      await postSessions(s, 'svc_ada', [opened(s)], { key })
    }
    for (const { publicKey } of [s.project, s.other]) await both(publicKey)
    await changeSettings(s, { eventRetentionDays: 500 })
    later(30 * DAY)
    expect(await pruneTelemetry(s.ctx)).toBe(0)
    later(1)
    expect(await pruneTelemetry(s.ctx)).toBe(1)
    expect((await clientEvents(s)).map(({ projectId }) => projectId)).toEqual([s.project.id])
    later(380 * DAY)
    expect(await pruneTelemetry(s.ctx)).toBe(1)
    expect(await s.ctx.db.$count(s.ctx.tables.sessionPacks)).toBe(1)
    later(91 * DAY)
    expect(await pruneTelemetry(s.ctx)).toBe(2)
  })

  test('works in pages, and stops when the server stops', async () => {
    await postEvent(s, {})
    await send('svc_ada')
    const [event] = await clientEvents(s)
    if (!event) throw new Error('no event was saved')
    const { position: _, ...row } = event
    await s.ctx.write((tx) => tx.db.insert(tx.tables.clientEvents).values(Array(1199).fill(row)))
    later(60 * DAY)
    expect(await pruneTelemetry(s.ctx, () => true)).toBe(0)
    expect(await clientEvents(s)).toHaveLength(1200)
    expect(await pruneTelemetry(s.ctx)).toBe(1200)
    expect(await clientEvents(s)).toEqual([])
  })
})

describe('a person', () => {
  const project = async () => (await s.ctx.state.projects.find(s.project.id)) as ProjectState // That of the stage.
  const exported = async (device: string) => {
    const [row, of] = [await rowOf(s, device), await project()]
    const merged = (await s.ctx.db.select().from(s.ctx.tables.subscribers)).filter(
      ({ mergedInto }) => mergedInto === row.id,
    )
    const person = { row, ids: [row, ...merged].map(({ id }) => id), texts: [] }
    const parts = (s.ctx.hooks.onExport ?? []).map((give) => give(s.ctx, of, person, s.ctx))
    const rowsOf = async (file: 'sessions.jsonl' | 'telemetry.jsonl') => {
      const rows: object[] = []
      for (const part of parts) for await (const one of part[file] ?? []) rows.push(one)
      return rows
    }
    return { sessions: await rowsOf('sessions.jsonl'), telemetry: await rowsOf('telemetry.jsonl') }
  }
  const erase = async (device: string) => eraseNow(s, (await rowOf(s, device)).id)

  test('gets all that was stored, also of the rows that were merged, and nothing of others', async () => {
    await identify(s, 'svc_first', 'ada')
    await send('svc_first', { durationMs: 1000, appVersion: '2' })
    await identify(s, 'svc_second', 'ada')
    await postEvent(s, { subscriberId: 'svc_second', eventId: 'e1', identityContext: { email: 'ada@example.com' } })
    await send('svc_bo')
    const at = iso(s.ctx.clock.now())
    const { sessions, telemetry } = await exported('svc_second')
    expect(sessions).toMatchObject([{ type: 'open', occurredAt: at, durationMs: 1000, appVersion: '2' }])
    expect(telemetry).toMatchObject([{ eventType: 'tutorial_completed', eventId: 'e1', occurredAt: at }])
    expect(JSON.stringify(telemetry)).not.toContain(s.project.id)
    expect((await exported('svc_bo')).telemetry).toEqual([])
  })

  test('is erased with the rows that were merged; others and their figures stay', async () => {
    await identify(s, 'svc_first', 'ada')
    await send('svc_first', { durationMs: 1000 })
    await identify(s, 'svc_second', 'ada')
    await send('svc_second', { durationMs: 1000 }, { occurredAt: iso(s.ctx.clock.now() - 40 * HOUR) })
    await send('svc_bo', { durationMs: 7 })
    for (const device of ['svc_first', 'svc_bo']) await postEvent(s, { subscriberId: device })
    for (let turn = 0; turn < 2; turn++) await erase('svc_second')
    expect(await exported('svc_second')).toMatchObject({ sessions: [], telemetry: [] })
    expect(await playTimeOf(s.ctx, await idOf('svc_second'))).toBeNull()
    expect(await clientEvents(s)).toHaveLength(1)
    expect(await days()).toMatchObject([{ day: today(s), actives: 1, playMs: 7 }])
  })
})
