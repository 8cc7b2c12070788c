import type { EventDraft } from '../../people/events/service'
import { findStoreProduct } from '../../people/purchases/store-product'
import { purchaseEvents } from '../../people/purchases/transitions'
import { toPurchaseView, toTransactionView } from '../../people/purchases/wire'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseChange } from './model'
import { stateOf } from './purchase-row'

/**
 * The `purchase.*` events of a change, each with the purchase before and after and the money line it is about. The first
 * one says which charges turned out to be copies of others.
 */
export function purchaseDrafts(
  project: ProjectState,
  { held, row, after, stored, replacedStoreProductId, isEndUntold }: PurchaseChange,
): EventDraft[] {
  const before = held ? stateOf(held) : null
  const adjustments = [...stored.rows.values()].filter(({ kind }) => kind === 'ADJUSTMENT')
  const events = purchaseEvents(before, after, {
    newLines: stored.newLines,
    productIdOf: (storeProductId) => findStoreProduct(project.catalog, storeProductId, row.store)?.id ?? null,
    ...(replacedStoreProductId === undefined ? {} : { replacedStoreProductId }),
    transactionIdOf: (storeTransactionId) => stored.rows.get(`${storeTransactionId}:CHARGE`)?.id ?? null,
    adjustments: new Set(adjustments.map(({ storeTransactionId }) => storeTransactionId)),
  })
  const common = {
    occurredAt: after.storeEventAt,
    environment: row.environment,
    before: { purchase: before && toPurchaseView(project, row, before) },
    after: { purchase: toPurchaseView(project, row, after) },
  }
  const told = isEndUntold ? events.filter(({ type }) => type !== 'purchase.expired') : events
  const joined = { transaction: null, merged: [], linesRemoved: stored.joined }
  const corrections = stored.joined.length > 0 ? [{ ...common, type: 'purchase.corrected' as const, data: joined }] : []
  const drafts = told.map(({ type, data, transactionKey }) => {
    const line = transactionKey === null ? undefined : stored.rows.get(transactionKey)
    return { ...common, type, data: { transaction: line ? toTransactionView(line) : null, ...data } }
  })
  return [...corrections, ...drafts]
}
