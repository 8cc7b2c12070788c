import type { AnalyticsConfig } from '../../../base/config'
import type { Parameter } from '../compile/level'
import type { RejectionReason } from '../rejection'

export type QueryDatabase =
  | { kind: 'file'; path: string }
  | { kind: 'postgres'; url: string }
  | { kind: 'clickhouse'; config: AnalyticsConfig }

/** The message to the process of a query, as one line of JSON. */
export interface QueryRequest {
  sql: string
  parameters: readonly Parameter[]
  projectId: string
  /** Milliseconds: what `now()` is. */
  now: number
  /** The time zone of the project. */
  timezone: string
  database: QueryDatabase
  limits: QueryLimits
}

export interface QueryLimits {
  /** From the moment at which the process can read the statement. */
  timeMs: number
  rows: number
  /** Of the answer. */
  bytes: number
  /** Of the whole process. */
  memoryBytes: number
  /** What the database library may use of it. */
  databaseBytes: number
}

/** The first line of the answer. After `ok`, the rest is the result as JSON. */
export type QueryHead =
  | { kind: 'ok'; rowCount: number }
  | { kind: 'rejected'; reason: RejectionReason; message: string }
  | { kind: 'failed'; isUnavailable: boolean; message: string }
  /** ClickHouse cannot run the statement; the others can. */
  | { kind: 'unsupported'; message: string }
  | { kind: 'unreachable'; message: string }

/** The answer of a query that took longer than it may. */
export const outOfTime = (timeMs: number): QueryHead => ({
  kind: 'rejected',
  reason: 'timeout',
  message: `The query was ended after ${timeMs / 1000} s`,
})
