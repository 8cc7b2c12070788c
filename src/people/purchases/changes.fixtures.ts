import type { PurchaseStatus } from '../../core/purchase/status'
import type { Observation } from '../../stores/observation'
import { transactionLines } from './lines'
import { day, foldOf, state } from './lives.fixtures'
import type { PurchaseState, TransactionLine } from './model'
import type { PurchaseEvent } from './purchase-event'
import { statusAt } from './status'
import { type ChangeContext, purchaseEvents } from './transitions'

export const context = (
  newLines: readonly TransactionLine[] = [],
  rest: Partial<ChangeContext> = {},
): ChangeContext => ({
  newLines,
  productIdOf: (storeProductId) => (storeProductId === 'gone' ? null : `prd_${storeProductId}`),
  transactionIdOf: (storeTransactionId) => `txn_${storeTransactionId}`,
  ...rest,
})

export const names = (events: readonly PurchaseEvent[]): string[] =>
  events.map(({ type }) => type.replace('purchase.', ''))

export const between = (before: PurchaseState | null, after: PurchaseState, newLines?: readonly TransactionLine[]) =>
  names(purchaseEvents(before, after, context(newLines)))

/** The events when `added` becomes known on day `at`, after the events for `known` were recorded on day `recordedAt`. */
export function learn(known: Observation[], added: Observation[], at: number, recordedAt = at): PurchaseEvent[] {
  const before = known.length === 0 ? null : statusAt(foldOf(known), day(recordedAt))
  const knownKeys = new Set(transactionLines(known, 'SUBSCRIPTION').map(({ key }) => key))
  const all = [...known, ...added]
  const newLines = transactionLines(all, 'SUBSCRIPTION').filter(({ key }) => !knownKeys.has(key))
  return purchaseEvents(before, statusAt(foldOf(all), day(at)), context(newLines))
}

export const inStatus = (status: PurchaseStatus, id = '1'): PurchaseState =>
  state({ status, storeTransactionId: id, isTrial: status === 'TRIAL' })
