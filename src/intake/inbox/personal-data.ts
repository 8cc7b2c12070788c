import { and, inArray, ne } from 'drizzle-orm'
import type { OnErase } from '../../people/subscribers/hooks'

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
