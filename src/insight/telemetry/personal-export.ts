import { and, asc, eq, gt } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { allRows } from '../../base/db/page'
import { DAY } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import type { ExportedPerson, OnExport } from '../../people/subscribers/hooks'
import { listSubjects } from './pack-queries'
import { sessionEventsOf } from './session-history'

type StoredEvent = Handle['tables']['clientEvents']['$inferSelect']

/** For the data export of a person: sessions with their totals, and client events, of all rows that were merged. */
export const exportTelemetry: OnExport = (handle, _project, person) => ({
  'subscriber.json': totalsOf(handle, person),
  'sessions.jsonl': (async function* () {
    for await (const { occurredAt, ...event } of sessionEventsOf(handle, person.ids))
      yield { ...event, occurredAt: toIso(occurredAt) }
  })(),
  'telemetry.jsonl': eventsOf(handle, person),
})

/** The totals count more than `sessions.jsonl` has once old events are deleted. */
async function* totalsOf(handle: Handle, { ids }: ExportedPerson) {
  const sessionTotals = (await listSubjects(handle, ids)).map((subject) => ({
    ...{ subscriberId: subject.subscriberId, opens: subject.opens, playMs: subject.playMs },
    ...{ firstDayAt: toIso(subject.firstDay * DAY), lastDayAt: toIso(subject.lastDay * DAY) },
  }))
  if (sessionTotals.length > 0) yield { sessionTotals }
}

async function* eventsOf(handle: Handle, { ids }: ExportedPerson) {
  for (const id of ids)
    for await (const { projectId: _p, position: _n, ...row } of allRows(clientEventsOf(handle, id))) {
      const { type, occurredAt, recordedAt, ...event } = row
      yield { eventType: type, occurredAt: toIso(occurredAt), recordedAt: toIso(recordedAt), ...event }
    }
}

const clientEventsOf =
  ({ db, tables: { clientEvents: e } }: Handle, subscriberId: string) =>
  (after: StoredEvent | null, limit: number): Promise<StoredEvent[]> =>
    db
      .select()
      .from(e)
      .where(and(eq(e.subscriberId, subscriberId), after === null ? undefined : gt(e.position, after.position)))
      .orderBy(asc(e.position))
      .limit(limit)
