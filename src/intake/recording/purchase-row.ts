import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import type { PurchaseFold, PurchaseState } from '../../people/purchases/model'
import type { ObservationRow, PurchaseRow } from '../../people/purchases/queries'
import { effectiveEnd, nextStatusChangeAt, statusAt, withStatus } from '../../people/purchases/status'
import { findStoreProduct, productIdOf } from '../../people/purchases/store-product'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { Observation } from '../../stores/observation'
import type { PurchaseReport } from './model'
import { recheckAt } from './recheck-at'

/** The state as events last told it: the fold saved, with the status saved beside it. */
export const stateOf = ({ fold, status }: PurchaseRow): PurchaseState => withStatus(fold, status)

/** The row of a purchase as its observations leave it; what no report tells is kept from the row before. */
export function toPurchaseRow(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  report: PurchaseReport,
  held: PurchaseRow | null,
  fold: PurchaseFold,
): PurchaseRow {
  const now = tx.clock.now()
  return {
    id: held?.id ?? newPurchaseId(tx, report),
    projectId: project.id,
    subscriberId: owner.id,
    store: report.store,
    environment: report.environment,
    chainKey: report.chainKey,
    productId: productIdOf(project, report.store, fold, held),
    originalTransactionId: report.originalTransactionId,
    accessIds: held?.accessIds ?? (report.accessIds ? [...report.accessIds] : null),
    accountToken: report.accountToken ?? held?.accountToken ?? null,
    status: statusAt(fold, now).status,
    fold,
    effectiveEnd: effectiveEnd(fold),
    sweepAt: nextStatusChangeAt(fold, now),
    recheckAt: report.store === 'MANUAL' ? null : recheckAt(fold, Math.min(fold.storeEventAt, now)),
    presentedContext: report.presentedContext ?? held?.presentedContext ?? null,
    createdAt: held?.createdAt ?? now,
    updatedAt: now,
  }
}

/** No store names a grant, so it is its own chain (wire 4.2). */
const newPurchaseId = (tx: Tx, { store, chainKey }: PurchaseReport): string =>
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
