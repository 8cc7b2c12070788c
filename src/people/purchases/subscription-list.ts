import type { Context } from '../../base/context'
import type { Position } from '../../base/http/list'
import { type RowSource, type ScannedPage, scanRows } from '../../base/http/scan'
import { SECOND } from '../../base/lib/clock'
import { idBound } from '../../base/lib/ids'
import { canRenew, isPaidFor, type PurchaseStatus, STATUSES } from '../../core/purchase/status'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import { listHeads, type PurchaseHead } from './list-queries'
import { isOfKind, type Window } from './operator-wire'
import { listByIds, type PurchaseRow } from './queries'
import { statusAt } from './status'

/** Which subscriptions a list has. The window is about when they were first recorded. */
export interface SubscriptionFilter extends Window {
  /** Empty = every status. */
  statuses: readonly PurchaseStatus[]
  store?: Store | undefined
  productId?: string | undefined
  environment?: PurchaseEnvironment | undefined
  /** Only those that will renew, and when; null = the others too. */
  renews: Window | null
  /** Only paid subscriptions: no trial, no grant. */
  isPaid?: boolean
}

/** How many purchases one request reads at most to find those that pass the filters. */
const MOST_READ = 1000

/** A purchase of the list; its row is read when its head passes the filters. */
interface Candidate {
  head: PurchaseHead
  row: PurchaseRow | null
}

/**
 * A page of a project's subscriptions, newest first. It goes by the saved status and then applies the clock, so one
 * whose time has changed its status is missing until the sweep has saved that, and never shown with a wrong status.
 */
export async function listSubscriptions(
  ctx: Context,
  projectId: string,
  filter: SubscriptionFilter,
  page: { after: Position | null; limit: number },
): Promise<ScannedPage<PurchaseRow>> {
  const keep = (candidates: readonly Candidate[]) => keepListed(ctx, projectId, filter, candidates)
  const { rows, next } = await scanRows(sourceOf(ctx, projectId, filter), { ...page, most: MOST_READ, keep })
  return { rows: rows.flatMap(({ row }) => row ?? []), next }
}

/** An id is created within this time of the instant that its row names. */
const MOST_APART = 10 * SECOND

/** Ids sort by the time of their creation, so the window is a range of the index. */
const sourceOf = (
  ctx: Context,
  projectId: string,
  { statuses, from, to, renews }: SubscriptionFilter,
): RowSource<Candidate> => ({
  positionOf: ({ head }) => [head.id],
  async read(after, limit) {
    const named = statuses.length === 0 ? STATUSES : statuses
    const end = to === null ? null : idBound('pur', to + MOST_APART)
    const start = from === null ? null : idBound('pur', Math.max(0, from - MOST_APART))
    const range = { before: after === null ? end : String(after[0]), start }
    const scope = { projectId, statuses: renews === null ? named : named.filter(canRenew), endsIn: renews }
    // Of those that end in a window the database reads all that run.
    const heads = await (renews === null
      ? listHeads(ctx, scope, range, limit)
      : ctx.storage.readInThread((handle) => listHeads(handle, scope, range, limit), { group: projectId }))
    return heads.map((head) => ({ head, row: null }))
  },
})

async function keepListed(
  ctx: Context,
  projectId: string,
  filter: SubscriptionFilter,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  const passing = candidates.filter(({ head }) => isOfKind(filter, head) && isInWindow(filter, head.createdAt))
  if (passing.length === 0) return []
  const ids = passing.map(({ head }) => head.id)
  const rows = new Map((await listByIds(ctx, projectId, ids)).map((row) => [row.id, row]))
  const now = ctx.clock.now()
  return passing.flatMap(({ head }) => {
    const row = rows.get(head.id)
    return row && isListed(row, filter, now) ? [{ head, row }] : []
  })
}

const isInWindow = ({ from, to }: Window, at: number): boolean =>
  (from === null || at >= from) && (to === null || at < to)

function isListed({ fold, store }: PurchaseRow, filter: SubscriptionFilter, now: number): boolean {
  const { statuses, renews, isPaid = false } = filter
  const { status, productType, autoRenews, isTrial } = statusAt(fold, now)
  if (productType !== 'SUBSCRIPTION') return false
  if (isPaid && (isTrial || store === 'MANUAL' || !isPaidFor(status))) return false
  // A grant ends; it does not renew.
  if (renews !== null && store === 'MANUAL') return false
  return (statuses.length === 0 || statuses.includes(status)) && (renews === null || (autoRenews && canRenew(status)))
}
