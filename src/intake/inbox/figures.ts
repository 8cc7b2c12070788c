import { inArray, min } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { SECOND } from '../../base/lib/clock'
import type { Period, PlatformFigures } from '../../operators/platform/figures'

/** The age of the oldest notification that waits or is being processed; 0 when there is none. */
export async function storeEventLag({ db, tables }: Handle, _period: Period, now: number): Promise<PlatformFigures> {
  const { storeEvents: e } = tables
  const waiting = db
    .select({ at: min(e.receivedAt) })
    .from(e)
    .where(inArray(e.status, ['RECEIVED', 'PROCESSING']))
  const oldest = (await waiting)[0]?.at ?? null
  return { storeEventLagSeconds: oldest === null ? 0 : Math.max(0, now - Number(oldest)) / SECOND }
}
