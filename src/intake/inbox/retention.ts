import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { deleteOldStoreEvents } from './queries'
import type { StoreEventStatus } from './tables'

/** How long the inbox keeps a notification (wire 6). */
const KEPT_MS = 90 * DAY
const BATCH = 500

/** A failed one goes as well: by then the reconciler has asked the store what it was about. */
const STATUSES: readonly StoreEventStatus[] = ['RECEIVED', 'PROCESSED', 'IGNORED', 'FAILED', 'PROCESSING']

/** Deletes what the inbox has kept for 90 days, but for what is being processed; returns how many. */
export async function pruneStoreEvents(ctx: Context, isStopping = () => false): Promise<number> {
  let deleted = 0
  for (const status of STATUSES) {
    for (let found = BATCH; found === BATCH && !isStopping(); deleted += found) {
      const now = ctx.clock.now()
      found = await ctx.write((tx) => deleteOldStoreEvents(tx, status, { before: now - KEPT_MS, now, limit: BATCH }))
    }
  }
  return deleted
}
