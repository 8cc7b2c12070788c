import type { Context } from '../../base/context'
import { iosApiClient } from '../../projects/connections/ios-api'
import { paymentClient } from '../../projects/connections/payment-store'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import type { FetchedHistory, FetchOptions, Span } from '../inbox/history'
import { fetchIosHistory } from '../ios/history'
import { fetchPaymentHistory } from '../payment/history'

/** What catching up needs of a store that remembers what it has told. The test stores tell by themselves. */
interface CatchUpStore {
  /** Those that the project's credentials can ask for; none without credentials. */
  environmentsOf(ctx: Context, project: ProjectState): Promise<PurchaseEnvironment[]>
  fetch(
    ctx: Context,
    project: ProjectState,
    environment: PurchaseEnvironment,
    span: Span,
    options: FetchOptions,
  ): Promise<FetchedHistory>
}

/** The Android store remembers nothing for us: its queue keeps what was not acknowledged, and tells it again. */
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
  // Nothing of production is believed before the app id is saved.
  return project.ios?.appId ? ['PRODUCTION', 'SANDBOX'] : ['SANDBOX']
}

async function paymentEnvironments(ctx: Context, project: ProjectState): Promise<PurchaseEnvironment[]> {
  if ((await paymentClient(ctx, project)) === null) return []
  return [project.payment?.mode === 'live' ? 'PRODUCTION' : 'SANDBOX']
}
