import { and, inArray, min, ne } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { SECOND } from '../../base/lib/clock'
import type { Period, PlatformFigures } from '../../operators/platform/figures'
import type { OnErase } from '../../people/subscribers/hooks'

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

const PAGE = 500

/** At an erasure: of the notifications about a person's purchases stays that they came, and when. */
export const eraseNotifications: OnErase = async (tx, _project, _subscriber, { storeEventIds }) => {
  const { storeEvents: e } = tx.tables
  let count = 0
  for (let at = 0; at < storeEventIds.length; at += PAGE) {
    const isNamed = and(inArray(e.id, storeEventIds.slice(at, at + PAGE)), ne(e.body, ''))
    const reduced = await tx.db.update(e).set({ body: '', error: null }).where(isNamed).returning({ id: e.id })
    count += reduced.length
  }
  return { store_events: { reduced: count } }
}
