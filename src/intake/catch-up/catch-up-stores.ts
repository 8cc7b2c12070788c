import type { Context } from '../../base/context'
import { iosApiClient } from '../../projects/connections/ios-api'
import { paymentClient } from '../../projects/connections/payment-store'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import type { FetchedHistory, FetchOptions, Span } from '../inbox/history'
import { fetchIosHistory } from '../ios/history'
import { fetchPaymentHistory } from '../payment/history'

/** What the catch-up needs from a store that keeps a history. The test stores need none: they deliver by themselves. */
interface CatchUpStore {
  /** The environments that the project's credentials can read; none without credentials. */
  environmentsOf(ctx: Context, project: ProjectState): Promise<PurchaseEnvironment[]>
  fetch(
    ctx: Context,
    project: ProjectState,
    environment: PurchaseEnvironment,
    span: Span,
    options: FetchOptions,
  ): Promise<FetchedHistory>
}

/**
 * The Android store keeps no history for us: its queue keeps messages without an acknowledgement, and delivers them
 * again.
 */
export const CATCH_UP_STORES: ReadonlyMap<Store, CatchUpStore> = new Map([
  [
    'IOS_STORE',
    {
      environmentsOf: iosEnvironments,
      fetch: (ctx, project, environment, span, options) =>
        fetchIosHistory(ctx, project, { environment, ...span }, options),
    },
  ],
  [
    'PAYMENT',
    {
      environmentsOf: paymentEnvironments,
      fetch: (ctx, project, _environment, span, options) => fetchPaymentHistory(ctx, project, span, options),
    },
  ],
] satisfies [Store, CatchUpStore][])

async function iosEnvironments(ctx: Context, project: ProjectState): Promise<PurchaseEnvironment[]> {
  const canAsk = ctx.state.iosStore.isReady && (await iosApiClient(ctx, project)) !== null
  if (!canAsk) return []
  // Without the saved app id, every notification of production is refused.
  return project.ios?.appId ? ['PRODUCTION', 'SANDBOX'] : ['SANDBOX']
}

async function paymentEnvironments(ctx: Context, project: ProjectState): Promise<PurchaseEnvironment[]> {
  if ((await paymentClient(ctx, project)) === null) return []
  return [project.payment?.mode === 'live' ? 'PRODUCTION' : 'SANDBOX']
}
