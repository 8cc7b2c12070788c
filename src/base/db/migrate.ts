import { sha256Hex } from '../lib/hash'
import { isBusy, isMissingTable, isUniqueViolation } from './errors'
import type { Storage } from './handle'
import type { Migration } from './migrations'

export interface MigrationStatus {
  tag: string
  isApplied: boolean
}

/** The database must not be changed by this executable. The message says what to do. */
export class MigrationError extends Error {}

/**
 * Applies the missing migrations, each in its own transaction under a lock, and returns their names. It can be run
 * again, and by several processes at the same time.
 */
export async function migrate(storage: Storage, migrations = storage.migrations): Promise<string[]> {
  await runPatiently(storage, [CREATE_TABLE])
  const done: string[] = []
  for (const migration of await pending(storage, migrations)) {
    if (await apply(storage, migration)) done.push(migration.tag)
  }
  return done
}

export async function migrationStatus(storage: Storage, migrations = storage.migrations): Promise<MigrationStatus[]> {
  const applied = await appliedHashes(storage)
  refuseStrangers(applied, migrations)
  return migrations.map(({ tag }) => ({ tag, isApplied: applied.has(tag) }))
}

const CREATE_TABLE = 'CREATE TABLE IF NOT EXISTS svc_migrations (tag text PRIMARY KEY NOT NULL, hash text NOT NULL)'

async function pending(storage: Storage, migrations: readonly Migration[]): Promise<Migration[]> {
  const applied = await appliedHashes(storage)
  refuseStrangers(applied, migrations)
  return migrations.filter(({ tag }) => !applied.has(tag))
}

/** Tag -> hash of each applied migration. Empty when none was ever applied. */
async function appliedHashes(storage: Storage): Promise<Map<string, string>> {
  const { migrations } = storage.tables
  try {
    const rows = await storage.db.select().from(migrations)
    return new Map(rows.map(({ tag, hash }) => [tag, hash]))
  } catch (error) {
    if (isMissingTable(error)) return new Map()
    throw error
  }
}

function refuseStrangers(applied: Map<string, string>, migrations: readonly Migration[]): void {
  const known = new Map(migrations.map(({ tag, text }) => [tag, sha256Hex(text)]))
  for (const [tag, hash] of applied) {
    if (!known.has(tag))
      throw new MigrationError(
        `The database is newer than this executable (it has migration ${tag}); start a newer svc.`,
      )
    if (known.get(tag) !== hash)
      throw new MigrationError(
        `Migration ${tag} of the database differs from this executable's; restore a backup or use the svc that made it.`,
      )
  }
}

/** Applies one migration. False when another process has applied it in the meantime, so that its row already exists. */
async function apply(storage: Storage, { tag, text }: Migration): Promise<boolean> {
  const claim = `INSERT INTO svc_migrations (tag, hash) VALUES ('${tag}', '${sha256Hex(text)}')`
  try {
    await runPatiently(storage, [claim, ...text.split('--> statement-breakpoint')])
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

const PATIENCE_MS = 30_000
const PAUSE_MS = 50

/** Runs statements and waits while the file is locked, because another process may be migrating it at this moment. */
async function runPatiently(storage: Storage, statements: readonly string[]): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    try {
      return await storage.runScript(statements)
    } catch (error) {
      if (!isBusy(error) || waitedMs >= PATIENCE_MS) throw error
      await Bun.sleep(PAUSE_MS)
    }
  }
}
