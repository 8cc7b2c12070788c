import type { Context } from '../../base/context'
import type { Position } from '../../base/http/list'
import type { ScannedPage } from '../../base/http/scan'
import type { PurchaseStatus } from '../../core/purchase/status'
import { statusAt } from '../../people/purchases/status'
import type { Awaited } from '../../people/purchases/waiting-queries'
import { listWaitingBefore, listWaitingRows, type WaitingRow } from '../../people/purchases/waiting-sums'
import { listByManyIds } from '../../people/subscribers/many-queries'
import type { ProjectState } from '../../projects/project/state'
import type { ProductType, PurchaseEnvironment } from '../../stores/observation'

export interface WaitingPurchase {
  id: string
  subscriberId: string | null
  appUserId: string | null
  environment: PurchaseEnvironment
  status: PurchaseStatus
  type: ProductType
  productId: string | null
  purchaseDate: number
  recordedAt: number
}

/** A page of the purchases and the unlisted sales that wait for a store product, the newest first. */
export async function listWaitingPurchases(
  ctx: Context,
  project: ProjectState,
  awaited: Awaited,
  { after, limit }: { after: Position | null; limit: number },
): Promise<ScannedPage<WaitingPurchase>> {
  const before = after === null ? null : String(after[0])
  const ids = await listWaitingBefore(ctx, project.id, awaited, before, limit + 1)
  const page = ids.slice(0, limit)
  const rows = await listWaitingRows(ctx, project.id, page)
  const owners = await listByManyIds(ctx, [...new Set(rows.flatMap((one) => (one.isSale ? [] : one.row.subscriberId)))])
  const labelOf = new Map(owners.map(({ id, appUserId }) => [id, appUserId]))
  const now = ctx.clock.now()
  const last = page.at(-1)
  return {
    rows: rows.map((one) => toWaitingPurchase(one, labelOf, now)),
    next: ids.length > limit && last !== undefined ? [last] : null,
  }
}

const toWaitingPurchase = (
  { row, isSale }: WaitingRow,
  labelOf: ReadonlyMap<string, string | null>,
  now: number,
): WaitingPurchase => ({
  id: row.id,
  subscriberId: isSale ? null : row.subscriberId,
  appUserId: labelOf.get(row.subscriberId) ?? null,
  environment: row.environment,
  status: statusAt(row.fold, now).status,
  type: row.fold.productType,
  productId: row.productId,
  purchaseDate: row.fold.purchaseDate,
  recordedAt: row.createdAt,
})
