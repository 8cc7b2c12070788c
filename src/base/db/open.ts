import type { Config } from '../config'
import type { Storage } from './handle'
import { openLibsql } from './libsql'
import { MIGRATIONS } from './migrations'
import { openPostgres } from './postgres'
import { openSqliteFile } from './sqlite-file'
import { makeTables, type TableDefinitions } from './tables'

/** Opens the database that the configuration names. Creates no tables; `migrate` does. */
export async function openStorage(
  { database }: Pick<Config, 'database'>,
  definitions: readonly TableDefinitions[],
  { sqlite, postgres } = MIGRATIONS,
): Promise<Storage> {
  if (database.kind === 'postgres')
    return openPostgres(database.url, makeTables('postgres', definitions), postgres, database)
  const tables = makeTables('sqlite', definitions)
  return database.kind === 'file' ? openSqliteFile(database.path, tables, sqlite) : openLibsql(database, tables, sqlite)
}
