import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Context } from '../../src/base/context'
import {
  brokenOrder,
  Fleet,
  Load,
  type Manner,
  SENDING,
  succeededSince,
  underWay,
  untilNoneOpen,
} from '../support/delivery-fleet'
import { startServerProcess, tempFolder } from '../support/process'

const KILLS = Number(process.env.SVC_TEST_KILLS ?? 4)
const SUBSCRIBERS = 40
const PER_SECOND = 500
/** The least changes that a process has acknowledged when it is killed. */
const PER_KILL = 50

let isSlow = true
const slow: Manner = async () => {
  if (isSlow) await Bun.sleep(200)
  return 200
}
/** One event in four: a target that answers badly gets one attempt at a time, and all would take long. */
const failsOnce: Manner = ({ seq }, earlier) => (seq % 4 === 0 && earlier.length === 0 ? 500 : 200)
/** One event of each subscriber, because each failure holds back its subscriber for five seconds. */
const failsAtThird: Manner = ({ seq }, earlier) => (seq === 3 && earlier.length === 0 ? 500 : 200)

const ENDPOINTS = [
  { path: '/good' },
  { path: '/slow', manner: slow },
  { path: '/failing', manner: failsOnce },
  { path: '/ordered', isOrdered: true },
  { path: '/ordered-failing', isOrdered: true, manner: failsAtThird },
]

const folder = tempFolder()
const env = { SVC_DATA_DIR: folder.path }
let fleet: Fleet
beforeAll(async () => {
  fleet = await Fleet.make(env, ENDPOINTS)
}, 600_000)
afterAll(async () => {
  await fleet.close()
  folder.remove()
})

/** By path and event: how many receipts there were when it was recorded as SUCCEEDED. */
const ended = new Map<string, number>()
/** By path and event: the kills during an attempt. */
const hits = new Map<string, number>()

async function readAfterKill(ctx: Context, since: number): Promise<void> {
  for (const [path, eventId] of await succeededSince(fleet, ctx, since)) {
    const key = `${path} ${eventId}`
    if (!ended.has(key)) ended.set(key, fleet.of(path, eventId).length)
  }
  for (const key of await underWay(fleet, ctx)) hits.set(key, (hits.get(key) ?? 0) + 1)
}

/** Whether the process that started at `since` has sent something: then the kill can come between attempts. */
const hasSent = (since: number): boolean => (fleet.receipts.at(-1)?.at ?? 0) > since

test(`${KILLS} kill -9 under ${PER_SECOND} events a second: all is delivered, in order, and nothing after its success`, async () => {
  const load = new Load(fleet.project, SUBSCRIBERS, PER_SECOND)
  for (let kill = 0; kill < KILLS; kill++) {
    const since = Date.now()
    const server = await startServerProcess(folder.path, SENDING)
    if (kill === 0) await load.prepare(server.url)
    load.begin([server.url])
    // Each process dies at another point of the work, and none before all of it.
    const enough = load.acknowledged.length + PER_KILL + ((kill * 137) % 200)
    while (load.acknowledged.length < enough || !hasSent(since)) await Bun.sleep(5)
    await server.kill('SIGKILL')
    await load.end()
    await fleet.look((ctx) => readAfterKill(ctx, since))
  }
  isSlow = false
  const server = await startServerProcess(folder.path, SENDING)
  await fleet.look(async (ctx) => {
    await untilNoneOpen(fleet, ctx)
    expect(await server.kill('SIGTERM')).toBe(0)
    await expectDelivered(ctx, load)
  })
}, 3_600_000)

async function expectDelivered(ctx: Context, load: Load): Promise<void> {
  const events = await ctx.db.select().from(ctx.tables.events)
  const booked = new Set(events.map(({ data }) => data.referenceId))
  expect(load.acknowledged.filter((key) => !booked.has(key))).toEqual([])
  expect(load.acknowledged.length).toBeGreaterThanOrEqual(KILLS * PER_KILL)
  expect(hits.size).toBeGreaterThan(0) // Not every kill came between all attempts.
  for (const { path } of ENDPOINTS) {
    const receipts = (eventId: string) => fleet.of(path, eventId)
    const lost = events.filter(({ id }) => !receipts(id).some(({ status }) => status === 200))
    expect([path, lost.map(({ id }) => id)]).toEqual([path, []])
    const tooOften = events.filter(({ id }) => {
      const failures = receipts(id).filter(({ status }) => status === 500).length
      return receipts(id).length > 1 + failures + (hits.get(`${path} ${id}`) ?? 0)
    })
    expect([path, tooOften.map(({ id }) => id)]).toEqual([path, []])
  }
  expect([...ended].filter(([key, count]) => fleet.of(...split(key)).length !== count)).toEqual([])
  for (const path of ['/ordered', '/ordered-failing']) expect(brokenOrder(fleet, path)).toEqual([])
  expect(fleet.unsigned).toEqual([])
  const { deliveries: d } = ctx.tables
  const rows = await ctx.db.select({ status: d.status }).from(d)
  expect(rows.filter(({ status }) => status !== 'SUCCEEDED')).toEqual([])
  expect(rows).toHaveLength(events.length * ENDPOINTS.length)
  const repeated = fleet.receipts.length - rows.length
  const figures = { events: events.length, receipts: fleet.receipts.length, repeated, hits: hits.size }
  if (process.env.SVC_TEST_SAY) process.stderr.write(`${JSON.stringify(figures)}\n`)
}

const split = (key: string): [string, string] => key.split(' ') as [string, string]
