import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packText } from '../lib/packed-text'

/** The packed JSON of the migrations of a dialect. It is a macro, so that the executable contains their text. */
export function packMigrations(dialect: 'sqlite' | 'postgres' | 'clickhouse'): string {
  return packText(JSON.stringify(readFolder(join(import.meta.dir, '../../../migrations', dialect))))
}

/** The migration files of a folder in their order. */
export function readFolder(folder: string): { tag: string; text: string }[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return files.sort().map((name) => ({ tag: name.slice(0, -4), text: readFileSync(join(folder, name), 'utf8') }))
}
