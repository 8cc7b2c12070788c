import type { Tx } from '../context'
import type { EventCause } from '../events/model'
import type { ProjectState } from '../projects/state'
import type { Observation } from '../stores/observation'
import type { SubscriberRow } from '../subscribers/service'
import type { PurchaseState } from './model'
import type { Sighting } from './observe'
import type { ObservationRow, PurchaseRow } from './queries'
import { recheckAt } from './reconcile-plan'
import { effectiveEnd, nextStatusChangeAt } from './status'
import { findStoreProduct } from './store-product'

/** The state as events last told it: the fold saved, with the status saved beside it. */
export const stateOf = ({ fold, status }: PurchaseRow): PurchaseState => ({ ...fold, status })

/** The row of a purchase as its observations leave it; what no sighting tells is kept from the row before. */
export function toPurchaseRow(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  sighting: Sighting,
  held: PurchaseRow | null,
  after: PurchaseState,
): PurchaseRow {
  const now = tx.clock.now()
  const { status, ...fold } = after
  const product = findStoreProduct(project.catalog, after.storeProductId, sighting.store)
  return {
    id: held?.id ?? newPurchaseId(tx, sighting),
    projectId: project.id,
    subscriberId: owner.id,
    store: sighting.store,
    environment: sighting.environment,
    chainKey: sighting.chainKey,
    productId: product?.id ?? held?.productId ?? null,
    originalTransactionId: sighting.originalTransactionId,
    accessIds: held?.accessIds ?? (sighting.accessIds ? [...sighting.accessIds] : null),
    accountToken: sighting.accountToken ?? held?.accountToken ?? null,
    status,
    fold,
    effectiveEnd: effectiveEnd(fold),
    sweepAt: nextStatusChangeAt(fold, now),
    recheckAt: sighting.store === 'MANUAL' ? null : recheckAt(fold, Math.min(fold.storeEventAt, now)),
    presentedContext: sighting.presentedContext ?? held?.presentedContext ?? null,
    createdAt: held?.createdAt ?? now,
    updatedAt: now,
  }
}

/** No store names a grant, so it is its own chain (wire 4.2). */
const newPurchaseId = (tx: Tx, { store, chainKey }: Sighting): string =>
  store === 'MANUAL' ? chainKey : tx.ids.next('pur')

/** What differs between two states of a row: SQLite writes the index of each column that is named, changed or not. */
export const changedColumns = (held: PurchaseRow, row: PurchaseRow): Partial<PurchaseRow> =>
  Object.fromEntries(Object.entries(row).filter(([column, value]) => held[column as keyof PurchaseRow] !== value))

/** Whether the product has come into the catalogue since, so that the purchase gives access now. */
export const gainsProduct = ({ catalog }: ProjectState, { productId, accessIds, fold, store }: PurchaseRow): boolean =>
  productId === null && accessIds === null && findStoreProduct(catalog, fold.storeProductId, store) !== null

export const toObservationRow = (
  tx: Tx,
  purchaseId: string,
  payload: Observation,
  { kind, ref }: EventCause,
): ObservationRow => ({
  purchaseId,
  kind: payload.kind,
  id: payload.id,
  eventAt: payload.eventAt,
  payload,
  cause: { kind, ref },
  recordedAt: tx.clock.now(),
})
