import type { AuditEntry } from '../../projects/audit/audit'
import { changeEntry } from '../../targeting/audiences/audit-entry'
import type { ScheduleRow } from './queries'

/** The audit entry of a schedule. Of its credentials it has the end of the key id, and whether they are new. */
export const scheduleEntry = (verb: string, before: ScheduleRow | null, after: ScheduleRow | null): AuditEntry =>
  changeEntry('exportSchedule', verb, before, after, (row) => ({
    ...scheduleContent(row),
    credentials: wordFor(row, before),
  }))

/** What people decide about a schedule. */
export const scheduleContent = (row: ScheduleRow) => ({
  to: row.target,
  endpoint: row.endpoint,
  region: row.region,
  accessKeyLast4: row.accessKeyLast4,
  tables: row.content,
  format: row.format,
  columns: row.columnSet,
  dailyAt: row.dailyAt,
  isEnabled: row.isEnabled,
})

const wordFor = (row: ScheduleRow, before: ScheduleRow | null): '(new)' | '(saved)' | null => {
  if (row.sealedCredentials === null) return null
  return row.sealedCredentials === before?.sealedCredentials ? '(saved)' : '(new)'
}
