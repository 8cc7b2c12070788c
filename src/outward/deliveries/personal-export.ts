import { and, asc, eq, gt } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { allRows } from '../../base/db/page'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { OnExport } from '../../people/subscribers/hooks'
import type { DeliveryRow } from './queries'

/**
 * For the data export of a person: when what was sent where. What was sent is the event, which is in `events.jsonl`; the
 * addresses and the answers of receivers are the operator's.
 */
export const exportDeliveries: OnExport = (handle, _project, { ids }) => ({
  'deliveries.jsonl': (async function* () {
    for (const id of ids)
      for await (const row of allRows(deliveriesOf(handle, id)))
        yield {
          ...{ id: row.id, sentTo: row.kind, targetId: row.targetId, eventId: row.eventId, type: row.type },
          ...{ status: row.status, attempts: row.attempts },
          ...{ createdAt: toIso(row.createdAt), endedAt: toIsoOrNull(row.endedAt) },
        }
  })(),
})

const deliveriesOf =
  ({ db, tables: { deliveries: d } }: Handle, subscriberId: string) =>
  (after: DeliveryRow | null, limit: number): Promise<DeliveryRow[]> =>
    db
      .select()
      .from(d)
      .where(and(eq(d.subscriberId, subscriberId), after === null ? undefined : gt(d.position, after.position)))
      .orderBy(asc(d.position))
      .limit(limit)
