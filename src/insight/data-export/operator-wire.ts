import { type Static, Type } from '@sinclair/typebox'
import { listQuery } from '../../base/http/list'
import { orNull, REVISED } from '../../base/http/object-answer'
import { DailyAt } from '../../base/jobs/daily'
import { oneOf } from '../../core/schema/object'
import type { ScheduleChange } from './admin'
import { COLUMN_SETS, EXPORT_FORMATS, EXPORT_TABLES } from './model'

const strict = { additionalProperties: false } as const
const time = Type.String({ format: 'date-time' })

export const ExportListQuery = Type.Object(listQuery, strict)

const members = {
  to: Type.String({ minLength: 1, maxLength: 600, description: 's3://bucket/prefix' }),
  endpoint: Type.Optional(
    orNull(Type.String({ maxLength: 300, description: 'https address of a service like S3; null = Amazon S3' })),
  ),
  region: Type.Optional(orNull(Type.String({ maxLength: 32, description: 'Default: us-east-1' }))),
  accessKeyId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  secretAccessKey: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'Never shown again' })),
  tables: Type.Optional(
    Type.Array(oneOf(EXPORT_TABLES), {
      minItems: 1,
      maxItems: EXPORT_TABLES.length,
      description: 'Default: every table of the column set',
    }),
  ),
  format: Type.Optional(oneOf(EXPORT_FORMATS, { description: 'Default: csv' })),
  columns: Type.Optional(
    oneOf(COLUMN_SETS, { description: 'revenuecat_v5: transactions alone, as that vendor exports them. Default: svc' }),
  ),
  dailyAt: Type.Optional(DailyAt),
  isEnabled: Type.Optional(Type.Boolean({ description: 'Default: true' })),
}

export const ScheduleBody = Type.Object(members, { ...strict, title: 'ExportScheduleRequest' })
export const SchedulePatch = Type.Partial(Type.Object(members), { ...strict, title: 'ExportScheduleChange' })

const STATUSES = ['RUNNING', 'COMPLETED', 'FAILED'] as const
const Count = Type.Integer({ minimum: 0 })

const LastRun = Type.Object(
  { id: Type.String(), status: oneOf(STATUSES), rows: Count, bytes: Count, finishedAt: orNull(time) },
  { ...strict, title: 'LastExport' },
)

export const ScheduleSchema = Type.Object(
  {
    id: Type.String(),
    to: Type.String({ description: 's3://bucket/prefix, or a folder that the command line has named' }),
    endpoint: orNull(Type.String()),
    region: orNull(Type.String()),
    accessKeyLast4: orNull(Type.String({ description: 'The end of the key id' })),
    tables: Type.Array(oneOf(EXPORT_TABLES)),
    format: oneOf(EXPORT_FORMATS),
    columns: oneOf(COLUMN_SETS),
    dailyAt: Type.String(),
    isEnabled: Type.Boolean(),
    nextRunAt: orNull(time),
    failures: Type.Integer({ minimum: 0, description: 'Exports in a row that were given up' }),
    lastError: orNull(Type.String()),
    lastRun: orNull(LastRun),
    ...REVISED,
  },
  { ...strict, title: 'ExportSchedule' },
)

const File = Type.Object(
  { name: Type.String(), table: oneOf(EXPORT_TABLES), rows: Count, bytes: Count, sha256: Type.String() },
  { ...strict, title: 'ExportFile' },
)

export const RunSchema = Type.Object(
  {
    id: Type.String(),
    scheduleId: orNull(Type.String({ description: 'null = a single export' })),
    to: Type.String(),
    tables: Type.Array(oneOf(EXPORT_TABLES)),
    format: oneOf(EXPORT_FORMATS),
    columns: oneOf(COLUMN_SETS),
    from: orNull(Type.String({ description: 'Rows that changed since then; null = every row' })),
    until: Type.String({ description: 'Rows that were made before' }),
    status: oneOf(STATUSES),
    rows: Count,
    bytes: Count,
    files: Type.Array(File),
    attempts: Count,
    error: orNull(Type.String()),
    startedAt: time,
    finishedAt: orNull(time),
  },
  { ...strict, title: 'DataExport' },
)

type Body = Static<typeof SchedulePatch>

/** The members of a request under the names of the services. A key without its secret, or the other way, is refused. */
export function toInput<Given extends Body>({ accessKeyId, secretAccessKey, ...body }: Given) {
  const credentials =
    accessKeyId === undefined && secretAccessKey === undefined
      ? undefined
      : { accessKeyId: accessKeyId ?? '', secretAccessKey: secretAccessKey ?? '', sessionToken: null }
  return { ...body, credentials } satisfies ScheduleChange
}
