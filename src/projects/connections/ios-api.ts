import { CircuitBreaker } from '../../base/lib/circuit'
import type { CircuitBoard } from '../../base/lib/circuits'
import type { Context } from '../../create-context'
import { IosApiClient } from '../../stores/ios/api-client'
import type { ApiCredentials } from '../../stores/ios/api-token'
import { isSimulatedTransaction } from '../../stores/test-ids'
import { appStoreInProcess } from '../../test-store/stores/app-store'
import type { ProjectState } from '../project/state'
import { ClientCache } from './client-cache'
import { loadStoreSettings } from './credentials'

type Clients = ClientCache<ApiCredentials | null, IosApiClient>

// Beside the process's board, and made when the store is first asked: most deployments never ask it anything.
const clientsOf = new WeakMap<CircuitBoard, Clients>()

/**
 * The project's client for the App Store Server API; null without a usable in-app purchase key. Purchases of the test
 * store need none: whoever asks about one names it.
 */
export async function iosApiClient(
  ctx: Context,
  project: ProjectState,
  transactionId: string | null = null,
): Promise<IosApiClient | null> {
  const clients = clientsOf.get(ctx.circuits) ?? newClients(ctx)
  clientsOf.set(ctx.circuits, clients)
  const client = await clients.get(project)
  const isSimulated = transactionId !== null && ctx.config.isSimulatorOn && isSimulatedTransaction(transactionId)
  return client.hasCredentials || isSimulated ? client : null
}

function newClients(ctx: Context): Clients {
  const { clock, config, circuits: board } = ctx
  // Shared by all projects: they are about the store.
  const circuits = { PRODUCTION: new CircuitBreaker(), SANDBOX: new CircuitBreaker() }
  board.put('production', { store: 'IOS_STORE', isSandbox: false, circuit: circuits.PRODUCTION })
  board.put('sandbox', { store: 'IOS_STORE', isSandbox: true, circuit: circuits.SANDBOX })
  const parts = { clock, circuits, apiUrl: config.storeUrls.ios }
  return new ClientCache(
    (project) => readCredentials(ctx, project),
    (credentials, { id }) =>
      new IosApiClient({ ...parts, credentials, simulator: appStoreInProcess(ctx, id, config.isSimulatorOn) }),
  )
}

async function readCredentials(ctx: Context, { id, ios }: ProjectState): Promise<ApiCredentials | null> {
  const saved = (await loadStoreSettings(ctx, ctx.vault, id)).get('ios')
  const key = saved?.config.inAppPurchaseKey as { keyId?: unknown; issuerId?: unknown } | null | undefined // As saved.
  const privateKey = saved?.secrets?.['inAppPurchaseKey.privateKey']
  if (!ios || privateKey === undefined) return null
  if (typeof key?.keyId !== 'string' || typeof key.issuerId !== 'string') return null
  return { bundleId: ios.bundleId, keyId: key.keyId, issuerId: key.issuerId, privateKey }
}
