import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createApp } from '../../src/app'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { migrate } from '../../src/base/db/migrate'
import { type Clock, MINUTE, systemClock } from '../../src/base/lib/clock'
import { createLog } from '../../src/base/lib/log'
import { createContext } from '../../src/create-context'
import { addPrice, subscribe } from '../../src/test-store/stores/payment-billing'
import { signEvent } from '../../src/test-store/stores/payment-events'
import { NO_FAULTS, PaymentServer } from '../../src/test-store/stores/payment-server'
import { PaymentWorld, type SimulatedEvent } from '../../src/test-store/stores/payment-world'
import { type CastProject, makeProject } from '../support/cast'
import { TEST_KEY, type TestContext } from '../support/context'
import { PRICES, SECRET_KEY, sellThrough, WEBHOOK_SECRET } from '../support/payment'
import { type ServerProcess, startServerProcess, tempFolder } from '../support/process'
import { payOnWeb } from '../support/web'

const KILLS = 10
const SALES = 10
/** The webhooks of one address that are processed at a time; the others wait. */
const AT_WORK = 8

const world = new PaymentWorld(systemClock)
const provider = new PaymentServer(world, SECRET_KEY)
const env = { SVC_MASTER_KEY: TEST_KEY, SVC_RATE_IP: '0', SVC_RATE_NEW: '0', SVC_PAYMENT_API_URL: provider.url }
const folder = tempFolder()
let project: CastProject

const open = (clock: Clock = systemClock): Promise<Context> =>
  createContext(readConfig({ SVC_DATA_DIR: folder.path, ...env }), {
    clock,
    log: createLog({ level: 'off', now: () => 0 }),
  })

beforeAll(async () => {
  const ctx = await open()
  await migrate(ctx.storage)
  project = await makeProject(ctx as TestContext, 1, {})
  await sellThrough({ ctx: ctx as TestContext }, project, null)
  for (const [id, price] of Object.entries(PRICES)) addPrice(world, { id, ...price })
  await ctx.close()
}, 600_000)
afterAll(async () => {
  await provider.close()
  folder.remove()
})

interface Sent {
  event: SimulatedEvent
  isAcknowledged: boolean
}

let sold = 0

/** Two events of each sale, each with the whole sale. Every third sale grants coins. */
function nextSales(): Sent[] {
  const before = world.events.length
  for (let count = 0; count < SALES; count++) {
    if (++sold % 3 === 0) payOnWeb({ world }, 'price_coins')
    else subscribe(world, { priceId: 'price_monthly' })
  }
  const emitted = world.events.slice(before)
  // The payment of an invoice names no price, so by itself it belongs to no sale.
  const isOfSale = ({ type, data }: SimulatedEvent) =>
    type !== 'payment_intent.succeeded' || JSON.stringify(data.object).includes('price_coins')
  return emitted.filter(isOfSale).map((event) => ({ event, isAcknowledged: false }))
}

async function request(url: string, { event }: Sent, now: number): Promise<Request> {
  const { body, signature } = await signEvent(event, { secret: WEBHOOK_SECRET, now })
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  return new Request(`${url}/webhooks/payment/${project.id}`, { method: 'POST', headers, body })
}

const unexpected: number[] = []

/** Posts all at once; calls `enough` when `wanted` of them have been answered. */
async function fire(url: string, batch: readonly Sent[], wanted: number, enough: () => void): Promise<void> {
  let acknowledged = 0
  const send = async (sent: Sent) => {
    const { status } = await fetch(await request(url, sent, systemClock.now()))
    if (status === 200) {
      sent.isAcknowledged = true
      if (++acknowledged >= wanted) enough()
    } else if (status !== 409) unexpected.push(status) // 409: the dead process still holds the event.
  }
  await Promise.allSettled(batch.map(send))
  enough()
}

test(`${KILLS} kill -9 in the middle of events of the payment provider: each sale is there once`, async () => {
  const all: Sent[] = []
  for (let round = 0; round < KILLS; round++) {
    const again = all.filter(({ isAcknowledged }) => !isAcknowledged).slice(0, SALES)
    const batch = nextSales()
    all.push(...batch)
    const server = await startServerProcess(folder.path, env)
    // The process dies at another point of the work each time; in every second round during a request to the provider.
    const dieIn = round % 2 === 0 ? afterSome : whileAsking
    await dieIn(server, [...again, ...batch], round)
  }
  expect(unexpected).toEqual([])
  await deliverTheRest(all)
  await expectEachOnce(all)
}, 600_000)

async function afterSome(server: ServerProcess, batch: readonly Sent[], round: number): Promise<void> {
  const { promise: isEnough, resolve: enough } = Promise.withResolvers<void>()
  const firing = fire(server.url, batch, 1 + round, enough)
  await isEnough
  await server.kill('SIGKILL')
  await firing
}

/** The events in processing when the last process died. */
let asking: readonly Sent[] = []

async function whileAsking(server: ServerProcess, batch: readonly Sent[]): Promise<void> {
  const { promise: isOver, resolve: goOn } = Promise.withResolvers<void>()
  const before = provider.requests.length
  provider.faults = { ...NO_FAULTS, until: isOver }
  const firing = fire(server.url, batch, batch.length, () => {})
  while (provider.requests.length < before + AT_WORK) await Bun.sleep(1)
  await server.kill('SIGKILL')
  await firing
  provider.faults = NO_FAULTS
  goOn()
  asking = batch
}

/** One hour later, every lease of a dead process has run out. */
async function deliverTheRest(all: readonly Sent[]): Promise<void> {
  const now = systemClock.now() + 60 * MINUTE
  const ctx = await open({ now: () => now })
  const app = createApp(ctx)
  const rows = new Map(
    (await ctx.db.select().from(ctx.tables.storeEvents)).map((row) => [row.notificationId, row.status]),
  )
  const acknowledged = all.filter(({ isAcknowledged }) => isAcknowledged)
  expect(acknowledged.filter(({ event }) => rows.get(event.id) !== 'PROCESSED')).toEqual([])
  expect([...rows.values()].filter((status) => status === 'FAILED')).toEqual([])
  // The process died between writing the inbox and processing. Each event makes one request to the provider at a time, so
  // that many were being processed; how many more had come by then is not known.
  const died = asking.filter(({ event }) => rows.get(event.id) === 'PROCESSING')
  expect(died.length).toBeGreaterThanOrEqual(AT_WORK)
  expect(acknowledged.length).toBeGreaterThan(0)
  const answers = await Promise.all(all.map(async (sent) => app.handle(await request('http://localhost', sent, now))))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  await ctx.close()
}

async function expectEachOnce(all: readonly Sent[]): Promise<void> {
  const ctx = await open()
  const { storeEvents, purchases, transactions, ledger, balances, events, subscribers } = ctx.tables
  const inbox = await ctx.db.select().from(storeEvents)
  expect(inbox.map(({ notificationId }) => notificationId).sort()).toEqual(all.map(({ event }) => event.id).sort())
  expect(inbox.filter(({ status }) => status !== 'PROCESSED')).toEqual([])
  const count = (rows: { length: number }) => rows.length
  const coins = Math.floor(sold / 3)
  expect([
    count(await ctx.db.select().from(purchases)),
    count(await ctx.db.select().from(transactions)),
    count(await ctx.db.select().from(ledger)),
  ]).toEqual([sold, sold, coins])
  expect((await ctx.db.select().from(balances)).map(({ balance }) => balance)).toEqual(Array(coins).fill(100n))
  const eventsBySubscriber = Map.groupBy(await ctx.db.select().from(events), ({ subscriberId }) => subscriberId)
  const people = await ctx.db.select().from(subscribers)
  expect(people).toHaveLength(sold)
  for (const { id } of people) expect((eventsBySubscriber.get(id) ?? []).map(({ seq }) => seq).sort()).toEqual([1, 2])
  await ctx.close()
}
