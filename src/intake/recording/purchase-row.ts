import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import type { Linking } from '../../people/purchases/line-rows'
import type { PurchaseFold, PurchaseState } from '../../people/purchases/model'
import type { ObservationRow, PurchaseRow } from '../../people/purchases/queries'
import { effectiveEnd, nextStatusChangeAt, statusAt, withStatus } from '../../people/purchases/status'
import { findStoreProduct, productIdOf } from '../../people/purchases/store-product'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { accountTokenOf } from '../../stores/account-token'
import type { Observation } from '../../stores/observation'
import type { PurchaseReport } from './model'
import { recheckAt } from './recheck-at'

/** The state that the events published last: the saved fold with the saved status. */
export const stateOf = ({ fold, status }: PurchaseRow): PurchaseState => withStatus(fold, status)

/**
 * The row of a purchase after its observations. Values that the report does not contain are kept from the old row.
 * `linking`: whether a row without a product gets the one that the catalogue has for it now.
 */
export function toPurchaseRow(
  tx: Tx,
  project: ProjectState,
  owner: Pick<SubscriberRow, 'id'>,
  report: PurchaseReport,
  held: PurchaseRow | null,
  fold: PurchaseFold,
  linking: Linking = 'KEEPS',
): PurchaseRow {
  const now = tx.clock.now()
  const isKept = linking === 'KEEPS' && held !== null && held.fold.storeProductId === fold.storeProductId
  return {
    id: held?.id ?? newPurchaseId(tx, report),
    projectId: project.id,
    subscriberId: owner.id,
    store: report.store,
    environment: report.environment,
    chainKey: report.chainKey,
    ...lineKeysOf(report, held),
    productId: isKept ? held.productId : productIdOf(project, report.store, fold, held),
    storeProductId: fold.storeProductId,
    originalTransactionId: report.originalTransactionId,
    accessIds: held?.accessIds ?? (report.accessIds ? [...report.accessIds] : null),
    accountToken: report.accountToken ?? accountTokenOf(held?.accountToken),
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

export type LineKeys = Pick<PurchaseRow, 'lineKey' | 'formerLineKeys' | 'chargeScope'>

/** A line that takes another key keeps the one that it had: reports about that item are about this line. */
export function lineKeysOf({ lineKey: reported }: Pick<PurchaseReport, 'lineKey'>, held: LineKeys | null): LineKeys {
  if (!held) return { lineKey: reported ?? '', formerLineKeys: null, chargeScope: reported ?? '' }
  const { lineKey, formerLineKeys, chargeScope } = held
  if (reported === undefined || reported === lineKey) return { lineKey, formerLineKeys, chargeScope }
  const former = [...(formerLineKeys ?? []), lineKey].filter((key) => key !== '' && key !== reported)
  return { lineKey: reported, formerLineKeys: former.length === 0 ? null : former, chargeScope }
}

/** A manual grant has no id of a store, so its purchase id is its chain key (wire 4.2). */
const newPurchaseId = (tx: Tx, { store, chainKey }: PurchaseReport): string =>
  store === 'MANUAL' ? chainKey : tx.ids.next('pur')

/** The columns that differ. SQLite rewrites the index of every column in an UPDATE, even when its value is the same. */
export const changedColumns = (held: PurchaseRow, row: PurchaseRow): Partial<PurchaseRow> =>
  Object.fromEntries(Object.entries(row).filter(([column, value]) => held[column as keyof PurchaseRow] !== value))

/** Whether a stored purchase had no product and has one now. */
export const isLinkedRow = (held: PurchaseRow | null, row: PurchaseRow): boolean =>
  held?.productId === null && row.productId !== null

/** Whether the product was added to the catalogue after the purchase was recorded, so that it gives access now. */
export const gainsProduct = ({ catalog }: ProjectState, { productId, accessIds, fold, store }: PurchaseRow): boolean =>
  productId === null && accessIds === null && findStoreProduct(catalog, fold.storeProductId, store) !== null

export const toObservationRow = (
  tx: Tx,
  purchaseId: string,
  payload: Observation,
  cause: Pick<EventCause, 'kind' | 'ref'>,
): ObservationRow => ({
  purchaseId,
  kind: payload.kind,
  id: payload.id,
  eventAt: payload.eventAt,
  payload,
  cause,
  recordedAt: tx.clock.now(),
})
