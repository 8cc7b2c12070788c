import { inArray } from 'drizzle-orm'
import type { Handle } from '../../../base/db/handle'
import { readHistory, standingMarkers, type TransactionRecord } from '../../../people/purchases/history'
import type { ProjectState } from '../../../projects/project/state'
import type { Observation } from '../../../stores/observation'
import { jsonCell } from './json-cell'
import { type FoundPurchase, nextPurchases } from './purchase-rows'
import type { TableReader } from './reader'
import { countPurchases } from './transactions'
import { type ChargeLine, toVendorRow, VENDOR_COLUMNS } from './vendor-row'

const PAGE = 100

/**
 * The transactions of all purchases that changed in the window in the column set of that vendor's export, version 5:
 * one row for each period, oldest first, with its refunds in it.
 */
export const vendorTransactionReader: TableReader = {
  columns: VENDOR_COLUMNS,

  async page(handle, scope, after) {
    const { purchases, next, seen } = await nextPurchases(handle, scope, after, PAGE)
    const ids = purchases.map(({ id }) => id)
    const histories = await listHistories(handle, ids)
    const lines = await listLines(handle, ids)
    const rows = purchases.flatMap((purchase) =>
      rowsOf(scope.project, purchase, histories.get(purchase.id) ?? [], lines.get(purchase.id) ?? []),
    )
    return { rows, next, seen }
  },

  count: countPurchases,
}

async function listHistories(
  { db, tables: { observations: o } }: Handle,
  purchaseIds: readonly string[],
): Promise<Map<string, TransactionRecord[]>> {
  if (purchaseIds.length === 0) return new Map()
  const found = db.select({ purchaseId: o.purchaseId, payload: jsonCell(o.payload) }).from(o)
  const rows = await found.where(inArray(o.purchaseId, [...purchaseIds]))
  const grouped = Map.groupBy(rows, ({ purchaseId }) => purchaseId)
  const readable = (payload: Observation | null) => (payload === null ? [] : [payload])
  return new Map(
    [...grouped].map(([id, own]) => [id, readHistory(own.flatMap(({ payload }) => readable(payload))).transactions]),
  )
}

async function listLines(
  { db, tables: { transactions: t } }: Handle,
  purchaseIds: readonly string[],
): Promise<Map<string, ChargeLine[]>> {
  if (purchaseIds.length === 0) return new Map()
  const columns = { purchaseId: t.purchaseId, storeTransactionId: t.storeTransactionId, kind: t.kind }
  const found = db.select({ ...columns, amountMicros: t.amountMicros, usdMicros: t.usdMicros }).from(t)
  return Map.groupBy(await found.where(inArray(t.purchaseId, [...purchaseIds])), ({ purchaseId }) => purchaseId)
}

const rowsOf = (
  project: ProjectState,
  purchase: FoundPurchase,
  records: readonly TransactionRecord[],
  lines: readonly ChargeLine[],
) =>
  records.map((record, index) =>
    toVendorRow(project, purchase, {
      record,
      number: index + 1,
      isCurrent: index === records.length - 1,
      followsTrial: records[index - 1]?.part.isTrial === true,
      standing: standingMarkers(record.part, record.markers),
      lines: lines.filter(({ storeTransactionId }) => storeTransactionId === record.part.transactionId),
    }),
  )
