import { lazily } from '../lib/lazily'
import { unpackText } from '../lib/packed-text'
import { packMigrations } from './migrations.macro' with { type: 'macro' }
import type { Dialect } from './tables'

/** One step from an empty database to the schema of this executable. */
export interface Migration {
  /** The name of its file, for example `0003_restore`. Migrations are ordered by it. */
  readonly tag: string
  /** SQL statements, separated by `--> statement-breakpoint`. */
  readonly text: string
}

export type Migrations = Readonly<Record<Dialect, readonly Migration[]>>

const sqlite = lazily(() => unpackMigrations(packMigrations('sqlite')))
const postgres = lazily(() => unpackMigrations(packMigrations('postgres')))

/** The migrations of the product. Those of a dialect are unpacked when they are first read. */
export const MIGRATIONS: Migrations = {
  get sqlite() {
    return sqlite()
  },
  get postgres() {
    return postgres()
  },
}

export const unpackMigrations = (packed: string): Migration[] => JSON.parse(unpackText(packed)) as Migration[]
