import { sql } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { familyOf } from '../../people/subscribers/family'
import type { OnErase } from '../../people/subscribers/hooks'
import { noteRemoved } from '../../projects/usage/service'
import { deleteClientEvents } from './client-event-queries'
import { eraseSessions } from './session-history'
import { instantsOf } from './usage'

/** At an erasure: deletes the sessions, their totals and the client events of a person. */
export const eraseTelemetry: OnErase = async (tx, project, { id }) => {
  const ids = await familyIds(tx, id)
  const { packs, subjects } = await eraseSessions(tx, ids)
  const clientEvents = await deleteClientEvents(tx, ids)
  await noteRemoved(tx, project.id, 'telemetry', [...instantsOf(packs), ...clientEvents])
  return {
    session_packs: { removed: packs.length },
    session_subjects: { removed: subjects },
    client_events: { removed: clientEvents.length },
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
