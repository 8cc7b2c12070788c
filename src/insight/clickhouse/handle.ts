import { drizzle } from 'drizzle-orm/pg-proxy'
import { assertAwaited } from '../../base/db/caller'
import type { Db, Handle } from '../../base/db/handle'
import type { Tables } from '../../base/db/tables'
import type { Clickhouse, Value } from './client'

/** A handle for reading from ClickHouse. `tables` are those of PostgreSQL. After the signal no statement starts. */
export function clickhouseHandle(client: Clickhouse, tables: Tables, signal?: AbortSignal): Handle {
  const run = async (sql: string, params: unknown[]) => {
    assertAwaited(signal)
    return { rows: await client.query(sql, params as Value[]) }
  }
  // The only cast between the dialects, as for PostgreSQL: application code is typed for SQLite.
  const db = drizzle(run, { casing: 'snake_case' }) as unknown as Db
  return { db, tables, isClickhouse: true }
}
