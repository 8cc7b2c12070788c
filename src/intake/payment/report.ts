import type { PurchaseRow } from '../../people/purchases/queries'
import { findStoreProduct } from '../../people/purchases/store-product'
import type { ProjectState } from '../../projects/project/state'
import type { ProductType, PurchaseEnvironment } from '../../stores/observation'
import type { DecodedPayment } from '../../stores/payment/decode'
import { isSimulatedPayment } from '../../stores/test-keys/ids'
import type { PurchaseReport } from '../recording/model'
import { PAYMENT } from './owner'

/** The environment of a purchase; null when the project sells through no account. The test store's is SANDBOX. */
export const environmentOf = ({ payment }: ProjectState, chainKey: string): PurchaseEnvironment | null =>
  isSimulatedPayment(chainKey) ? 'SANDBOX' : payment && (payment.mode === 'live' ? 'PRODUCTION' : 'SANDBOX')

/** The report to record for what the provider said about a purchase. */
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

/** The product type of a purchase. A one-time product that the catalogue lacks counts as NON_CONSUMABLE. */
const typeOf = ({ catalog }: ProjectState, payment: DecodedPayment, held: PurchaseRow | null): ProductType =>
  findStoreProduct(catalog, payment.storeProductId, PAYMENT)?.type ??
  held?.fold.productType ??
  (payment.isSubscription ? 'SUBSCRIPTION' : 'NON_CONSUMABLE')
