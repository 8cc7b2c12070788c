import { findStoreProduct } from '../../people/purchases/store-product'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment } from '../../stores/observation'
import type { DecodedPayment } from '../../stores/payment/decode'
import type { DecodedLine } from '../../stores/payment/decoded-line'
import { newsOf } from '../../stores/payment/news'
import { isSimulatedPayment } from '../../stores/test-keys/ids'
import type { ChainReport, LineReport } from '../recording/record-chain'
import { REPEAT_KEPT_MS } from '../recording/recording'
import { PAYMENT } from './owner'

/** The environment of a purchase; null when the project sells through no account. The test store's is SANDBOX. */
export const environmentOf = ({ payment }: ProjectState, chainKey: string): PurchaseEnvironment | null =>
  isSimulatedPayment(chainKey) ? 'SANDBOX' : payment && (payment.mode === 'live' ? 'PRODUCTION' : 'SANDBOX')

/** The report to record for what the provider reported about a purchase. */
export const toReport = (
  project: Pick<ProjectState, 'catalog'>,
  { chainKey, environment, owner, isSubscription, fetchedAt, lines }: DecodedPayment,
): ChainReport => ({
  store: PAYMENT,
  environment,
  chainKey,
  originalTransactionId: chainKey,
  accountToken: null,
  presentedContext: owner.presentedContext,
  fetchedAt,
  // A one-time product that the catalogue lacks counts as NON_CONSUMABLE.
  likelyType: isSubscription ? 'SUBSCRIPTION' : 'NON_CONSUMABLE',
  replacesInOrder: true,
  lines: lines.map((line) => toLine(project, line)),
})

const toLine = ({ catalog }: Pick<ProjectState, 'catalog'>, { observations, ...line }: DecodedLine): LineReport => ({
  ...line,
  productType: findStoreProduct(catalog, line.storeProductId, PAYMENT)?.type ?? null,
  observe: (known) => newsOf(observations, known, REPEAT_KEPT_MS),
})
