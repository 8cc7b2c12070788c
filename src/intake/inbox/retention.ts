import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { oldestOf, type RetentionRule } from '../../base/retention/rule'
import { deleteOldRefusals, deleteOldStoreEvents } from './queries'
import type { StoreEventStatus } from './tables'

/** How long the inbox keeps a notification (wire 6). */
const KEPT_MS = 90 * DAY
const BATCH = 500

/** A failed one is deleted too: by then the reconciler has queried the store about its purchase. */
const STATUSES: readonly StoreEventStatus[] = ['RECEIVED', 'PROCESSED', 'IGNORED', 'FAILED', 'PROCESSING']

/** Deletes notifications older than 90 days that are not being processed; returns how many. */
export async function pruneStoreEvents(ctx: Context, isStopping = () => false): Promise<number> {
  let deleted = 0
  await ctx.write((tx) => deleteOldRefusals(tx, Math.floor(tx.clock.now() / DAY)))
  for (const status of STATUSES) {
    for (let found = BATCH; found === BATCH && !isStopping(); deleted += found) {
      const now = ctx.clock.now()
      found = await ctx.write((tx) => deleteOldStoreEvents(tx, status, { before: now - KEPT_MS, now, limit: BATCH }))
    }
  }
  return deleted
}

export const inboxRetention: RetentionRule = {
  name: 'notifications of the stores',
  tables: ['storeEvents', 'storeRefusals'],
  keptMs: KEPT_MS,
  sweep: pruneStoreEvents,
  oldest: (handle) => oldestOf(handle, handle.tables.storeEvents, handle.tables.storeEvents.receivedAt, KEPT_MS),
}
