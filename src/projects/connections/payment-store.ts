import type { Context } from '../../base/context'
import { CircuitBreaker } from '../../base/lib/circuit'
import type { InProcessStore } from '../../stores/in-process'
import { PaymentClient } from '../../stores/payment/client'
import { isSimulatedPayment } from '../../stores/test-keys/ids'
import type { ProjectState } from '../project/state'
import { ClientCache } from './client-cache'
import { loadStoreSettings } from './credentials'

export interface AccountKeys {
  secretKey: string
  /** The connected account for which the platform's key acts; null when the key is the project's own. */
  account: string | null
  /** Signs the events of the project's own account. The platform's secret signs those of a connected account. */
  webhookSecret: string | null
}

/** The client of a project for the payment provider, and its webhook secret. */
interface ProviderAccess {
  client: PaymentClient
  webhookSecret: string | null
}

export type PaymentAccess = ClientCache<AccountKeys | null, ProviderAccess | null>

const accessOf = (ctx: Context, project: ProjectState): Promise<ProviderAccess | null> =>
  ctx.state.paymentAccess().get(project)

/**
 * The project's client for the payment provider; null without an active account. A purchase of the test store needs no
 * account: pass the id of any of its objects as `id`.
 */
export const paymentClient = async (
  ctx: Context,
  project: ProjectState,
  id: string | null = null,
): Promise<PaymentClient | null> =>
  id !== null && isSimulatedPayment(id)
    ? testStoreClient(ctx, ctx.state.testStores.payment(project.id))
    : ((await accessOf(ctx, project))?.client ?? null)

/** The client of a payment test store, for calls about simulated objects. */
export const testStoreClient = ({ clock }: Pick<Context, 'clock'>, simulator: InProcessStore): PaymentClient =>
  new PaymentClient({
    ...{ apiUrl: 'https://simulator.invalid', secretKey: 'sk_test_simulated', account: null },
    ...{ circuit: new CircuitBreaker(), clock, simulator },
  })

/** The secret that signs the events of the project's own account; null when there is none. */
export const paymentWebhookSecret = async (ctx: Context, project: ProjectState): Promise<string | null> =>
  (await accessOf(ctx, project))?.webhookSecret ?? null

/** The payment provider clients of all projects. */
export function createPaymentAccess(ctx: Context): PaymentAccess {
  const { clock, config, circuits } = ctx
  // Shared by all projects, because it describes the provider.
  const circuit = new CircuitBreaker()
  circuits.put('provider', { store: 'PAYMENT', isSandbox: false, circuit })
  const parts = { clock, circuit, apiUrl: config.storeUrls.payment }
  return new ClientCache(
    (project) => readAccountKeys(ctx, project),
    (access) => access && { client: new PaymentClient({ ...parts, ...access }), webhookSecret: access.webhookSecret },
  )
}

/** The project's own keys; for a connected account, the platform's key for the mode of the project. */
export async function readAccountKeys(ctx: Context, { id, payment }: ProjectState): Promise<AccountKeys | null> {
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
