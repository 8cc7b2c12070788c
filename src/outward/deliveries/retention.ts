import { asc, isNotNull } from 'drizzle-orm'
import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { DAY } from '../../base/lib/clock'
import type { RetentionRule } from '../../base/retention/rule'
import { deleteDeliveries, deleteHours, listOldest, listOpenPositions } from './queries'
import { findCursor } from './target-queries'

/** Ended deliveries are kept this long after they were made. */
const KEPT_MS = 30 * DAY
/** The counts of attempts are kept as long as a chart can reach back. */
const HOURS_KEPT_MS = 1100 * DAY
const PAGE = 500

/** Events with an open delivery, and those that have not been turned into deliveries yet (wire 5.9). */
export async function deliverable(handle: Handle, projectId: string, positions: readonly number[]): Promise<number[]> {
  const cursor = await findCursor(handle, projectId)
  const isNew = (position: number) => cursor !== null && position > cursor
  return [...(await listOpenPositions(handle, projectId, positions)), ...positions.filter(isNew)]
}

/** Deletes the deliveries that ended and are old; returns how many. Positions have the order of creation. */
export async function pruneDeliveries(ctx: Context, isStopping = () => false): Promise<number> {
  const before = ctx.clock.now() - KEPT_MS
  let deleted = 0
  for (let after = 0; !isStopping(); ) {
    const page = await listOldest(ctx, after, PAGE)
    const old = page.filter(({ createdAt }) => createdAt < before)
    if (old.length === 0) break
    const positions = old.flatMap(({ position, endedAt }) => (endedAt === null ? [] : position))
    if (positions.length > 0) await ctx.write((tx) => deleteDeliveries(tx, positions))
    deleted += positions.length
    after = page.at(-1)?.position ?? after
  }
  await ctx.write((tx) => deleteHours(tx, ctx.clock.now() - HOURS_KEPT_MS))
  return deleted
}

export const deliveryRetention: RetentionRule = {
  name: 'deliveries that have ended',
  tables: ['deliveries', 'deliveryHours'],
  keptMs: KEPT_MS,
  sweep: pruneDeliveries,
  async oldest({ db, tables: { deliveries: d } }) {
    const [first] = await db
      .select({ at: d.createdAt })
      .from(d)
      .where(isNotNull(d.endedAt))
      .orderBy(asc(d.position))
      .limit(1)
    return first ? [{ at: first.at, keptMs: KEPT_MS }] : []
  },
}
