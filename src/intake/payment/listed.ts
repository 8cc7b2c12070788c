import { findStoreProduct } from '../../people/purchases/store-product'
import type { ProjectState } from '../../projects/project/state'
import type { Observation } from '../../stores/observation'
import type { DecodedPayment } from '../../stores/payment/decode'
import { PAYMENT } from './owner'

/** Whether the catalogue has the product of some line of a sale, now or in one of its earlier charges. */
export const isListed = (project: ProjectState, { lines }: Pick<DecodedPayment, 'lines'>): boolean =>
  lines.some(
    ({ storeProductId, observations }) =>
      hasProduct(project, storeProductId) || observations.some((one) => namesProduct(project, one)),
  )

/** Whether an observation is about a product of the catalogue. */
export const namesProduct = (project: ProjectState, one: Observation): boolean =>
  one.kind === 'REPORT' &&
  [one.transaction?.storeProductId, one.adjustment?.storeProductId].some(
    (id) => id !== undefined && hasProduct(project, id),
  )

const hasProduct = ({ catalog }: ProjectState, storeProductId: string): boolean =>
  findStoreProduct(catalog, storeProductId, PAYMENT) !== null
