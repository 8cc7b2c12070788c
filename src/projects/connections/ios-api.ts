import type { Context } from '../../base/context'
import { CircuitBreaker } from '../../base/lib/circuit'
import { outsideClock } from '../../base/lib/clock'
import { IosApiClient } from '../../stores/ios/api-client'
import type { ApiCredentials } from '../../stores/ios/api-token'
import { isSimulatedTransaction } from '../../stores/test-keys/ids'
import type { ProjectState } from '../project/state'
import { ClientCache } from './client-cache'
import { loadStoreSettings } from './credentials'

export type IosClients = ClientCache<ApiCredentials | null, IosApiClient>

/**
 * The project's client for the App Store Server API; null without a usable in-app purchase key. A purchase of the test
 * store needs no key: pass its id as `transactionId`.
 */
export async function iosApiClient(
  ctx: Context,
  project: ProjectState,
  transactionId: string | null = null,
): Promise<IosApiClient | null> {
  const client = await ctx.state.iosClients().get(project)
  const isSimulated = transactionId !== null && ctx.config.isSimulatorOn && isSimulatedTransaction(transactionId)
  return client.hasCredentials || isSimulated ? client : null
}

/** The clients of all projects. */
export function createIosClients(ctx: Context): IosClients {
  const { clock, config, circuits: board } = ctx
  // Shared by all projects, because they describe the store.
  const circuits = { PRODUCTION: new CircuitBreaker(), SANDBOX: new CircuitBreaker() }
  board.put('production', { store: 'IOS_STORE', isSandbox: false, circuit: circuits.PRODUCTION })
  board.put('sandbox', { store: 'IOS_STORE', isSandbox: true, circuit: circuits.SANDBOX })
  const parts = { clock, tokenClock: outsideClock(ctx), circuits, apiUrl: config.storeUrls.ios }
  return new ClientCache(
    (project) => readCredentials(ctx, project),
    (credentials, { id }) => new IosApiClient({ ...parts, credentials, simulator: ctx.state.testStores.ios(id) }),
  )
}

async function readCredentials(ctx: Context, { id, ios }: ProjectState): Promise<ApiCredentials | null> {
  const saved = (await loadStoreSettings(ctx, ctx.vault, id)).get('ios')
  const key = saved?.config.inAppPurchaseKey as { keyId?: unknown; issuerId?: unknown } | null | undefined // The form in which it is saved.
  const privateKey = saved?.secrets?.['inAppPurchaseKey.privateKey']
  if (!ios || privateKey === undefined) return null
  if (typeof key?.keyId !== 'string' || typeof key.issuerId !== 'string') return null
  return { bundleId: ios.bundleId, keyId: key.keyId, issuerId: key.issuerId, privateKey }
}
