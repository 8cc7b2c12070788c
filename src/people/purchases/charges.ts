import type { Handle } from '../../base/db/handle'
import { isCharge, isGivenBack, isReturn } from './lines'
import { findPurchaseById, findTransaction, listTransactions, type PurchaseRow, type TransactionRow } from './queries'

export type { TransactionRow }

/** A charge of a purchase, with its refunds. */
export interface Charge {
  purchase: PurchaseRow
  storeTransactionId: string
  /** The money line of the charge; null when it belongs to another purchase, or when nothing was paid (a family share). */
  line: TransactionRow | null
  /** The newest line that refunded some of it. */
  returned: TransactionRow | null
  /** Whether it pays for the current period. */
  isCurrent: boolean
  isGivenBack: boolean
}

/** Names a charge: by the purchase whose current charge it is, or by any money line of the charge. */
export type ChargeReference = { purchaseId: string } | { transactionId: string }

/** The charge that the reference names; null when the project has none. */
export async function findCharge(
  handle: Handle,
  projectId: string,
  reference: ChargeReference,
): Promise<Charge | null> {
  const named = 'transactionId' in reference ? await findTransaction(handle, projectId, reference.transactionId) : null
  const purchaseId = 'purchaseId' in reference ? reference.purchaseId : named?.purchaseId
  const purchase = purchaseId === undefined ? null : await findPurchaseById(handle, projectId, purchaseId)
  return purchase && chargeOf(handle, purchase, named?.storeTransactionId ?? purchase.fold.storeTransactionId)
}

/** A charge of a purchase in its present state. */
export async function chargeOf(handle: Handle, purchase: PurchaseRow, storeTransactionId: string): Promise<Charge> {
  const rows = (await listTransactions(handle, purchase.id)).filter(
    (row) => row.storeTransactionId === storeTransactionId,
  )
  const returns = rows.filter(isReturn).sort((a, b) => a.occurredAt - b.occurredAt)
  return {
    purchase,
    storeTransactionId,
    line: rows.find(isCharge) ?? null,
    returned: returns.at(-1) ?? null,
    isCurrent: storeTransactionId === purchase.fold.storeTransactionId,
    isGivenBack: isGivenBack(storeTransactionId, rows.map(toLine)),
  }
}

const toLine = ({ storeTransactionId, kind, amountMicros, currency }: TransactionRow) => ({
  storeTransactionId,
  kind,
  price: amountMicros === null || currency === null ? null : { amountMicros, currency },
})
