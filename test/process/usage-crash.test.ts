import { afterAll, expect, test } from 'bun:test'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { migrate } from '../../src/base/db/migrate'
import { createLog } from '../../src/base/lib/log'
import { createContext } from '../../src/create-context'
import { recountUsage } from '../../src/projects/usage/recount'
import type { SimulatorKeys } from '../../src/stores/test-keys/keys'
import { simulatorKeys } from '../../src/stores/test-keys/service'
import { signTransaction, simulatedPurchase } from '../../src/test-store/stores/ios'
import { BUNDLE, type CastProject, MONTHLY, makeProject } from '../support/cast'
import { TEST_KEY, type TestContext } from '../support/context'
import { startServerProcess, tempFolder } from '../support/process'
import { moreInRelease } from '../support/release'

const KILLS = Number(process.env.SVC_TEST_KILLS ?? moreInRelease(4, 50))
const POSTS = 120

const folder = tempFolder()
afterAll(() => folder.remove())

interface World {
  env: Record<string, string>
  project: CastProject
  keys: SimulatorKeys
}

const open = (env: Record<string, string>): Promise<Context> =>
  createContext(readConfig({ SVC_DATA_DIR: folder.path, ...env }), { log: createLog({ level: 'off', now: () => 0 }) })

async function world(env: Record<string, string>): Promise<World> {
  const ctx = await open(env)
  await migrate(ctx.storage)
  const project = await makeProject(ctx as TestContext, 1, {})
  const keys = await simulatorKeys(ctx, project.id)
  await ctx.close()
  return { env, project, keys }
}

let count = 0

/** Receipts, sessions and events of apps at once; those that the dying process does not answer are lost. */
const fire = (url: string, { project, keys }: World): Promise<unknown> =>
  Promise.all(
    Array.from({ length: POSTS }, (_, n) => send(url, project.publicKey, bodyOf(n % 3, keys)).catch(() => {})),
  )

function bodyOf(kind: number, keys: SimulatorKeys): [path: string, body: object] {
  const who = `svc_${++count % 37}`
  const occurredAt = new Date().toISOString()
  if (kind === 0) return ['/v1/sdk/sessions', { subscriberId: who, events: [{ type: 'open', occurredAt }] }]
  if (kind === 1) return ['/v1/events', { eventType: 'step', occurredAt, subscriberId: who }]
  const transactionId = String(3000000000000000 + count)
  const payload = simulatedPurchase({ bundleId: BUNDLE, product: MONTHLY, transactionId, now: Date.now() })
  return ['/v1/receipts/ios', { receipt: signTransaction(keys, payload), appUserId: who, productId: MONTHLY.productId }]
}

const send = (url: string, key: string, [path, body]: [string, object]): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function expectExact({ env, project }: World): Promise<void> {
  const ctx = await open(env)
  const { meters, differences } = await recountUsage(ctx, project.id)
  expect(differences).toEqual([])
  for (const meter of ['events', 'telemetry'])
    expect(meters.find((one) => one.meter === meter)?.counted ?? 0).toBeGreaterThan(0)
  await ctx.close()
}

test(`after ${KILLS} kill -9 under load, every meter is what is there`, async () => {
  const here = await world({ SVC_MASTER_KEY: TEST_KEY, SVC_RATE_KEY: '0', SVC_RATE_IP: '0', SVC_RATE_NEW: '0' })
  for (let round = 0; round < KILLS; round++) {
    const running = await startServerProcess(folder.path, here.env)
    const firing = fire(running.url, here)
    await Bun.sleep(5 + 12 * round) // The process dies at another point of the work each time.
    await running.kill('SIGKILL')
    await firing
  }
  const running = await startServerProcess(folder.path, here.env)
  await fire(running.url, here)
  await running.kill('SIGTERM')
  await expectExact(here)
}, 600_000)
