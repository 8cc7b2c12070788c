import { statusAt } from '../../src/people/purchases/status'
import { ChainVerifier } from '../../src/stores/ios/chain'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { type VerifyOptions, verifySigned } from '../../src/stores/ios/jws'
import type { RenewalPayload } from '../../src/stores/ios/renewal'
import { type SimulatorKeys, simulatorRoot } from '../../src/stores/test-keys/keys'
import { simulatorKeys } from '../../src/stores/test-keys/service'
import { type NotificationKind, signNotification } from '../../src/test-store/stores/notification'
import { type Answer, BUNDLE, type Stage } from './cast'

export type StoreEventRow = Stage['ctx']['tables']['storeEvents']['$inferSelect']

let count = 0

interface NotificationOptions {
  /** The same id again is a repeated delivery. */
  id?: string
  renewal?: Partial<RenewalPayload> | null
  /** The project to which it is sent, and whose test store signs it. */
  projectId?: string
  bundleId?: string
  /** The keys that sign it; absent = those of the stage's project. */
  keys?: SimulatorKeys
}

/** The body that the store would post about a purchase at the stage's present instant. */
export function notificationBody(
  s: Stage,
  kind: NotificationKind,
  transaction: TransactionPayload | null,
  { id = `n-${++count}`, renewal, bundleId = BUNDLE, keys = s.keys }: NotificationOptions = {},
): { signedPayload: string } {
  const now = s.ctx.clock.now()
  const order = { kind, notificationId: id, now, bundleId, transaction }
  return { signedPayload: signNotification(keys, { ...order, ...(renewal === undefined ? {} : { renewal }) }) }
}

/** Posts a body to the address that the store has for the project. */
export const deliver = (s: Stage, body: unknown, projectId: string = s.project.id): Promise<Answer> =>
  s.post(`/webhooks/ios/${projectId}`, body, { key: null })

/** The store sends a notification of a purchase. */
export async function notify(
  s: Stage,
  kind: NotificationKind,
  transaction: TransactionPayload | null,
  options: NotificationOptions = {},
): Promise<Answer> {
  const { projectId } = options
  const signer = projectId === undefined ? {} : { keys: await simulatorKeys(s.ctx, projectId) }
  return deliver(s, notificationBody(s, kind, transaction, { ...signer, ...options }), projectId)
}

/** The inbox, oldest first. */
export async function storeEvents(s: Stage): Promise<StoreEventRow[]> {
  const { storeEvents: e } = s.ctx.tables
  return s.ctx.db.select().from(e).orderBy(e.receivedAt, e.id)
}

/** The newest row of the inbox. */
export async function lastStoreEvent(s: Stage): Promise<StoreEventRow> {
  const row = (await storeEvents(s)).at(-1)
  if (!row) throw new Error('the inbox is empty')
  return row
}

/** The purchase of a transaction: its row, with the status at the present instant. */
export async function purchaseOf(s: Stage, { originalTransactionId }: TransactionPayload) {
  const { purchases: p } = s.ctx.tables
  const rows = (await s.ctx.db.select().from(p)).filter((row) => row.originalTransactionId === originalTransactionId)
  const [row] = rows
  if (!row || rows.length > 1) throw new Error(`${rows.length} purchases of ${originalTransactionId}`)
  return { ...row, status: statusAt(row.fold, s.ctx.clock.now()).status }
}

/** Lets the test store's root sign for Production, which only Apple's root may do outside of this test. */
export function trustForProduction(s: Stage): void {
  const root = simulatorRoot(s.keys)
  if (!root) throw new Error('the test store has no root')
  const chains = new ChainVerifier({ production: [root], sandbox: [root], local: [] })
  const verify = async (token: string, options: VerifyOptions) => verifySigned(token, chains, options)
  Object.assign(s.ctx.state, { iosStore: { isReady: true, of: () => ({ verify }) } })
}
