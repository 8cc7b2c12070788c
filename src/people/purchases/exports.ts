import type { Context } from '../../base/context'
import type { CsvCell } from '../../base/http/csv'
import type { Position } from '../../base/http/list'
import type { ScannedPage } from '../../base/http/scan'
import { type Actor, recordAudit } from '../../projects/audit/audit'
import type { ProjectState } from '../../projects/project/state'
import { toTransactionItem } from './operator-wire'
import type { PurchaseRow, TransactionRow } from './queries'
import { statusAt } from './status'
import { toPurchaseView } from './wire'

/** How many rows are read at once. Between two pages nothing of the table is in memory. */
export const EXPORT_PAGE = 500

/** All pages of a list, one after the other, as they are taken. */
export async function* allPages<Row>(
  read: (after: Position | null) => Promise<ScannedPage<Row>>,
): AsyncGenerator<readonly Row[]> {
  for (let after: Position | null = null; ; ) {
    const { rows, next } = await read(after)
    yield rows
    if (next === null) return
    after = next
  }
}

/** An export takes data of many people out of the deployment, so the audit log names who took it and with what filters. */
export const auditExport = (
  ctx: Context,
  { id: projectId }: ProjectState,
  actor: Actor,
  table: 'subscriptions' | 'transactions',
  filters: object,
): Promise<void> =>
  ctx.write((tx) => {
    const target = { type: 'export', id: table }
    return recordAudit(tx, projectId, actor, [{ action: `${table}.export`, target, before: null, after: { filters } }])
  })

export const SUBSCRIPTION_COLUMNS = [
  'id',
  'subscriberId',
  'store',
  'environment',
  'productIdentifier',
  'storeProductId',
  'originalTransactionId',
  'storeTransactionId',
  'status',
  'isTrial',
  'offerId',
  'quantity',
  'purchaseDate',
  'originalPurchaseDate',
  'expiresAt',
  'effectiveEnd',
  'autoRenews',
  'cancelledAt',
  'refundedAt',
] as const

export function subscriptionCells(project: ProjectState, row: PurchaseRow, now: number): CsvCell[] {
  const view = toPurchaseView(project, row, statusAt(row.fold, now))
  const { price } = view
  const own = SUBSCRIPTION_COLUMNS.map((column) => view[column])
  return [...own, price?.amountMicros ?? null, price?.currency ?? null]
}

export const TRANSACTION_COLUMNS = [
  'id',
  'purchaseId',
  'subscriberId',
  'kind',
  'store',
  'environment',
  'productId',
  'storeTransactionId',
  'occurredAt',
  'usdMicros',
] as const

export function transactionCells(row: TransactionRow): CsvCell[] {
  const view = toTransactionItem(row)
  const { price } = view
  const own = TRANSACTION_COLUMNS.map((column) => view[column])
  return [...own, price?.amountMicros ?? null, price?.currency ?? null]
}

export const PRICE_COLUMNS = ['amountMicros', 'currency'] as const
