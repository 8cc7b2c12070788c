import { inArray } from 'drizzle-orm'
import type { OnErase } from '../subscribers/hooks'
import { causeOf } from './model'

const PAGE = 500

/** At an erasure: of the events of a person stay type, time and number (wire 5.17). */
export const eraseEvents: OnErase = async (tx, _project, _subscriber, { ids }) => {
  const { events: e } = tx.tables
  const rows = await tx.db
    .select({ position: e.position, cause: e.cause })
    .from(e)
    .where(inArray(e.subscriberId, [...ids]))
  for (const [kind, some] of Map.groupBy(rows, ({ cause }) => cause.kind))
    for (let at = 0; at < some.length; at += PAGE) {
      const positions = some.slice(at, at + PAGE).map(({ position }) => position)
      const reduced = { appUserId: null, cause: causeOf(kind, null), before: null, after: null, data: {} }
      await tx.db.update(e).set(reduced).where(inArray(e.position, positions))
    }
  return { events: { reduced: rows.length } }
}
