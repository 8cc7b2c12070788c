import { afterAll, beforeAll, expect, test } from 'bun:test'
import { count, isNull } from 'drizzle-orm'
import { DAY, systemClock } from '../../src/base/lib/clock'
import { envOf } from '../support/backup'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { TEST_KEY } from '../support/context'
import { importJob, importRow, importRows } from '../support/imports'
import { notify } from '../support/notify'
import { dataOf } from '../support/operator'
import { childEnv, startServerProcess, svcCommand } from '../support/process'
import { LATER } from '../support/relink'
import { staff } from '../support/staff'

const KILLS = Number(process.env.SVC_TEST_KILLS ?? 3)
/** Purchases of imported history, and purchases that the store has told. */
const IMPORTED = Number(process.env.SVC_TEST_KILL_ROWS ?? (process.env.SVC_TEST_KILLS ? 100_000 : 750))
const TOLD = 100

const now = systemClock.now() // The processes have the clock of the machine.
let s: Stage
beforeAll(async () => {
  s = await stage({ now })
}, 600_000)
afterAll(() => s.close())

const FILE = `
version: 1
products:
  later:
    type: SUBSCRIPTION
    displayName: Later
    period: P1M
    storeIds: { ios: ${LATER.productId} }
    access: [pro]
    grants: [{ currency: coins, amount: 100, on: BOTH }]
`

const historyRow = (n: number) =>
  importRow({
    ...{ subscriberExternalId: `user_${n}`, productIdentifier: LATER.productId, isSandbox: false },
    ...{ originalTransactionId: `7${n}`, storeTransactionId: `7${n}`, purchaseDate: now - DAY },
    ...{ expiresDate: now + 29 * DAY, price: { amountMicros: 1_000_000, currency: 'USD' } },
  })

async function waiting(): Promise<number> {
  await new Promise(setImmediate)
  const { purchases: p } = s.ctx.tables
  const [row] = await s.ctx.db.select({ waiting: count() }).from(p).where(isNull(p.productId))
  return row?.waiting ?? 0
}

const env = (): Record<string, string> => ({ ...envOf(s.ctx), SVC_MASTER_KEY: TEST_KEY })

/** Kills the command once so few are left; false when it ended before. */
async function killedAt(left: number): Promise<boolean> {
  const child = Bun.spawn([...svcCommand(), 'purchases', 'relink', '--json'], {
    env: { ...childEnv(), ...env() },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  while (child.exitCode === null && (await waiting()) > left) await Bun.sleep(1)
  child.kill('SIGKILL')
  await child.exited
  return child.signalCode === 'SIGKILL'
}

/** The same with a server, whose job links meanwhile. */
async function serverKilledAt(left: number): Promise<boolean> {
  const server = await serve()
  while ((await waiting()) > left) await Bun.sleep(1)
  await server.kill('SIGKILL')
  return (await waiting()) > 0
}

function serve() {
  const { SVC_DATA_DIR = '', ...more } = env()
  return startServerProcess(SVC_DATA_DIR, more)
}

async function linkedByServer(): Promise<void> {
  const server = await serve()
  while ((await waiting()) > 0) await Bun.sleep(20)
  expect(await server.kill('SIGTERM')).toBe(0)
}

test(`a relink of ${IMPORTED + TOLD} purchases that is killed with -9 at ${KILLS} points gives each its product once`, async () => {
  const payloads = Array.from({ length: TOLD }, () => s.buy(LATER))
  for (const payload of payloads) expect((await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], payload)).status).toBe(200)
  await s.receipt('svc_ada', s.buy(MONTHLY))
  await importRows(
    s,
    await importJob(s),
    Array.from({ length: IMPORTED }, (_, n) => historyRow(n)),
  )
  const all = IMPORTED + TOLD
  const applied = await dataOf(staff(s).as('OWNER').post('/project-file/apply', { file: FILE }))
  expect([applied.waitingPurchases, await waiting()]).toEqual([all, all])

  const left = [all]
  for (let kill = 1; kill <= KILLS; kill++) {
    const until = Math.floor((all * (KILLS + 1 - kill)) / (KILLS + 1))
    expect(await (kill % 2 === 1 ? serverKilledAt(until) : killedAt(until))).toBe(true)
    left.push(await waiting())
  }
  // Each continues where the one before it was killed.
  expect(left).toEqual([...new Set(left)].sort((a, b) => b - a))
  expect(left.at(-1)).toBeGreaterThan(0)
  await linkedByServer()
  await expectLinkedOnce()
}, 3_600_000)

async function expectLinkedOnce(): Promise<void> {
  const { db, tables: t } = s.ctx
  const later = (await db.select().from(t.products)).find(({ identifier }) => identifier === 'later')
  const lines = await db.select().from(t.transactions)
  expect(lines.filter(({ productId }) => productId === later?.id)).toHaveLength(IMPORTED + TOLD)
  expect(lines.filter(({ productId }) => productId === null)).toEqual([])
  const sums: Record<string, number> = {}
  for (const { product, gross } of await db.select().from(t.figureEntries)) sums[product] = (sums[product] ?? 0) + gross
  const own = TOLD * LATER.price * 1000
  expect([sums.later, sums[LATER.productId] ?? 0]).toEqual([IMPORTED * 1_000_000 + own, 0])
  const told = new Set((await db.select().from(t.ledger)).map(({ subscriberId }) => subscriberId))
  expect([told.size, await db.$count(t.ledger)]).toEqual([TOLD, TOLD])
  const granted = (await db.select().from(t.events)).filter(({ data }) => data.linked === true)
  expect(granted.map(({ subscriberId }) => subscriberId).sort()).toEqual([...told].sort())
  const people = await db.select().from(t.subscribers)
  expect(people.filter(({ toldAccess }) => !('pro' in toldAccess))).toEqual([])
}
