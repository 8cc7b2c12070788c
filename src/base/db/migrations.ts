import { readMigrations } from './migrations.macro' with { type: 'macro' }
import type { Dialect } from './tables'

/** One step from an empty database to that of this executable. */
export interface Migration {
  /** `0003_restore`: the name of its file, by which they are ordered. */
  readonly tag: string
  /** Statements, each but the last before a `--> statement-breakpoint`. */
  readonly text: string
}

export type Migrations = Readonly<Record<Dialect, readonly Migration[]>>

/** Those of the product. */
export const MIGRATIONS: Migrations = { sqlite: readMigrations('sqlite'), postgres: readMigrations('postgres') }
