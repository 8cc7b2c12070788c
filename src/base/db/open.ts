import type { Config } from '../config'
import type { Storage } from './handle'
import { openLibsql } from './libsql'
import { openPostgres } from './postgres'
import { openSqliteFile } from './sqlite-file'

/** Opens the database that the configuration names; nothing is created in it, see `migrate`. */
export async function openStorage(config: Config): Promise<Storage> {
  const { database } = config
  if (database.kind === 'file') return openSqliteFile(database.path)
  return database.kind === 'postgres' ? openPostgres(database.url) : openLibsql(database)
}
