import { CircuitBreaker } from '../../base/lib/circuit'
import type { CircuitBoard } from '../../base/lib/circuits'
import type { Context } from '../../create-context'
import { PaymentClient } from '../../stores/payment/client'
import { isSimulatedPayment } from '../../stores/test-ids'
import { simulatedPaymentClient } from '../../test-store/stores/provider'
import type { ProjectState } from '../project/state'
import { ClientCache } from './client-cache'
import { loadStoreSettings } from './credentials'

interface Access {
  secretKey: string
  /** The connected account that the platform's key acts for; null when the key is the project's own. */
  account: string | null
  /** Signs the events of the project's own account; those of a connected one the platform's secret signs. */
  webhookSecret: string | null
}

/** A project's way to the provider. */
interface Door {
  client: PaymentClient
  webhookSecret: string | null
}

type Doors = ClientCache<Access | null, Door | null>

// Beside the process's board, and made when the provider is first asked: most deployments never ask it anything.
const doorsOf = new WeakMap<CircuitBoard, Doors>()

function doorOf(ctx: Context, project: ProjectState): Promise<Door | null> {
  const doors = doorsOf.get(ctx.circuits) ?? newDoors(ctx)
  doorsOf.set(ctx.circuits, doors)
  return doors.get(project)
}

/**
 * The project's client for the payment provider; null without an active account. Purchases of the test store need none:
 * whoever asks about one names it, by the id of any of its objects.
 */
export const paymentClient = async (
  ctx: Context,
  project: ProjectState,
  id: string | null = null,
): Promise<PaymentClient | null> =>
  id !== null && isSimulatedPayment(id)
    ? simulatedPaymentClient(ctx, project.id, ctx.config.isSimulatorOn)
    : ((await doorOf(ctx, project))?.client ?? null)

/** What signs the events of the project's own account; null when there is none. */
export const paymentWebhookSecret = async (ctx: Context, project: ProjectState): Promise<string | null> =>
  (await doorOf(ctx, project))?.webhookSecret ?? null

function newDoors(ctx: Context): Doors {
  const { clock, config, circuits } = ctx
  // Shared by all projects: it is about the provider.
  const circuit = new CircuitBreaker()
  circuits.put('provider', { store: 'PAYMENT', isSandbox: false, circuit })
  const parts = { clock, circuit, apiUrl: config.storeUrls.payment }
  return new ClientCache(
    (project) => readAccess(ctx, project),
    (access) => access && { client: new PaymentClient({ ...parts, ...access }), webhookSecret: access.webhookSecret },
  )
}

/** The project's own keys, or for a connected account the platform's key of its mode. */
async function readAccess(ctx: Context, { id, payment }: ProjectState): Promise<Access | null> {
  if (!payment) return null
  const { accountId: account, mode } = payment
  if (account !== null) {
    const platform = ctx.config.paymentConnect[mode]
    return platform && { secretKey: platform.secretKey, account, webhookSecret: null }
  }
  const secrets = (await loadStoreSettings(ctx, ctx.vault, id)).get('payment')?.secrets
  if (secrets?.secretKey === undefined) return null
  return { secretKey: secrets.secretKey, account: null, webhookSecret: secrets.webhookSecret ?? null }
}
