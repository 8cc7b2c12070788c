import { and, asc, count, eq, gte, inArray, lt } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import type { ExportedTransactionColumn } from '../../../people/purchases/columns'
import { NOBODY } from '../../../people/purchases/unlisted-sales'
import type { Column } from '../model'
import { type ReadScope, rowWriter, type TableReader } from './reader'
import { nextRecordedIds } from './steps'

const COLUMNS = [
  { name: 'id', type: 'text' },
  { name: 'purchase_id', type: 'text' },
  { name: 'subscriber_id', type: 'text' },
  { name: 'kind', type: 'text' },
  { name: 'store', type: 'text' },
  { name: 'is_sandbox', type: 'boolean' },
  { name: 'product_id', type: 'text' },
  { name: 'product_identifier', type: 'text' },
  { name: 'store_transaction_id', type: 'text' },
  { name: 'amount_micros', type: 'int64' },
  { name: 'currency', type: 'text' },
  { name: 'usd_micros', type: 'int64' },
  { name: 'quantity', type: 'integer' },
  { name: 'renewal_number', type: 'integer' },
  { name: 'occurred_at', type: 'time' },
  { name: 'created_at', type: 'time' },
] as const satisfies readonly Column[]

const toRow = rowWriter(COLUMNS)
const PAGE_PURCHASES = 250

/**
 * All lines of each purchase and each unlisted sale that changed in the window, because late news can change earlier lines,
 * or remove them. Those of an unlisted sale have no subscriber. In the order of purchases, and of time within each.
 */
export const transactionReader: TableReader = {
  columns: COLUMNS,

  async page(handle, scope, after) {
    const ids = await nextRecordedIds(handle, scope.project.id, after, PAGE_PURCHASES)
    const changed = await changedOf(handle, ids, scope)
    const lines = await listLines(handle, changed, scope)
    const rows = lines.map((line) => toTransactionRow(line, scope))
    return { rows, next: ids.length < PAGE_PURCHASES ? null : (ids.at(-1) ?? null), seen: ids.length }
  },

  count: async (handle, projectId) => (await countPurchases(handle, projectId)) + (await countSales(handle, projectId)),
}

/** The number of a project's purchases. */
export async function countPurchases({ db, tables: { purchases: p } }: Handle, projectId: string): Promise<number> {
  const [row] = await db.select({ rows: count() }).from(p).where(eq(p.projectId, projectId))
  return row?.rows ?? 0
}

async function countSales({ db, tables: { unlistedSales: u } }: Handle, projectId: string): Promise<number> {
  const [row] = await db.select({ rows: count() }).from(u).where(eq(u.projectId, projectId))
  return row?.rows ?? 0
}

async function changedOf(
  { db, tables: { purchases: p, unlistedSales: u } }: Handle,
  ids: readonly string[],
  { window }: ReadScope,
): Promise<readonly string[]> {
  if (window.from === null || ids.length === 0) return ids
  const changed = new Set<string>()
  for (const table of [p, u]) {
    const isChanged = and(inArray(table.id, [...ids]), gte(table.updatedAt, window.from))
    for (const { id } of await db.select({ id: table.id }).from(table).where(isChanged)) changed.add(id)
  }
  return [...changed]
}

type Line = Pick<Handle['tables']['transactions']['$inferSelect'], ExportedTransactionColumn>

async function listLines(
  { db, tables: { transactions: t } }: Handle,
  purchaseIds: readonly string[],
  { window }: ReadScope,
): Promise<Line[]> {
  if (purchaseIds.length === 0) return []
  const isTheirs = and(inArray(t.purchaseId, [...purchaseIds]), lt(t.createdAt, window.to))
  return db.select().from(t).where(isTheirs).orderBy(asc(t.purchaseId), asc(t.occurredAt), asc(t.id))
}

function toTransactionRow(line: Line, { project }: ReadScope) {
  const product = line.productId === null ? undefined : project.catalog.products.get(line.productId)
  return toRow({
    id: line.id,
    purchase_id: line.purchaseId,
    subscriber_id: line.subscriberId === NOBODY ? null : line.subscriberId,
    kind: line.kind,
    store: line.store,
    is_sandbox: line.environment === 'SANDBOX',
    product_id: line.productId,
    product_identifier: product?.identifier ?? null,
    store_transaction_id: line.storeTransactionId,
    amount_micros: line.amountMicros,
    currency: line.currency,
    usd_micros: line.usdMicros,
    quantity: line.quantity,
    renewal_number: line.renewalNumber,
    occurred_at: line.occurredAt,
    created_at: line.createdAt,
  })
}
