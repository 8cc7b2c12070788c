import { sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { toIso } from '../../base/lib/time'
import { familyOf } from '../../people/subscribers/family'
import type { OnErase, OnExport } from '../../people/subscribers/hooks'
import { type ClientEventRow, deleteClientEvents, listClientEvents } from './client-event-queries'
import { eraseSessions, type IdentifiedEvent, listSessionEvents } from './session-history'

/** At an erasure: deletes the sessions, their totals and the client events of a person. */
export const eraseTelemetry: OnErase = async (tx, _project, { id }) => {
  const ids = await familyIds(tx, id)
  const { packs, subjects } = await eraseSessions(tx, ids)
  return {
    session_packs: { removed: packs },
    session_subjects: { removed: subjects },
    client_events: { removed: await deleteClientEvents(tx, ids) },
  }
}

/** For the data export of a person: `sessions` and `telemetry`, of all rows that were merged. */
export const exportTelemetry: OnExport = async (handle, _project, { id }) => {
  const ids = await familyIds(handle, id)
  const [sessions, events] = await Promise.all([listSessionEvents(handle, ids), listClientEvents(handle, ids)])
  return { sessions: sessions.map(toSessionLine), telemetry: events.map(toEventLine) }
}

async function familyIds({ db, tables }: Handle, id: string): Promise<string[]> {
  const { subscribers: s } = tables
  const rows = await db
    .select({ id: s.id })
    .from(s)
    .where(sql`${s.id} in ${familyOf(tables, id)}`)
  return rows.map((row) => row.id)
}

const toSessionLine = ({ occurredAt, ...event }: IdentifiedEvent) => ({ ...event, occurredAt: toIso(occurredAt) })

const toEventLine = ({ projectId: _, type, occurredAt, recordedAt, ...event }: ClientEventRow) => ({
  eventType: type,
  occurredAt: toIso(occurredAt),
  recordedAt: toIso(recordedAt),
  ...event,
})
