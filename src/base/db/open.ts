import type { Config } from '../config'
import type { Storage } from './handle'
import { MIGRATIONS } from './migrations'
import { makeTables, type TableDefinitions } from './tables'

/** Opens the database that the configuration names, and loads only its driver. Creates no tables; `migrate` does. */
export async function openStorage(
  { database }: Pick<Config, 'database'>,
  definitions: readonly TableDefinitions[],
  migrations = MIGRATIONS,
): Promise<Storage> {
  if (database.kind === 'postgres') {
    const { openPostgres } = await import('./postgres')
    return openPostgres(database.url, makeTables('postgres', definitions), migrations.postgres, database)
  }
  const tables = makeTables('sqlite', definitions)
  if (database.kind === 'file') {
    // The executable unpacks this driver to load it. Where that is not allowed, the command must be able to say so.
    const { openSqliteFile } = await import('./sqlite-file')
    return openSqliteFile(database.path, tables, migrations.sqlite)
  }
  const { openLibsql } = await import('./libsql')
  return openLibsql(database, tables, migrations.sqlite)
}
