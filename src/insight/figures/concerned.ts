import type { Context } from '../../base/context'
import { monotonicMs } from '../../base/lib/clock'
import { listRecordedAfter, type PurchaseRow } from '../../people/purchases/records'
import { NOBODY } from '../../people/purchases/unlisted-sales'
import { listEntryNames } from './queries'
import type { CountedName } from './settings'

/** Purchases that are looked at together. No request is answered meanwhile. */
const PAGE = 200
/** After so many pages without one to compute again, it is saved how far the search is. */
const MAX_PAGES = 20

/** The next purchases and unlisted sales whose entries are to be computed again. */
export interface Concerned {
  rows: PurchaseRow[]
  /** The id up to which all were looked at; null = the project has no more. */
  until: string | null
}

/**
 * Finds purchases with entries about a product that has changed. `limit`: the most that are returned. A server has time
 * for its callers after each page.
 */
export async function findConcerned(
  ctx: Context,
  projectId: string,
  after: string,
  limit: number,
  isChanged: (name: CountedName) => boolean,
): Promise<Concerned> {
  let until = after
  for (let page = 0; page < MAX_PAGES; page++) {
    const beganMs = monotonicMs()
    const rows = await listRecordedAfter(ctx, projectId, until, PAGE)
    const last = rows.at(-1)
    if (!last) return { rows: [], until: null }
    const found = await pickConcerned(ctx, rows, isChanged)
    if (found.length > limit) return { rows: found.slice(0, limit), until: found[limit - 1]?.id ?? null }
    if (found.length > 0) return { rows: found, until: last.id }
    until = last.id
    if (rows.length === PAGE) await ctx.state.longTurns.rest(monotonicMs() - beganMs, { group: projectId })
  }
  return { rows: [], until }
}

async function pickConcerned(
  ctx: Context,
  rows: readonly PurchaseRow[],
  isChanged: (name: CountedName) => boolean,
): Promise<PurchaseRow[]> {
  const named = await listEntryNames(
    ctx,
    rows.map(({ id }) => id),
  )
  return rows.filter((row) => {
    const { store, storeProductId } = row
    const names = new Set(named.get(row.id))
    if (storeProductId !== null) names.add(storeProductId)
    // The link with its product computes its entries, and names their product too.
    if (storeProductId !== null && isWaiting(row)) names.delete(storeProductId)
    return [...names].some((name) => isChanged({ store, storeProductId: name }))
  })
}

/** Whether it is linked as soon as the catalogue has its product. An unlisted sale whose buyer was erased never is. */
const isWaiting = ({ productId, accessIds, subscriberId }: PurchaseRow): boolean =>
  productId === null && accessIds === null && subscriberId !== NOBODY
