import type { Context } from '../../base/context'
import type { Position } from '../../base/http/list'
import { type RowSource, type ScannedPage, scanRows } from '../../base/http/scan'
import { SECOND } from '../../base/lib/clock'
import { idBound } from '../../base/lib/ids'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import { listByStatuses } from './list-queries'
import type { PurchaseStatus } from './model'
import { isOfKind, type Window } from './operator-wire'
import type { PurchaseRow } from './queries'
import { STATUSES, statusAt } from './status'

/** Which subscriptions a list has. The window is about when they were first recorded. */
export interface SubscriptionFilter extends Window {
  /** Empty = every status. */
  statuses: readonly PurchaseStatus[]
  store?: Store | undefined
  productId?: string | undefined
  environment?: PurchaseEnvironment | undefined
}

/** How many purchases one request reads at most to find those that pass the filters. */
const MOST_READ = 1000

/**
 * A page of a project's subscriptions, newest first. It goes by the saved status and then applies the clock, so one
 * whose time has changed its status is missing until the sweep has saved that, and never shown with a wrong status.
 */
export const listSubscriptions = (
  ctx: Context,
  projectId: string,
  filter: SubscriptionFilter,
  page: { after: Position | null; limit: number },
): Promise<ScannedPage<PurchaseRow>> => {
  const keep = async (rows: readonly PurchaseRow[]) => rows.filter((row) => isListed(row, filter, ctx.clock.now()))
  return scanRows(purchaseSource(ctx, projectId, filter), { ...page, most: MOST_READ, keep })
}

/** An id is created within this time of the instant that its row names. */
const MOST_APART = 10 * SECOND

/** Ids sort by the time of their creation, so the window is a range of the index. */
export const purchaseSource = (
  ctx: Context,
  projectId: string,
  { statuses, from, to }: SubscriptionFilter,
): RowSource<PurchaseRow> => ({
  positionOf: ({ id }) => [id],
  read: (after, limit) => {
    const named = statuses.length === 0 ? STATUSES : statuses
    const end = to === null ? null : idBound('pur', to + MOST_APART)
    const start = from === null ? null : idBound('pur', Math.max(0, from - MOST_APART))
    return listByStatuses(ctx, projectId, named, { before: after === null ? end : String(after[0]), start }, limit)
  },
})

export function isListed(row: PurchaseRow, filter: SubscriptionFilter, now: number): boolean {
  const { statuses, from, to } = filter
  const { status, productType } = statusAt(row.fold, now)
  if (productType !== 'SUBSCRIPTION' || !isOfKind(filter, row)) return false
  if (statuses.length > 0 && !statuses.includes(status)) return false
  return (from === null || row.createdAt >= from) && (to === null || row.createdAt < to)
}
