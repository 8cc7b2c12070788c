import type { PurchaseRow } from '../../people/purchases/queries'
import { findStoreProduct } from '../../people/purchases/store-product'
import type { ProjectState } from '../../projects/project/state'
import type { ProductType, PurchaseEnvironment } from '../../stores/observation'
import type { DecodedPayment } from '../../stores/payment/decode'
import { isSimulatedPayment } from '../../stores/test-keys/ids'
import type { PurchaseReport } from '../recording/model'
import { PAYMENT } from './owner'

/** Where a purchase of the project counts; null when it sells through no account. The test store's never cost money. */
export const environmentOf = ({ payment }: ProjectState, chainKey: string): PurchaseEnvironment | null =>
  isSimulatedPayment(chainKey) ? 'SANDBOX' : payment && (payment.mode === 'live' ? 'PRODUCTION' : 'SANDBOX')

/** What the provider said of a purchase, as it is recorded. */
export const toReport = (project: ProjectState, payment: DecodedPayment, held: PurchaseRow | null): PurchaseReport => ({
  store: PAYMENT,
  environment: payment.environment,
  chainKey: payment.chainKey,
  originalTransactionId: payment.chainKey,
  productType: typeOf(project, payment, held),
  accountToken: null,
  presentedContext: held?.presentedContext ?? payment.owner.presentedContext,
  observations: payment.observations,
})

/** A one-time product that the catalogue lacks grants and repeats nothing. */
const typeOf = ({ catalog }: ProjectState, payment: DecodedPayment, held: PurchaseRow | null): ProductType =>
  findStoreProduct(catalog, payment.storeProductId, PAYMENT)?.type ??
  held?.fold.productType ??
  (payment.isSubscription ? 'SUBSCRIPTION' : 'NON_CONSUMABLE')
