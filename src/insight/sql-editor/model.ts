import type { SqlType } from './compile/expr'

/** What a query answers with (wire 7.11). */
export interface QueryResult {
  columns: string[]
  types: Exclude<SqlType, 'null'>[]
  rows: unknown[][]
  rowCount: number
  /** Whether there were more rows than an answer has. */
  truncated: boolean
  elapsedMs: number
}

const MEGABYTE = 1024 * 1024

/** Wire 6, and the memory that a query may take. */
export const QUERY_LIMITS = {
  timeMs: 8000,
  rows: 5000,
  bytes: 32 * MEGABYTE,
  memoryBytes: 512 * MEGABYTE,
  databaseBytes: 192 * MEGABYTE,
} as const

/** The longest query, in characters. */
export const MAX_SQL = 20_000
export const QUERIES_PER_MINUTE = 30
export const MAX_SAVED = 200
export const MAX_PARAMETERS = 100
export const MAX_NAME = 255
