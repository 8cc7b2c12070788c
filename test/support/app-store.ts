import { generateKeyPairSync } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { saveStoreSettings } from '../../src/projects/connections/credentials'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import type { RenewalPayload } from '../../src/stores/ios/renewal'
import { type ApiServer, startApiServer } from '../../src/test-store/stores/api-server'
import { signTransaction } from '../../src/test-store/stores/ios'
import { type NotificationKind, simulatedRenewalInfo } from '../../src/test-store/stores/notification'
import { BUNDLE, type CastProject, type Stage, stage } from './cast'

/** A stage whose projects have a key for the App Store, with the store's API on loopback. */
export interface IosApiStage extends Stage {
  api: ApiServer
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const inAppPurchaseKey = { keyId: 'ABC123DEFG', issuerId: '57246542-96fe-1a63-e053-0824d011072a' }

export async function iosApiStage(now?: number): Promise<IosApiStage> {
  const api = startApiServer({ bundleId: BUNDLE })
  const s = await stage({ env: { SVC_IOS_API_URL: api.url }, ...(now === undefined ? {} : { now }) })
  await saveIosKey(s)
  const close = async () => {
    await s.ctx.close()
    await api.close()
  }
  return Object.assign(s, { api, close })
}

/** Saves the key with which a project calls the App Store. */
export async function saveIosKey(s: Stage, project: CastProject = s.project): Promise<void> {
  const settings = {
    config: { bundleId: BUNDLE, inAppPurchaseKey },
    secrets: { 'inAppPurchaseKey.privateKey': PEM },
  }
  await s.ctx.write(async (tx) => {
    await saveStoreSettings(tx, project.id, 'ios', settings)
    const { projects: t } = tx.tables
    await tx.db.update(t).set({ configVersion: 1000 }).where(eq(t.id, project.id))
  })
  s.ctx.state.projects.forget(project.id)
}

/** The status number of the store for each kind of notification. */
const NUMBERS: Readonly<Record<string, number>> = {
  EXPIRED: 2,
  GRACE_PERIOD_EXPIRED: 3,
  DID_FAIL_TO_RENEW: 3,
  GRACE_PERIOD: 4,
  REFUND: 5,
  REVOKE: 5,
}

/**
 * From now on the store answers with this state of a purchase, signed at the present instant. It is the state that a
 * notification of this kind would contain.
 */
export function storeSays(
  s: IosApiStage,
  kind: NotificationKind,
  transaction: TransactionPayload,
  renewal: Partial<RenewalPayload> = {},
): void {
  const signed = { ...transaction, signedDate: Math.max(transaction.signedDate, s.ctx.clock.now()) }
  const { originalTransactionId, transactionId } = signed
  const signedTransactionInfo = signTransaction(s.keys, signed)
  s.api.facts.transactions.set(transactionId, signedTransactionInfo)
  if (transaction.type !== 'Auto-Renewable Subscription') return
  s.api.facts.statuses.set(originalTransactionId, {
    originalTransactionId,
    signedTransactionInfo,
    signedRenewalInfo: signTransaction(s.keys, { ...simulatedRenewalInfo(signed, kind), ...renewal }),
    status: NUMBERS[kind[1] ?? ''] ?? NUMBERS[kind[0]] ?? 1,
    subscriptionGroupIdentifier: '1',
  })
}

/** Paths of the API calls so far. */
export const requestedPaths = ({ api }: IosApiStage): string[] => api.requests.map(({ path }) => path)
