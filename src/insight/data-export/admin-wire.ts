import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { RunRow, ScheduleRow } from './queries'

/** A run without its manifest. */
export const toRunView = (run: RunRow) => ({
  id: run.id,
  scheduleId: run.scheduleId,
  to: run.target,
  tables: run.content,
  format: run.format,
  columns: run.columnSet,
  from: toIsoOrNull(run.windowFrom),
  until: toIso(run.windowTo),
  status: run.status,
  rows: run.rowCount,
  bytes: run.byteCount,
  files: run.progress.files.map(({ name, table, rows, bytes, sha256 }) => ({ name, table, rows, bytes, sha256 })),
  attempts: run.attempts,
  error: run.error,
  startedAt: toIso(run.startedAt),
  finishedAt: toIsoOrNull(run.finishedAt),
})

export type RunView = ReturnType<typeof toRunView>

/** A schedule without its credentials. */
export const toScheduleView = (row: ScheduleRow, lastRun: RunRow | null, revision: number) => ({
  id: row.id,
  to: row.target,
  endpoint: row.endpoint,
  region: row.region,
  accessKeyLast4: row.accessKeyLast4,
  tables: row.content,
  format: row.format,
  columns: row.columnSet,
  dailyAt: row.dailyAt,
  isEnabled: row.isEnabled,
  nextRunAt: row.isEnabled ? toIso(row.nextRunAt) : null,
  failures: row.failures,
  lastError: row.lastError,
  lastRun: lastRun && {
    id: lastRun.id,
    status: lastRun.status,
    rows: lastRun.rowCount,
    bytes: lastRun.byteCount,
    finishedAt: toIsoOrNull(lastRun.finishedAt),
  },
  revision,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export type ScheduleView = ReturnType<typeof toScheduleView>
