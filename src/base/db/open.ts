import type { Config } from '../config'
import type { Storage } from './handle'
import { openLibsql } from './libsql'
import { openPostgres } from './postgres'
import { openSqliteFile } from './sqlite-file'
import { makeTables, type TableDefinitions } from './tables'

/** Opens the database that the configuration names. Creates no tables; `migrate` does. */
export async function openStorage(
  { database }: Pick<Config, 'database'>,
  definitions: readonly TableDefinitions[],
): Promise<Storage> {
  if (database.kind === 'postgres') return openPostgres(database.url, makeTables('postgres', definitions))
  const tables = makeTables('sqlite', definitions)
  return database.kind === 'file' ? openSqliteFile(database.path, tables) : openLibsql(database, tables)
}
