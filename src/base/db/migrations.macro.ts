import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The migration files of a dialect in their order. It is a macro, so that the executable contains their text. */
export function readMigrations(dialect: 'sqlite' | 'postgres' | 'clickhouse'): { tag: string; text: string }[] {
  return readFolder(join(import.meta.dir, '../../../migrations', dialect))
}

/** The migration files of a folder in their order. */
export function readFolder(folder: string): { tag: string; text: string }[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return files.sort().map((name) => ({ tag: name.slice(0, -4), text: readFileSync(join(folder, name), 'utf8') }))
}
