import { HOUR, MINUTE } from '../../base/lib/clock'

export const EXPORT_TABLES = ['subscribers', 'purchases', 'transactions', 'events', 'ledger'] as const
export const EXPORT_FORMATS = ['csv', 'jsonl', 'parquet'] as const
/** `svc`: our own columns. `revenuecat_v5`: the column set of that vendor's transaction export, version 5. */
export const COLUMN_SETS = ['svc', 'revenuecat_v5'] as const

export type ExportTable = (typeof EXPORT_TABLES)[number]
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
export type ColumnSet = (typeof COLUMN_SETS)[number]

/** `time` is milliseconds UTC in memory, and ISO 8601 or a Parquet timestamp in a file. `json` is any JSON value. */
export type ColumnType = 'text' | 'integer' | 'int64' | 'boolean' | 'time' | 'json'

export interface Column {
  name: string
  type: ColumnType
}

export type Cell = string | number | bigint | boolean | object | null

/** The cells of one row, in the order of the columns. */
export type ExportRow = readonly Cell[]

/** What is exported, and how it is written. */
export interface ExportContent {
  tables: readonly ExportTable[]
  format: ExportFormat
  columns: ColumnSet
}

/** Rows that were made before `to` and changed at or after `from`; null = all that were made before `to`. */
export interface ExportWindow {
  from: number | null
  to: number
}

/** One finished file of an export. */
export interface ExportFile {
  name: string
  table: ExportTable
  rows: number
  bytes: number
  sha256: string
}

/** How far a run has come: `after` is the position behind the last finished file of the table it works on. */
export interface ExportProgress {
  /** Place in the list of tables. */
  table: number
  after: string | null
  files: readonly ExportFile[]
}

export const NO_PROGRESS: ExportProgress = { table: 0, after: null, files: [] }

export type RunStatus = 'RUNNING' | 'COMPLETED' | 'FAILED'

/** Where the files go. Folders are absolute; the prefix of a bucket has no slash at its ends and may be empty. */
export type Destination =
  | { kind: 'folder'; path: string }
  | { kind: 's3'; bucket: string; prefix: string; endpoint: string; region: string }

export interface S3Credentials {
  accessKeyId: string
  secretAccessKey: string
  /** Of temporary credentials; null for lasting ones. */
  sessionToken: string | null
}

/** A file is closed after the page of rows with which it reaches one of these. */
export interface SplitLimits {
  rows: number
  bytes: number
}

export const SPLIT_LIMITS: SplitLimits = { rows: 1_000_000, bytes: 256 * 1024 * 1024 }

/**
 * Two exports in a row overlap by this much. An instant is taken before its transaction commits, and the clocks of
 * several servers differ a little.
 */
export const OVERLAP_MS = 2 * MINUTE

/** An interrupted run that is older is not continued: its window would end too long ago. */
export const CONTINUE_WITHIN_MS = 24 * HOUR

export const MAX_SCHEDULES = 10
