import type { Context } from '../context'
import { CircuitBreaker } from '../lib/circuit'
import type { CircuitBoard } from '../lib/circuits'
import { PaymentClient } from '../stores/payment/client'
import { ClientCache } from './client-cache'
import { loadStoreSettings } from './credentials'
import type { ProjectState } from './state'

interface Access {
  secretKey: string
  /** The connected account that the platform's key acts for; null when the key is the project's own. */
  account: string | null
}

type Clients = ClientCache<Access | null, PaymentClient | null>

// Beside the process's board, and made when the provider is first asked: most deployments never ask it anything.
const clientsOf = new WeakMap<CircuitBoard, Clients>()

/** The project's client for the payment provider; null without an active account. */
export function paymentClient(ctx: Context, project: ProjectState): Promise<PaymentClient | null> {
  const clients = clientsOf.get(ctx.circuits) ?? newClients(ctx)
  clientsOf.set(ctx.circuits, clients)
  return clients.get(project)
}

function newClients(ctx: Context): Clients {
  const { clock, config, circuits } = ctx
  // Shared by all projects: it is about the provider.
  const circuit = new CircuitBreaker()
  circuits.put('provider', { store: 'PAYMENT', isSandbox: false, circuit })
  const parts = { clock, circuit, apiUrl: config.storeUrls.payment }
  return new ClientCache(
    (project) => readAccess(ctx, project),
    (access) => access && new PaymentClient({ ...parts, ...access }),
  )
}

/** The project's own key, or for a connected account the platform's key of its mode. */
async function readAccess(ctx: Context, { id, payment }: ProjectState): Promise<Access | null> {
  if (!payment) return null
  const { accountId: account, mode } = payment
  if (account !== null) {
    const platform = ctx.config.paymentConnect[mode]
    return platform && { secretKey: platform.secretKey, account }
  }
  const secretKey = (await loadStoreSettings(ctx, ctx.vault, id)).get('payment')?.secrets?.secretKey
  return secretKey === undefined ? null : { secretKey, account: null }
}
