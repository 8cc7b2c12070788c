import { inArray } from 'drizzle-orm'
import type { OnErase } from '../../people/subscribers/hooks'

const PAGE = 500

/** At an erasure: deletes notifications about a person's purchases that are still to be forwarded. */
export const eraseForwards: OnErase = async (tx, _project, _subscriber, { storeEventIds }) => {
  const { forwardBodies: b } = tx.tables
  let count = 0
  for (let at = 0; at < storeEventIds.length; at += PAGE) {
    const isNamed = inArray(b.storeEventId, storeEventIds.slice(at, at + PAGE))
    count += (await tx.db.delete(b).where(isNamed).returning({ id: b.storeEventId })).length
  }
  return { forward_bodies: { removed: count } }
}
