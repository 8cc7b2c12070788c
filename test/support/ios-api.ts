import { generateKeyPairSync } from 'node:crypto'
import { createRegistry } from '../../src/base/jobs/registry'
import { Worker } from '../../src/base/jobs/worker'
import { refundAnswer } from '../../src/intake/refund-shield/jobs'
import type { RefundShieldSettings } from '../../src/intake/refund-shield/settings'
import { saveStoreSettings } from '../../src/projects/connections/credentials'
import { touchConfig } from '../../src/projects/project/service'
import type { ConsumptionAnswer } from '../../src/stores/ios/api-client-shapes'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { type ApiServer, startApiServer } from '../../src/test-store/stores/api-server'
import { BUNDLE, type Stage, stage } from './cast'
import type { TestContext } from './context'

const privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()

export type ResponseRow = TestContext['tables']['refundShieldResponses']['$inferSelect']

/** A stage whose project has an in-app purchase key, and the App Store Server API on loopback beside it. */
export interface IosApiStage extends Stage {
  server: ApiServer
  /** Answers that were sent to the store so far, each with its transaction. */
  answers(): (ConsumptionAnswer & { transactionId: string })[]
  /** Every request about a refund, oldest first. */
  responses(): Promise<ResponseRow[]>
  /** Runs the jobs that are due. */
  work(): Promise<number>
}

interface Options {
  shield?: Partial<RefundShieldSettings>
  env?: Record<string, string>
}

const ON: RefundShieldSettings = { enabled: true, delayMinutes: 60, policy: 'decline', customerConsented: true }

export async function iosApiStage({ shield = {}, env = {} }: Options = {}): Promise<IosApiStage> {
  const server = startApiServer({ bundleId: BUNDLE })
  const s = await stage({ env: { SVC_IOS_API_URL: server.url, ...env } })
  await saveKey(s)
  await saveShield(s, shield)
  return Object.assign(s, {
    server,
    answers: () => answersOf(server),
    responses: () => {
      const { refundShieldResponses: r } = s.ctx.tables
      return s.ctx.db.select().from(r).orderBy(r.createdAt, r.askedAt)
    },
    work: () => workerOf(s.ctx).runDue(),
    close: async () => {
      await s.ctx.close()
      await server.close()
    },
  })
}

export const workerOf = (ctx: TestContext): Worker => new Worker(ctx, createRegistry([refundAnswer]))

const PATH = /^\/inApps\/v1\/transactions\/consumption\/(.+)$/

const answersOf = ({ requests }: ApiServer) =>
  requests.flatMap(({ path, body }) => {
    const transactionId = PATH.exec(path)?.[1]
    return transactionId === undefined ? [] : [{ ...(body as ConsumptionAnswer), transactionId }]
  })

/** Saves the app with its key; null removes the key. */
export async function saveKey(s: Stage, key: string | null = privateKey, projectId = s.project.id): Promise<void> {
  const inAppPurchaseKey =
    key === null ? null : { keyId: 'ABC123DEF4', issuerId: '7e3fb20b-4cdb-47cc-936d-99d65f608138' }
  const config = { bundleId: BUNDLE, appId: '1234567890', inAppPurchaseKey }
  const secrets: Record<string, string> = key === null ? {} : { 'inAppPurchaseKey.privateKey': key }
  await s.ctx.write((tx) => saveStoreSettings(tx, projectId, 'ios', { config, secrets }))
  await moveConfig(s, projectId)
}

/**
 * Saves the refund shield as the project file does. Members that are left out have the values of a shield that is on.
 */
export async function saveShield(s: Stage, shield: Partial<RefundShieldSettings>): Promise<void> {
  const config = { ...ON, ...shield }
  await s.ctx.write((tx) => saveStoreSettings(tx, s.project.id, 'refundShield', { config, secrets: {} }))
  await moveConfig(s, s.project.id)
}

/** Changes the configuration version as every change of a project does, so that clients are created again. */
async function moveConfig(s: Stage, projectId: string): Promise<void> {
  await s.ctx.write((tx) => touchConfig(tx, projectId))
}

/** Buys, posts the receipt and makes the transaction known to the store. */
export async function sold(
  s: IosApiStage,
  device: string,
  ...bought: Parameters<Stage['buy']>
): Promise<TransactionPayload> {
  const transaction = s.buy(...bought)
  await s.receipt(device, transaction)
  s.server.facts.transactions.set(transaction.transactionId, s.sign(transaction))
  return transaction
}

/** Counts all money so far as paid. What the test root signs is of the sandbox, which counts in no figure. */
export const countAsPaid = ({ ctx }: Stage): Promise<unknown> =>
  ctx.write((tx) => tx.db.update(ctx.tables.transactions).set({ environment: 'PRODUCTION' }))
