import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { PurchaseRow } from '../../people/purchases/queries'
import { androidClient } from '../../projects/connections/android-store'
import { iosApiClient } from '../../projects/connections/ios-api'
import { paymentClient } from '../../projects/connections/payment-store'
import type { ProjectState } from '../../projects/project/state'
import type { Store } from '../../stores/observation'
import { isSimulatedPayment, isSimulatedToken, isSimulatedTransaction } from '../../stores/test-keys/ids'
import { refreshAndroidPurchase } from '../android/refresh'
import { listUnreportedRefunds } from '../android/refunds'
import { refreshIosPurchase } from '../ios/refresh'
import { refreshPaymentPurchase } from '../payment/refresh'
import type { Refresh, UnreportedRefund } from '../recording/model'

/** What the reconciler needs from a store. */
export interface ReconciledStore {
  /** Whether the project has the credentials to query the store. Without them its purchases stay due. */
  canAsk(ctx: Context, project: ProjectState): Promise<boolean>
  refresh: Refresh
  /** Whether the test store sold the purchase. It delivers all its notifications, and the real store cannot answer. */
  isSimulated(purchase: PurchaseRow): boolean
  /** Changes in the store's own list that are not recorded here, so that not every purchase has to be queried. */
  listUntold?(ctx: Context, project: ProjectState): Promise<UnreportedRefund[]>
}

/** Every store that is queried; add a new store here. A MANUAL purchase has no store to query. */
export const RECONCILED: Readonly<Partial<Record<Store, ReconciledStore>>> = {
  IOS_STORE: {
    canAsk: async (ctx, project) => ctx.state.iosStore.isReady && (await iosApiClient(ctx, project)) !== null,
    refresh: refreshIosPurchase,
    isSimulated: ({ originalTransactionId }) => isSimulatedTransaction(originalTransactionId),
  },
  ANDROID_STORE: {
    canAsk: canAskGoogle,
    refresh: refreshAndroidPurchase,
    isSimulated: ({ chainKey }) => isSimulatedToken(chainKey),
    listUntold: listUnreportedRefunds,
  },
  PAYMENT: {
    canAsk: async (ctx, project) => (await paymentClient(ctx, project)) !== null,
    refresh: refreshPaymentPurchase,
    isSimulated: ({ chainKey }) => isSimulatedPayment(chainKey),
  },
}

async function canAskGoogle(ctx: Context, project: ProjectState): Promise<boolean> {
  if (!project.android) return false
  try {
    await androidClient(ctx, project)
    return true
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'STORE_NOT_CONFIGURED') return false
    throw error
  }
}
