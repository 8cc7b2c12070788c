import type { Config } from '../config'
import type { Storage } from './handle'
import { openLibsql } from './libsql'
import { openPostgres } from './postgres'

/** Opens the database that the configuration names; nothing is created in it, see `migrate`. */
export async function openStorage(config: Config): Promise<Storage> {
  return config.database.kind === 'postgres' ? openPostgres(config.database.url) : openLibsql(config.database)
}
