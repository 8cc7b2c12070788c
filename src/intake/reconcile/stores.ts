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
import { listUntoldRefunds } from '../android/refunds'
import { refreshIosPurchase } from '../ios/refresh'
import { refreshPaymentPurchase } from '../payment/refresh'
import type { Refresh, Untold } from '../recording/refresh'

/** What the reconciler needs of a store. */
export interface ReconciledStore {
  /** Whether the project has what it takes to ask; without it its purchases stay due. */
  canAsk(ctx: Context, project: ProjectState): Promise<boolean>
  refresh: Refresh
  /** Whether the test store sold it: that tells everything by itself, and the real one never heard of it. */
  isSimulated(purchase: PurchaseRow): boolean
  /** What the store lists of itself, so that it need not be asked about each purchase: those that differ here. */
  listUntold?(ctx: Context, project: ProjectState): Promise<Untold[]>
}

/** Every store that is asked: another one joins by its line here. What is MANUAL has nobody to ask. */
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
    listUntold: listUntoldRefunds,
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
