import { sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { familyOf } from '../../people/subscribers/family'
import type { OnErase } from '../../people/subscribers/hooks'
import { deleteClientEvents } from './client-event-queries'
import { eraseSessions } from './session-history'

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

async function familyIds({ db, tables }: Handle, id: string): Promise<string[]> {
  const { subscribers: s } = tables
  const rows = await db
    .select({ id: s.id })
    .from(s)
    .where(sql`${s.id} in ${familyOf(tables, id)}`)
  return rows.map((row) => row.id)
}
