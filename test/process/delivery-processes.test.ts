import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq, lt } from 'drizzle-orm'
import postgres from 'postgres'
import type { Context } from '../../src/base/context'
import { migrate } from '../../src/base/db/migrate'
import { causeOf } from '../../src/people/events/model'
import { recordEvents } from '../../src/people/events/service'
import {
  brokenOrder,
  Fleet,
  Load,
  type Manner,
  openContext,
  SENDING,
  succeededSince,
  underWay,
  untilNoneOpen,
} from '../support/delivery-fleet'
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres-server'
import { type ServerProcess, startServerProcess, tempFolder } from '../support/process'
import { moreInRelease } from '../support/release'

const SUBSCRIBERS = 20
const PER_SECOND = moreInRelease(75, 150)

const failsAtSecond: Manner = ({ seq }, earlier) => (seq === 2 && earlier.length === 0 ? 500 : 200)
const ENDPOINTS = [
  { path: '/good' },
  { path: '/ordered', isOrdered: true },
  { path: '/ordered-failing', isOrdered: true, manner: failsAtSecond },
]

describe.skipIf(postgresMissing() !== null)('deliveries of two processes on one PostgreSQL', () => {
  const folder = tempFolder()
  let server: PostgresServer
  let env: Record<string, string>
  let fleet: Fleet
  let ctx: Context
  let load: Load
  const running: ServerProcess[] = []

  const addressOf = (name: string): string => Object.assign(new URL(server.url), { pathname: `/${name}` }).toString()

  async function createDatabase(name: string, more = ''): Promise<void> {
    const admin = postgres(server.url, { max: 1 })
    await admin.unsafe(`create database ${name} ${more}`)
    await admin.end()
  }

  beforeAll(async () => {
    server = await startPostgres()
    await createDatabase('svc_migrated')
    const template = await openContext({ SVC_DATABASE_URL: addressOf('svc_migrated'), SVC_DATA_DIR: folder.path })
    await migrate(template.storage)
    await template.close()
  }, 600_000)
  afterAll(async () => {
    await server.stop()
    folder.remove()
  }, 600_000)

  beforeEach(async () => {
    const name = `svc_deliveries_${crypto.randomUUID().replaceAll('-', '')}`
    await createDatabase(name, 'template svc_migrated')
    env = { SVC_DATABASE_URL: addressOf(name), SVC_DATA_DIR: folder.path }
    fleet = await Fleet.make(env, ENDPOINTS)
    ctx = await openContext(env)
    load = new Load(fleet.project, SUBSCRIBERS, PER_SECOND)
  }, 600_000)

  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.kill('SIGKILL')))
    await Promise.all([ctx.close(), fleet.close()])
  }, 600_000)

  async function start(more: Record<string, string> = {}): Promise<ServerProcess> {
    const one = await startServerProcess(folder.path, { ...SENDING, ...env, ...more })
    running.push(one)
    return one
  }

  /** A process, and how many deliveries it was the first to attempt. */
  async function startMeasured(): Promise<{ process: ServerProcess; sent: () => Promise<number> }> {
    for (;;) {
      // Below the range from which systems assign ports.
      const port = 10_000 + Math.floor(Math.random() * 20_000)
      try {
        const process = await start({ SVC_INTERNAL_PORT: String(port) })
        return { process, sent: () => sentBy(port) }
      } catch (error) {
        if (!String(error).includes('is in use')) throw error
      }
    }
  }

  async function sentBy(port: number): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    return Number(/^svc_webhook_delivery_lag_seconds_count\{.*\} (\d+)/m.exec(text)?.[1] ?? 0)
  }

  const allEvents = () => ctx.db.select().from(ctx.tables.events)

  /** Every event reached every endpoint, as often as its failures and `hits` allow, and in order where that is wanted. */
  async function expectDelivered(hits: ReadonlyMap<string, number>): Promise<void> {
    const events = await allEvents()
    const booked = new Set(events.map(({ data }) => data.referenceId))
    expect(load.acknowledged.filter((key) => !booked.has(key))).toEqual([])
    for (const { path } of ENDPOINTS) {
      const wrong = events.filter(({ id }) => {
        const receipts = fleet.of(path, id)
        const failures = receipts.filter(({ status }) => status === 500).length
        const isTaken = receipts.some(({ status }) => status === 200)
        return !isTaken || receipts.length > 1 + failures + (hits.get(`${path} ${id}`) ?? 0)
      })
      expect([path, wrong.map(({ id }) => id)]).toEqual([path, []])
    }
    for (const path of ['/ordered', '/ordered-failing']) expect(brokenOrder(fleet, path)).toEqual([])
    expect(fleet.unsigned).toEqual([])
  }

  test('both send, and nothing is sent twice or out of order', async () => {
    const pair = [await startMeasured(), await startMeasured()]
    const urls = pair.map(({ process }) => process.url)
    await load.prepare(urls[0] ?? '')
    load.begin(urls)
    const haveAllSent = async () => (await Promise.all(pair.map((one) => one.sent()))).every((count) => count > 0)
    while (load.acknowledged.length <= SUBSCRIBERS || !(await haveAllSent())) await Bun.sleep(100)
    await load.end()
    await untilNoneOpen(fleet, ctx)
    await expectDelivered(new Map())
    const sent = await Promise.all(pair.map((one) => one.sent()))
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe((await allEvents()).length * ENDPOINTS.length)
  }, 600_000)

  test('one is killed four times: what it was sending is sent again, nothing after its success, all in order', async () => {
    const ended = new Map<string, number>()
    const hits = new Map<string, number>()
    const stays = await start()
    await load.prepare(stays.url)
    for (let kill = 0; kill < 4; kill++) {
      const dies = await start()
      load.begin([stays.url, dies.url])
      await Bun.sleep(600 + kill * 150)
      await dies.kill('SIGKILL')
      await load.end()
      for (const key of await underWay(fleet, ctx)) hits.set(key, (hits.get(key) ?? 0) + 1)
      for (const [path, eventId] of await succeededSince(fleet, ctx, 0))
        if (!ended.has(`${path} ${eventId}`)) ended.set(`${path} ${eventId}`, fleet.of(path, eventId).length)
    }
    await endingOldLeases(untilNoneOpen(fleet, ctx))
    await expectDelivered(hits)
    const again = [...ended].filter(([key, count]) => {
      const [path = '', eventId = ''] = key.split(' ')
      return fleet.of(path, eventId).length !== count
    })
    expect(again).toEqual([])
    expect(ended.size).toBeGreaterThan(0)
  }, 600_000)

  /** Ends old leases each half second until the work is done. What fails first is thrown; what fails after it is not. */
  async function endingOldLeases(work: Promise<void>): Promise<void> {
    let isOver = false
    const sweep = async () => {
      for (; !isOver; await Bun.sleep(500)) await endOldLeases()
    }
    try {
      await Promise.race([work, sweep()])
    } finally {
      isOver = true
    }
  }

  /**
   * A lease lasts for a minute. Those of attempts that began ten seconds ago are of killed processes: nothing waits here.
   * Each statement changes one row: one that locked several could meet the server's own in a deadlock.
   */
  async function endOldLeases(): Promise<void> {
    const now = Date.now()
    const { deliveries: d, deliveryTargets: t } = ctx.tables
    const isOld = and(eq(d.status, 'DELIVERING'), lt(d.dueAt, now + 50_000))
    for (const { position, targetId } of await ctx.db.select().from(d).where(isOld)) {
      await ctx.db
        .update(d)
        .set({ dueAt: now })
        .where(and(eq(d.position, position), isOld))
      await ctx.db.update(t).set({ dueAt: now }).where(eq(t.targetId, targetId))
    }
  }

  /** Writes an event of a subscriber here, in a process that sends nothing; the transaction stays open until `ends`. */
  const writeHere = (subscriberId: string, ends: Promise<unknown> = Promise.resolve()) =>
    ctx.write(async (tx) => {
      const subject = { id: subscriberId, projectId: fleet.project.id, appUserId: null }
      const image = { access: {}, balances: {} }
      const change = { subject, cause: causeOf('CLI', null), before: image, after: image }
      const draft = { type: 'purchase.renewed', occurredAt: Date.now(), environment: 'PRODUCTION' as const, data: {} }
      await recordEvents(tx, change, [draft])
      await ends
    })

  async function subscriberOf(n: number): Promise<string> {
    const key = await load.once(running[0]?.url ?? '', n)
    const event = (await allEvents()).find(({ data }) => data.referenceId === key)
    return event?.subscriberId ?? ''
  }

  async function untilReceived(count: number): Promise<void> {
    while (fleet.receipts.filter(({ path, status }) => path === '/good' && status === 200).length < count)
      await Bun.sleep(10)
  }

  test('what another process writes is sent about a second later, without another event', async () => {
    const one = await start()
    await load.prepare(one.url)
    const subscriberId = await subscriberOf(0)
    await untilNoneOpen(fleet, ctx)
    const waits: number[] = []
    for (let times = 0; times < 5; times++) {
      const known = (await allEvents()).length
      await writeHere(subscriberId)
      const since = performance.now()
      await untilReceived(known + 1)
      waits.push(Math.round(performance.now() - since))
    }
    // About one second on an idle machine. Without the look at each tick it would never come.
    for (const wait of waits) expect(wait).toBeLessThan(10_000)
    if (process.env.SVC_TEST_SAY) process.stderr.write(`${JSON.stringify(waits)}\n`)
  }, 600_000)

  test('an open transaction holds back the events behind it; they go out when it ends, without another event', async () => {
    const one = await start()
    await start()
    await load.prepare(one.url)
    const subscriberId = await subscriberOf(0)
    await untilNoneOpen(fleet, ctx)
    const known = (await allEvents()).length
    const { promise: ends, resolve: end } = Promise.withResolvers<void>()
    const open = writeHere(subscriberId, ends)
    await Bun.sleep(500) // It has announced its event.
    expect(await load.once(one.url, 1)).not.toBeNull()
    await Bun.sleep(3000)
    const early = fleet.receipts.filter(({ path, status }) => path === '/good' && status === 200).length
    end()
    await open
    expect(early).toBe(known)
    await untilReceived(known + 2)
    await untilNoneOpen(fleet, ctx)
    await expectDelivered(new Map())
  }, 600_000)
})
