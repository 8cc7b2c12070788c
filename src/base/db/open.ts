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
  migrations = MIGRATIONS,
): Promise<Storage> {
  if (database.kind === 'postgres')
    return openPostgres(database.url, makeTables('postgres', definitions), migrations.postgres, database)
  const tables = makeTables('sqlite', definitions)
  if (database.kind === 'file') return openSqliteFile(database.path, tables, migrations.sqlite)
  return openLibsql(database, tables, migrations.sqlite)
}
