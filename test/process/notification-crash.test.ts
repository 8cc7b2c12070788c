import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createApp } from '../../src/app'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { migrate } from '../../src/base/db/migrate'
import { type Clock, MINUTE, systemClock } from '../../src/base/lib/clock'
import { createLog } from '../../src/base/lib/log'
import { createContext } from '../../src/create-context'
import type { SimulatorKeys } from '../../src/stores/test-keys/keys'
import { simulatorKeys } from '../../src/stores/test-keys/service'
import { simulatedPurchase } from '../../src/test-store/stores/ios'
import { signNotification } from '../../src/test-store/stores/notification'
import { BUNDLE, type CastProject, COINS, MONTHLY, makeProject } from '../support/cast'
import { TEST_KEY, type TestContext } from '../support/context'
import { startServerProcess, tempFolder } from '../support/process'
import { moreInRelease } from '../support/release'

const KILLS = moreInRelease(12, 50)
const POSTS = 20
const env = { SVC_MASTER_KEY: TEST_KEY, SVC_RATE_IP: '0', SVC_RATE_NEW: '0' }

const folder = tempFolder()
let project: CastProject
let keys: SimulatorKeys

const open = (clock: Clock = systemClock): Promise<Context> =>
  createContext(readConfig({ SVC_DATA_DIR: folder.path, ...env }), {
    clock,
    log: createLog({ level: 'off', now: () => 0 }),
  })

beforeAll(async () => {
  const ctx = await open()
  await migrate(ctx.storage)
  project = await makeProject(ctx as TestContext, 1, {})
  keys = await simulatorKeys(ctx, project.id)
  await ctx.close()
}, 600_000)
afterAll(() => folder.remove())

interface Sent {
  notificationId: string
  body: string
  isAcknowledged: boolean
}

let count = 0
const unexpected: number[] = []
/** Posts whose answer never came, because the process died before it. */
let cut = 0

/** The store sends a notification of a purchase that no device has submitted. Every third purchase grants coins. */
function nextNotification(): Sent {
  const transactionId = String(4000000000000000 + ++count)
  const now = systemClock.now()
  const product = count % 3 === 0 ? COINS : MONTHLY
  const transaction = simulatedPurchase({ bundleId: BUNDLE, product, transactionId, now })
  const kind = product === COINS ? (['ONE_TIME_CHARGE', null] as const) : (['SUBSCRIBED', 'INITIAL_BUY'] as const)
  const notificationId = `n-${count}`
  const signedPayload = signNotification(keys, { kind, notificationId, now, bundleId: BUNDLE, transaction })
  return { notificationId, body: JSON.stringify({ signedPayload }), isAcknowledged: false }
}

const request = (url: string, { body }: Sent): Request =>
  new Request(`${url}/webhooks/ios/${project.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })

/** Posts all at once; calls `enough` when `wanted` of them have been answered. */
async function fire(url: string, batch: readonly Sent[], wanted: number, enough: () => void): Promise<void> {
  let acknowledged = 0
  const send = async (sent: Sent) => {
    const answer = await fetch(request(url, sent)).catch(() => null)
    if (answer === null) cut += 1
    else if (answer.status === 200) {
      sent.isAcknowledged = true
      if (++acknowledged >= wanted) enough()
    } else unexpected.push(answer.status) // No dead process holds one: a new one is stored and applied at once.
  }
  await Promise.all(batch.map(send))
  enough()
}

test(`${KILLS} kill -9 in the middle of notifications: each is there once, whether it was acknowledged or not`, async () => {
  const all: Sent[] = []
  for (let round = 0; round < KILLS; round++) {
    const batch = Array.from({ length: POSTS }, nextNotification)
    all.push(...batch)
    const server = await startServerProcess(folder.path, env)
    // The store delivers again what was not answered with 200, together with new notifications.
    const again = all.filter(({ isAcknowledged }) => !isAcknowledged).slice(0, POSTS)
    const { promise: isEnough, resolve: enough } = Promise.withResolvers<void>()
    const firing = fire(server.url, [...new Set([...again, ...batch])], 1 + (round % POSTS), enough)
    // The process dies at another point of the work each time, and in some rounds only after a part of it, however slow
    // the machine is.
    await (round % 10 === 9 ? isEnough : Bun.sleep(10 + (round % 25) * 7))
    await server.kill('SIGKILL')
    await firing
  }
  expect(unexpected).toEqual([])
  await deliverTheRest(all)
  await expectEachOnce(all)
}, 600_000)

/** One hour later, every lease of a dead process has run out. */
async function deliverTheRest(all: readonly Sent[]): Promise<void> {
  const ctx = await open({ now: () => systemClock.now() + 60 * MINUTE })
  const app = createApp(ctx)
  const { storeEvents: e } = ctx.tables
  const rows = new Map((await ctx.db.select().from(e)).map((row) => [row.notificationId, row.status]))
  const acknowledged = all.filter(({ isAcknowledged }) => isAcknowledged)
  expect(acknowledged.filter(({ notificationId }) => rows.get(notificationId) !== 'PROCESSED')).toEqual([])
  expect([...rows.values()].filter((status) => status === 'FAILED')).toEqual([])
  // The kills came neither before all work nor after it.
  expect(acknowledged.length).toBeGreaterThan(0)
  expect(cut).toBeGreaterThan(0)
  const answers = await Promise.all(all.map((sent) => app.handle(request('http://localhost', sent))))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  await ctx.close()
}

async function expectEachOnce(all: readonly Sent[]): Promise<void> {
  const ctx = await open()
  const { storeEvents, purchases, transactions, ledger, balances, events, subscribers } = ctx.tables
  const inbox = await ctx.db.select().from(storeEvents)
  expect(inbox.map(({ notificationId }) => notificationId).sort()).toEqual(all.map((one) => one.notificationId).sort())
  expect(inbox.filter(({ status }) => status !== 'PROCESSED')).toEqual([])
  const count = (rows: { length: number }) => rows.length
  expect(count(await ctx.db.select().from(purchases))).toBe(all.length)
  expect(count(await ctx.db.select().from(transactions))).toBe(all.length)
  const coins = Math.floor(all.length / 3)
  expect(count(await ctx.db.select().from(ledger))).toBe(coins)
  expect((await ctx.db.select().from(balances)).map(({ balance }) => balance)).toEqual(Array(coins).fill(100n))
  const eventsBySubscriber = Map.groupBy(await ctx.db.select().from(events), ({ subscriberId }) => subscriberId)
  for (const { id } of await ctx.db.select().from(subscribers))
    expect((eventsBySubscriber.get(id) ?? []).map(({ seq }) => seq).sort()).toEqual([1, 2])
  await ctx.close()
}
