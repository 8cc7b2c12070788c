import { join } from 'node:path'
import Database from 'libsql'
import { readConfig } from '../../src/base/config'
import { migrate } from '../../src/base/db/migrate'
import { createContext } from '../../src/create-context'
import { saveSdkDoor } from '../../src/moving/sdk-door/admin'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import type { SimulatorKeys } from '../../src/stores/test-keys/keys'
import { simulatorKeys } from '../../src/stores/test-keys/service'
import { signTransaction, simulatedPurchase, simulatedRenewal } from '../../src/test-store/stores/ios'
import { signNotification } from '../../src/test-store/stores/notification'
import { BUNDLE, type CastProject, MONTHLY, makeProject } from '../support/cast'
import { TEST_KEY, TestClock, testApp } from '../support/context'
import { ATTRIBUTES, writeTargeting } from './targeting'

/** Names in the rows of the template's subscriber; `seed` replaces them by those of each subscriber. */
export const DEVICE = 'template-device'
export const LABEL = 'template-label'
export const ORDER = 'template-order'
export const TRANSACTION = '2999999999999999'
export const RENEWAL = '4999999999999999'
export const NOTIFICATION = 'template-notification'

/** A database file with the first test project and one subscriber, whose rows the server itself has written. */
export interface Template {
  path: string
  project: CastProject
  keys: SimulatorKeys
  /** The subscriber's purchase as in the last notification of the store. */
  latest: TransactionPayload
}

/**
 * Creates the template in a folder. Through the app, the subscriber buys a month, gets coins, renews and requests the
 * configuration.
 */
export async function makeTemplate(folder: string): Promise<Template> {
  const clock = new TestClock(Date.now())
  const config = readConfig({
    SVC_DATA_DIR: folder,
    SVC_MASTER_KEY: TEST_KEY,
    SVC_RATE_KEY: '0',
    SVC_RATE_IP: '0',
    SVC_RATE_NEW: '0',
  })
  const ctx = Object.assign(await createContext(config, { clock }), { clock, lines: [] as string[] })
  try {
    await migrate(ctx.storage)
    const project = await makeProject(ctx, 1, {})
    await writeTargeting(ctx, project)
    await saveSdkDoor(ctx, { projectId: project.id, actor: CLI_ACTOR }, { enabled: true }, null)
    const keys = await simulatorKeys(ctx, project.id)
    const latest = await liveOnce((request) => testApp(ctx).handle(request), project, keys, clock.now())
    await ctx.state.assignments.flush()
    return { path: join(folder, 'svc.db'), project, keys, latest }
  } finally {
    await ctx.close()
    finish(join(folder, 'svc.db'))
  }
}

type Handle = (request: Request) => Promise<Response>

async function liveOnce(
  handle: Handle,
  project: CastProject,
  keys: SimulatorKeys,
  now: number,
): Promise<TransactionPayload> {
  const bought = simulatedPurchase({ bundleId: BUNDLE, product: MONTHLY, transactionId: TRANSACTION, now })
  const receipt = { receipt: signTransaction(keys, bought), appUserId: DEVICE, productId: 'pro_monthly' }
  await post(handle, project.publicKey, '/v1/receipts/ios', receipt)
  const coins = { amount: 5, idempotencyKey: ORDER }
  await post(handle, project.secretKey, `/v1/virtual-currencies/${DEVICE}/coins/transactions`, coins)
  const renewed = simulatedRenewal(bought, { product: MONTHLY, transactionId: RENEWAL, now })
  const kind = ['DID_RENEW', null] as const
  const order = { kind, notificationId: NOTIFICATION, now: renewed.signedDate, bundleId: BUNDLE, transaction: renewed }
  await post(handle, null, `/webhooks/ios/${project.id}`, { signedPayload: signNotification(keys, order) })
  await post(handle, project.publicKey, `/v1/config?subscriberId=${DEVICE}`, { attributes: ATTRIBUTES })
  return renewed
}

async function post(handle: Handle, key: string | null, path: string, body: object): Promise<void> {
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` }
  const headers = { 'content-type': 'application/json', ...authorization }
  const answer = await handle(
    new Request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
  )
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
}

/** Gives the subscriber a label and moves everything into the main file, so that this file can be copied alone. */
function finish(path: string): void {
  const database = new Database(path)
  database.prepare('UPDATE subscribers SET app_user_id = ?').run([LABEL])
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}
