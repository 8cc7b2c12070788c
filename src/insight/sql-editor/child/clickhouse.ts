import type { AnalyticsConfig } from '../../../base/config'
import { AppError } from '../../../base/errors'
import { Clickhouse, codeOf } from '../../clickhouse/client'
import type { Compiled } from '../compile/compile'
import type { QueryLimits } from './protocol'
import type { Cell } from './result'

/** The user, the database or the server is not as it must be. */
const UNREACHABLE = /^(60|81|164|192|193|194|195|202|203|210|243|252|373|497|516|999)$/

/** Whether ClickHouse has answered that it cannot run a statement which the other databases can. */
export function isUnsupported(error: unknown): boolean {
  const code = codeOf(error instanceof AppError ? error.cause : error)
  return /^\d+$/.test(String(code)) && !UNREACHABLE.test(String(code))
}

/** What each query gets besides what all reads of ClickHouse get. The statement cannot change it. */
export const queryLimitsOf = ({ timeMs, databaseBytes, bytes }: QueryLimits) => ({
  readonly: '2' as const,
  max_execution_time: Math.ceil(timeMs / 1000),
  timeout_before_checking_execution_speed: 0,
  max_memory_usage: String(databaseBytes),
  max_result_bytes: String(bytes * 2),
  result_overflow_mode: 'throw' as const,
  max_query_size: String(1024 * 1024),
  cancel_http_readonly_queries_on_client_close: 1 as const,
  union_default_mode: 'DISTINCT' as const,
  intersect_default_mode: 'DISTINCT' as const,
  except_default_mode: 'DISTINCT' as const,
  // Not all of them are answered rightly; the database itself runs them.
  allow_experimental_correlated_subqueries: 0 as const,
})

/** Reads from ClickHouse. The end of this process ends the query there too. */
export async function queryClickhouse(
  config: AnalyticsConfig,
  compiled: Compiled,
  limits: QueryLimits,
): Promise<Cell[][]> {
  const client = new Clickhouse(config)
  return (await client.query(compiled.sql, compiled.values, queryLimitsOf(limits))) as Cell[][]
}
