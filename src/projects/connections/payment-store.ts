import type { Context } from '../../base/context'
import { CircuitBreaker } from '../../base/lib/circuit'
import type { InProcessStore } from '../../stores/in-process'
import { PaymentClient } from '../../stores/payment/client'
import { isSimulatedPayment } from '../../stores/test-keys/ids'
import type { ProjectState } from '../project/state'
import { ClientCache } from './client-cache'
import { loadStoreSettings } from './credentials'

interface AccountKeys {
  secretKey: string
  /** The connected account that the platform's key acts for; null when the key is the project's own. */
  account: string | null
  /** Signs the events of the project's own account; those of a connected one the platform's secret signs. */
  webhookSecret: string | null
}

/** A project's way to the provider. */
interface ProviderAccess {
  client: PaymentClient
  webhookSecret: string | null
}

export type PaymentAccess = ClientCache<AccountKeys | null, ProviderAccess | null>

const accessOf = (ctx: Context, project: ProjectState): Promise<ProviderAccess | null> =>
  ctx.state.paymentAccess().get(project)

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
    ? testStoreClient(ctx, ctx.state.testStores.payment(project.id))
    : ((await accessOf(ctx, project))?.client ?? null)

/** The client of a payment test store: whoever asks about a simulated object takes this one. */
export const testStoreClient = ({ clock }: Pick<Context, 'clock'>, simulator: InProcessStore): PaymentClient =>
  new PaymentClient({
    ...{ apiUrl: 'https://simulator.invalid', secretKey: 'sk_test_simulated', account: null },
    ...{ circuit: new CircuitBreaker(), clock, simulator },
  })

/** What signs the events of the project's own account; null when there is none. */
export const paymentWebhookSecret = async (ctx: Context, project: ProjectState): Promise<string | null> =>
  (await accessOf(ctx, project))?.webhookSecret ?? null

/** The ways of all projects to the provider. */
export function createPaymentAccess(ctx: Context): PaymentAccess {
  const { clock, config, circuits } = ctx
  // Shared by all projects: it is about the provider.
  const circuit = new CircuitBreaker()
  circuits.put('provider', { store: 'PAYMENT', isSandbox: false, circuit })
  const parts = { clock, circuit, apiUrl: config.storeUrls.payment }
  return new ClientCache(
    (project) => readAccountKeys(ctx, project),
    (access) => access && { client: new PaymentClient({ ...parts, ...access }), webhookSecret: access.webhookSecret },
  )
}

/** The project's own keys, or for a connected account the platform's key of its mode. */
async function readAccountKeys(ctx: Context, { id, payment }: ProjectState): Promise<AccountKeys | null> {
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
