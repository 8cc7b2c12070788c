import type { Tx } from '../../base/context'
import type { ObservationRow, PurchaseRow } from '../../people/purchases/queries'
import { findStoreProduct } from '../../people/purchases/store-product'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { TransactionPart } from '../../stores/observation'
import { isUnowned } from '../recording/ownership-claim'
import type { OwnerKind, SaleKind, SaleRow } from './plan'

/** A purchase as the plan sees it. */
export async function toSaleRow(
  tx: Tx,
  project: ProjectState,
  row: PurchaseRow,
  owner: SubscriberRow | undefined,
  observations: readonly ObservationRow[],
): Promise<SaleRow> {
  const { id, chainKey, createdAt, subscriberId, environment, fold } = row
  const { storeProductId, ownershipType, purchaseDate, originalPurchaseDate } = fold
  return {
    ...{ id, chainKey, createdAt, subscriberId, environment, storeProductId, purchaseDate, originalPurchaseDate },
    owner: owner ? await ownerKind(tx, owner) : 'NOBODY',
    isShared: ownershipType === 'FAMILY_SHARED',
    kind: saleKind(project, row, observations.flatMap(partOf)),
  }
}

async function ownerKind(tx: Tx, owner: SubscriberRow): Promise<OwnerKind> {
  if (owner.erasedAt !== null) return 'NOBODY'
  if (owner.appUserId !== null) return 'LABELLED'
  return (await isUnowned(tx, owner)) ? 'NOBODY' : 'DEVICE'
}

export const partOf = ({ payload }: ObservationRow): TransactionPart[] =>
  payload.kind === 'REPORT' && payload.transaction ? [payload.transaction] : []

/**
 * What the store signed decides. What was recorded before that was kept says nothing of it, so there the catalogue does:
 * only a subscription that never renews has a period and is sold once.
 */
function saleKind(
  { catalog }: ProjectState,
  { fold, store, productId }: PurchaseRow,
  parts: readonly TransactionPart[],
): SaleKind {
  if (fold.productType === 'SUBSCRIPTION') return 'OTHER'
  if (parts.some(({ isNonRenewing }) => isNonRenewing)) return 'EACH_DATE'
  if (parts.some(({ sale }) => sale !== undefined)) return 'ONCE'
  const product =
    productId === null ? findStoreProduct(catalog, fold.storeProductId, store) : catalog.products.get(productId)
  if (fold.productType !== 'NON_CONSUMABLE' || !product || product.type === 'CONSUMABLE') return 'OTHER'
  return product.type === 'SUBSCRIPTION' || product.period !== null ? 'EACH_DATE' : 'ONCE'
}
