import type { Context } from '../../base/context'
import type { CsvCell } from '../../base/http/csv'
import type { Position } from '../../base/http/list'
import type { ScannedPage } from '../../base/http/scan'
import { unitsOf } from '../../core/money/money'
import { type Actor, recordAudit } from '../../projects/audit/audit'
import { dayOf } from '../../projects/exchange-rates/day'
import type { RateTable } from '../../projects/exchange-rates/rate-table'
import type { PersonRef } from '../../projects/project/refs'
import type { ProjectState } from '../../projects/project/state'
import { toListedPurchase, toListedTransaction } from './listed-wire'
import type { Named } from './person-ref'
import type { PurchaseRow, TransactionRow } from './queries'

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

/** Person, product and amount first; ids and all other columns after them. */
export const NAME_COLUMNS = ['appUserId', 'email', 'product', 'amount', 'currency', 'usd'] as const

interface Money {
  amountMicros: number
  currency: string
}

const nameCells = (
  person: PersonRef | null,
  product: string | null,
  price: Money | null,
  usdMicros: number | null,
): CsvCell[] => [
  person?.appUserId ?? null,
  person?.email ?? null,
  product,
  price && unitsOf(price.amountMicros), // A number, which a spreadsheet adds up.
  price?.currency ?? null,
  usdMicros === null ? null : unitsOf(usdMicros),
]

export const SUBSCRIPTION_COLUMNS = [
  'id',
  'subscriberId',
  'productId',
  'storeProductId',
  'originalTransactionId',
  'storeTransactionId',
  'productIdentifier',
  'store',
  'environment',
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

interface At {
  now: number
  rates: RateTable
}

/** What a subscription costs in dollars is by the newest exchange rate. */
export function subscriptionCells(project: ProjectState, named: Named<PurchaseRow>, { now, rates }: At): CsvCell[] {
  const view = toListedPurchase(project, now)(named)
  const { price } = view
  const usdMicros = price && rates.toUsd(price.amountMicros, price.currency, dayOf(now))
  return [
    ...nameCells(named.person, view.productName || view.storeProductId, price, usdMicros),
    ...SUBSCRIPTION_COLUMNS.map((column) => view[column]),
  ]
}

export const TRANSACTION_COLUMNS = [
  'id',
  'purchaseId',
  'subscriberId',
  'productId',
  'storeProductId',
  'storeTransactionId',
  'productIdentifier',
  'kind',
  'store',
  'environment',
  'occurredAt',
] as const

export function transactionCells(project: ProjectState, named: Named<TransactionRow>): CsvCell[] {
  const view = toListedTransaction(project)(named)
  return [
    ...nameCells(named.person, view.productName || view.storeProductId, view.price, view.usdMicros),
    ...TRANSACTION_COLUMNS.map((column) => view[column]),
  ]
}
