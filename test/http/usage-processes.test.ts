import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Context } from '../../src/base/context'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { createLog } from '../../src/base/lib/log'
import { sweepRetention } from '../../src/base/retention/sweep'
import { createContext } from '../../src/create-context'
import { joinWriters } from '../../src/projects/usage/join'
import { recountUsage } from '../../src/projects/usage/recount'
import { type CastProject, MONTHLY, type Stage, stage } from '../support/cast'
import { TestClock, type TestContext, testApp } from '../support/context'
import { join } from '../support/crew'
import { iso } from '../support/telemetry'

/** In the first hour of a month, so that a clock that is behind counts in the month before. */
const NOW = Date.UTC(2027, 2, 1, 0, 30)
const MONTHS = ['2027-02', '2027-03']
const ROUNDS = 6

interface Process {
  ctx: Context
  clock: TestClock
  post(path: string, body: object, project: CastProject): Promise<number>
}

let s: Stage
let processes: Process[]
beforeAll(async () => {
  s = await stage({ now: NOW })
  processes = await Promise.all(Array.from({ length: 8 }, (_, n) => startProcess(n)))
  for (const one of processes) await send(one, one, s.project)
}, 120_000)
afterAll(async () => {
  for (const { ctx } of processes) await ctx.close()
  await s.close()
})

/** The clocks of the last two are behind: an hour, in the month before, and a day. */
const BEHIND: Readonly<Record<number, number>> = { 6: HOUR, 7: DAY }

async function startProcess(n: number): Promise<Process> {
  const clock = new TestClock(NOW - (BEHIND[n] ?? 0))
  const ctx = await createContext(s.ctx.config, { log: createLog({ level: 'off', now: () => 0 }), clock })
  const app = testApp(ctx as TestContext)
  return {
    ctx,
    clock,
    post: async (path, body, { publicKey }) => {
      const headers = { authorization: `Bearer ${publicKey}`, 'content-type': 'application/json' }
      const request = new Request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await app.handle(request)).status
    },
  }
}

let count = 0

/** What the apps of a project send to a process: sessions, the same ones to two processes, an event, and a receipt. */
async function send(one: Process, beside: Process, project: CastProject): Promise<number[]> {
  const who = `svc_${++count % 11}`
  const at = iso(one.clock.now() - (count % 20) * HOUR)
  const event = { type: 'open', occurredAt: at }
  const sessions = { subscriberId: who, events: [event, { ...event, type: 'close' }] }
  const receipt = await receiptOf(project)
  return Promise.all([
    one.post('/v1/sdk/sessions', sessions, project),
    beside.post('/v1/sdk/sessions', sessions, project),
    one.post('/v1/events', { eventType: 'step', occurredAt: at, subscriberId: who, eventId: `e${count}` }, project),
    one.post('/v1/receipts/ios', { receipt, appUserId: who, productId: MONTHLY.productId }, project),
  ])
}

const receiptOf = (project: CastProject): Promise<string> => {
  const payload = s.buy(MONTHLY)
  return project.id === s.project.id ? Promise.resolve(s.sign(payload)) : s.signIn(project, payload)
}

/** Every process at once, for a project. The same events go to two processes whose clocks agree. */
const fire = async (project: CastProject): Promise<number[]> => {
  const sent = processes.map((one, n) => send(one, (n < 6 && processes[(n + 1) % 6]) || one, project))
  return (await Promise.all(sent)).flat()
}

/** What the processes do beside it: every fourth one tidies up. */
const tidyUp = () =>
  Promise.all(
    processes.flatMap(({ ctx }, n) => [
      ...(n % 4 === 1 ? [joinWriters(ctx)] : []),
      ...(n % 4 === 3 ? [sweepRetention(ctx)] : []),
    ]),
  )

async function expectExact(): Promise<void> {
  for (const { id } of [s.project, s.other])
    for (const month of MONTHS)
      expect([id, month, (await recountUsage(s.ctx, id, month)).differences]).toEqual([id, month, []])
}

test('eight processes with clocks that differ count exactly, while one project is transferred and one deleted', async () => {
  const ada = await join(s, 'ada', 'OWNER')
  const bo = await join(s, 'bo', 'DEVELOPER')
  const cy = await join(s, 'cy', 'OWNER', s.other.id)
  const changes: Readonly<Record<number, () => Promise<number>>> = {
    2: async () => (await ada.browser.post(`/dashboard/projects/${s.project.id}/transfer`, { userId: bo.id })).status,
    3: async () => (await cy.browser.delete(`/dashboard/projects/${s.other.id}`)).status,
  }
  const refused = { own: new Set<number>(), other: new Set<number>() }
  for (let turn = 0; turn < ROUNDS; turn++) {
    const [own, other, changed] = await Promise.all([fire(s.project), fire(s.other), changes[turn]?.(), tidyUp()])
    if (changed !== undefined) expect([turn, changed]).toEqual([turn, 200])
    for (const status of own) if (status >= 300) refused.own.add(status)
    for (const status of other) if (status >= 300) refused.other.add(status)
    await expectExact()
    for (const { ctx, clock } of processes) {
      // As a running server does when another process has changed a project.
      ctx.state.projects.forget(s.other.id)
      clock.advance(turn === 4 ? -DAY : MINUTE)
    }
  }
  // A busy machine may not answer in time; whatever was committed then is counted too.
  expect([...refused.own].filter((status) => status !== 503)).toEqual([])
  expect([...refused.other].filter((status) => status !== 503)).toEqual([401])
  s.ctx.clock.advance(10 * DAY)
  await joinWriters(s.ctx)
  await sweepRetention(s.ctx)
  await expectExact()
  const used = async (id: string) => {
    const months = await Promise.all(MONTHS.map((month) => recountUsage(s.ctx, id, month)))
    return months.map(({ meters }) => meters.filter(({ counted }) => counted > 0).map(({ meter }) => meter))
  }
  // Else nothing was looked at.
  expect(await used(s.project.id)).toEqual([
    ['events', 'telemetry'],
    ['events', 'telemetry'],
  ])
}, 300_000)
