import { and, asc, gt, inArray } from 'drizzle-orm'
import { allRows } from '../../base/db/page'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { OnExport } from '../../people/subscribers/hooks'
import type { DeliveryRow } from './queries'

/**
 * For the data export of a person: when what was sent where. What was sent is the event, which is in `events.jsonl`; the
 * addresses and the answers of receivers are the operator's.
 */
export const exportDeliveries: OnExport = ({ db, tables: { deliveries: d } }, _project, { ids }) => ({
  'deliveries.jsonl': (async function* () {
    const read = (after: DeliveryRow | null, limit: number) =>
      db
        .select()
        .from(d)
        .where(and(inArray(d.subscriberId, [...ids]), after === null ? undefined : gt(d.position, after.position)))
        .orderBy(asc(d.position))
        .limit(limit)
    for await (const row of allRows(read))
      yield {
        ...{ id: row.id, sentTo: row.kind, targetId: row.targetId, eventId: row.eventId, type: row.type },
        ...{ status: row.status, attempts: row.attempts },
        ...{ createdAt: toIso(row.createdAt), endedAt: toIsoOrNull(row.endedAt) },
      }
  })(),
})
