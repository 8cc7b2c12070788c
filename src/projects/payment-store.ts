import type { Context } from '../context'
import { CircuitBreaker } from '../lib/circuit'
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

// Beside the context, whose members are built at start: most deployments never ask the provider anything.
const clientsOf = new WeakMap<Context, Clients>()

/** The project's client for the payment provider; null without an active account. */
export function paymentClient(ctx: Context, project: ProjectState): Promise<PaymentClient | null> {
  const clients = clientsOf.get(ctx) ?? newClients(ctx)
  clientsOf.set(ctx, clients)
  return clients.get(project)
}

function newClients(ctx: Context): Clients {
  const { clock, config } = ctx
  // The circuit is shared by all projects: it is about the provider.
  const parts = { clock, circuit: new CircuitBreaker(), apiUrl: config.storeUrls.payment }
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
