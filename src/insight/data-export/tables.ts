import type { Kit } from '../../base/db/kit'
import { dailyColumns } from '../../base/jobs/daily'
import type { ColumnSet, ExportFormat, ExportProgress, ExportTable, RunStatus } from './model'

export const exportTables = (k: Kit) => ({
  exportSchedules: k.table(
    'export_schedules',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      /** An absolute folder, or `s3://bucket/prefix`. */
      target: k.str().notNull(),
      /** Address and region of the bucket's service; null for a folder. */
      endpoint: k.str(),
      region: k.str(),
      /** Whether the command line of the server has set the target: then any address may be called. */
      isTrusted: k.bool().notNull(),
      /** The credentials of the bucket, encrypted with the master key; null for a folder. */
      sealedCredentials: k.str(),
      accessKeyLast4: k.str(),
      content: k.json<ExportTable[]>().notNull(),
      format: k.str().$type<ExportFormat>().notNull(),
      columnSet: k.str().$type<ColumnSet>().notNull(),
      ...dailyColumns(k),
      /** How many runs in a row have failed for good, and why the last one did. */
      failures: k.int().notNull(),
      lastError: k.str(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.index('export_schedules_project').on(t.projectId, t.id),
      k.index('export_schedules_due').on(t.isEnabled, t.nextRunAt),
    ],
  ),

  exportRuns: k.table(
    'export_runs',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      /** Null for a single export. */
      scheduleId: k.str(),
      target: k.str().notNull(),
      content: k.json<ExportTable[]>().notNull(),
      format: k.str().$type<ExportFormat>().notNull(),
      columnSet: k.str().$type<ColumnSet>().notNull(),
      windowFrom: k.int(),
      windowTo: k.int().notNull(),
      status: k.str().$type<RunStatus>().notNull(),
      progress: k.json<ExportProgress>().notNull(),
      rowCount: k.int().notNull(),
      byteCount: k.int().notNull(),
      /** Failed attempts so far. */
      attempts: k.int().notNull(),
      error: k.str(),
      /** The process that works on it now; null = none. */
      owner: k.str(),
      /** When that process last said that it works on it. */
      seenAt: k.int().notNull(),
      startedAt: k.int().notNull(),
      finishedAt: k.int(),
    },
    (t) => [
      k.index('export_runs_project').on(t.projectId, t.id),
      k.index('export_runs_target').on(t.projectId, t.target, t.id),
    ],
  ),
})

type ExportTables = ReturnType<typeof exportTables>

declare module '../../base/db/tables' {
  interface Tables extends ExportTables {}
}
