import { readMigrations } from './migrations.macro' with { type: 'macro' }
import type { Dialect } from './tables'

/** One step from an empty database to the schema of this executable. */
export interface Migration {
  /** The name of its file, for example `0003_restore`. Migrations are ordered by it. */
  readonly tag: string
  /** SQL statements, separated by `--> statement-breakpoint`. */
  readonly text: string
}

export type Migrations = Readonly<Record<Dialect, readonly Migration[]>>

/** The migrations of the product. */
export const MIGRATIONS: Migrations = { sqlite: readMigrations('sqlite'), postgres: readMigrations('postgres') }
