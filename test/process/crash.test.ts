import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { migrate } from '../../src/base/db/migrate'
import { createLog } from '../../src/base/lib/log'
import { createContext } from '../../src/create-context'
import type { SimulatorKeys } from '../../src/stores/test-keys/keys'
import { simulatorKeys } from '../../src/stores/test-keys/service'
import { signTransaction, simulatedPurchase } from '../../src/test-store/stores/ios'
import { BUNDLE, type CastProject, COINS, MONTHLY, makeProject } from '../support/cast'
import { TEST_KEY, type TestContext } from '../support/context'
import { startServerProcess, tempFolder } from '../support/process'
import { moreInRelease } from '../support/release'

const KILLS = moreInRelease(6, 20)
const POSTS = 200
const env = { SVC_MASTER_KEY: TEST_KEY }

const folder = tempFolder()
let project: CastProject
let keys: SimulatorKeys

const open = (): Promise<Context> =>
  createContext(readConfig({ SVC_DATA_DIR: folder.path, ...env }), { log: createLog({ level: 'off', now: () => 0 }) })

beforeAll(async () => {
  const ctx = await open()
  await migrate(ctx.storage)
  project = await makeProject(ctx as TestContext, 1, {})
  keys = await simulatorKeys(ctx, project.id)
  await ctx.close()
}, 600_000)
afterAll(() => folder.remove())

interface Acknowledged {
  /** Transaction ids whose receipt was answered 200. */
  receipts: string[]
  /** Ledger keys whose transaction was answered 200. */
  spends: string[]
}

const acknowledged = ({ receipts, spends }: Acknowledged): number => receipts.length + spends.length

let count = 0

/** Sends receipts and ledger posts at once and records which were answered before the process died. */
async function fire(url: string, done: Acknowledged): Promise<void> {
  await Promise.all(
    Array.from({ length: POSTS }, (_, index) =>
      (index % 2 === 0 ? postReceipt(url, done) : postGrant(url, done)).catch(() => {}),
    ),
  )
}

async function postReceipt(url: string, done: Acknowledged): Promise<void> {
  const transactionId = String(3000000000000000 + ++count)
  const product = count % 4 === 0 ? COINS : MONTHLY
  const payload = simulatedPurchase({ bundleId: BUNDLE, product, transactionId, now: Date.UTC(2026, 10, 20) + count })
  const body = { receipt: signTransaction(keys, payload), appUserId: `svc_${count % 37}`, productId: product.productId }
  if ((await post(url, '/v1/receipts/ios', body, project.publicKey)).status === 200) done.receipts.push(transactionId)
}

async function postGrant(url: string, done: Acknowledged): Promise<void> {
  const idempotencyKey = `grant-${++count}`
  const { status } = await post(
    url,
    '/v1/virtual-currencies/svc_ledger/gems/transactions',
    { amount: 1, idempotencyKey },
    project.secretKey,
  )
  if (status === 200) done.spends.push(idempotencyKey)
}

const post = (url: string, path: string, body: object, key: string): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test(`${KILLS} kill -9 during ${POSTS} concurrent posts: every acknowledged change is there, once, and seq has no gap`, async () => {
  const done: Acknowledged = { receipts: [], spends: [] }
  for (let round = 0; round < KILLS; round++) {
    const server = await startServerProcess(folder.path, env)
    if (round === 0)
      await post(server.url, '/v1/identify', { deviceKey: 'svc_ledger', appUserId: 'ledger' }, project.publicKey)
    const before = acknowledged(done)
    let isOver = false
    const firing = fire(server.url, done).finally(() => {
      isOver = true
    })
    // The process dies at another point of the work each time, with most of it in progress.
    while (!isOver && acknowledged(done) - before < round * 4) await Bun.sleep(1)
    await server.kill('SIGKILL')
    await firing
  }
  const server = await startServerProcess(folder.path, env) // Starts again, recovers the log and answers.
  expect((await fetch(`${server.url}/health/ready`)).status).toBe(200)
  expect(await server.kill('SIGTERM')).toBe(0)
  await expectKept(done)
}, 600_000)

async function expectKept(done: Acknowledged): Promise<void> {
  const ctx = await open()
  const { transactions, purchases, ledger, balances, events, subscribers } = ctx.tables
  const kept = (await ctx.db.select().from(transactions)).map(({ storeTransactionId }) => storeTransactionId)
  expect(done.receipts.filter((id) => !kept.includes(id))).toEqual([])
  expect(new Set(kept).size).toBe(kept.length)
  expect(await ctx.db.select().from(purchases)).toHaveLength(kept.length)

  const entries = await ctx.db.select().from(ledger)
  const gems = entries.filter(({ idempotencyKey }) => idempotencyKey !== null)
  const bookedKeys = gems.map(({ idempotencyKey }) => idempotencyKey)
  expect(done.spends.filter((key) => !bookedKeys.includes(key))).toEqual([])
  expect(new Set(bookedKeys).size).toBe(bookedKeys.length)
  for (const { subscriberId, currencyId, balance } of await ctx.db.select().from(balances)) {
    const own = entries.filter((entry) => entry.subscriberId === subscriberId && entry.currencyId === currencyId)
    expect(own.reduce((sum, { amount }) => sum + amount, 0n)).toBe(balance)
  }

  const rows = await ctx.db.select().from(events)
  for (const { id, seq } of await ctx.db.select().from(subscribers)) {
    const numbers = rows
      .filter(({ subscriberId }) => subscriberId === id)
      .map((event) => event.seq ?? 0)
      .sort((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: seq }, (_, index) => index + 1))
  }
  expect(acknowledged(done)).toBeGreaterThan(KILLS * 4) // The kills did not come before all work.
  await ctx.close()
}
