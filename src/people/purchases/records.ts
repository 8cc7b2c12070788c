import type { Handle } from '../../base/db/handle'
import type { ProjectState } from '../../projects/project/state'
import type { Observation } from '../../stores/observation'
import type { SavedLine } from './line-rows'
import { revenueKeyOf } from './line-scope'
import { type EarlierPeriod, transactionLines } from './lines'
import { listPurchasesAfter } from './many-queries'
import { findPurchaseById, listRecorded, listTransactions, type PurchaseRow } from './queries'
import { findSale, listSalesAfter, toUnownedPurchase } from './unlisted-sales'

export type { PurchaseRow }

/** Everything that is recorded of a purchase. */
export interface PurchaseRecords {
  purchase: PurchaseRow
  /** The first recorded first. */
  observations: { payload: Observation; recordedAt: number }[]
  /** The saved money lines of some of the observations. */
  linesOf(observations: readonly Observation[]): SavedLine[]
}

/** Null when the project has no such purchase. The caller holds the purchase's lock if it writes by what it reads. */
export async function findRecords(
  handle: Handle,
  { id: projectId }: Pick<ProjectState, 'id'>,
  purchaseId: string,
): Promise<PurchaseRecords | null> {
  const purchase = await findPurchaseById(handle, projectId, purchaseId)
  return purchase && recordsOf(handle, purchase)
}

/** Everything that is recorded of an unlisted sale, as of a purchase; null when the project has no such sale. */
export async function findSaleRecords(
  handle: Handle,
  { id: projectId }: Pick<ProjectState, 'id'>,
  saleId: string,
): Promise<PurchaseRecords | null> {
  const sale = await findSale(handle, projectId, saleId)
  return sale && recordsOf(handle, toUnownedPurchase(sale))
}

async function recordsOf(handle: Handle, purchase: PurchaseRow): Promise<PurchaseRecords> {
  const rows = new Map((await listTransactions(handle, purchase.id)).map((row) => [row.revenueKey, row]))
  return {
    purchase,
    observations: await listRecorded(handle, purchase.id),
    linesOf: (observations) =>
      transactionLines(observations, purchase.fold.productType, replacedPeriod(observations)).flatMap((line) => {
        const row = rows.get(revenueKeyOf(purchase, line))
        return row ? [{ line, row }] : []
      }),
  }
}

/** Purchases and unlisted sales of a project, by id; after the one with the given id. */
export async function listRecordedAfter(
  handle: Handle,
  projectId: string,
  after: string,
  limit: number,
): Promise<PurchaseRow[]> {
  const purchases = await listPurchasesAfter(handle, projectId, after, limit)
  const sales = await listSalesAfter(handle, projectId, after, limit)
  return [...purchases, ...sales.map(toUnownedPurchase)].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit)
}

/** The period of the earlier purchase that this one replaces, from the first observation that contains it. */
export function replacedPeriod(observations: readonly Observation[]): EarlierPeriod | null {
  for (const one of observations) if (one.kind === 'REPORT' && one.replaces) return one.replaces
  return null
}
