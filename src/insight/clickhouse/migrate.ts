import { type Migration, unpackMigrations } from '../../base/db/migrations'
import { packMigrations } from '../../base/db/migrations.macro' with { type: 'macro' }
import { sha256Hex } from '../../base/lib/hash'
import { lazily } from '../../base/lib/lazily'
import type { Clickhouse } from './client'

/** What svc keeps in a database of ClickHouse. */
const ownMigrations = lazily(() => unpackMigrations(packMigrations('clickhouse')))

/** The database of ClickHouse must not be used by this executable. The message says why, and what to do. */
export class AnalyticsSchemaError extends Error {}

const CREATE_TABLE =
  'CREATE TABLE IF NOT EXISTS svc_migrations (tag String, hash String) ENGINE = ReplacingMergeTree ORDER BY tag'

/**
 * Applies the missing migrations. Each statement of them can be run again, because ClickHouse has no transactions:
 * an interrupted migration starts again, and two processes may apply it at once.
 */
export async function migrateClickhouse(client: Clickhouse, migrations = ownMigrations()): Promise<void> {
  await client.command(CREATE_TABLE)
  const applied = new Map((await client.query('select tag, hash from svc_migrations')) as [string, string][])
  refuseStrangers(applied, migrations)
  for (const { tag, text } of migrations) {
    if (applied.has(tag)) continue
    for (const statement of text.split('--> statement-breakpoint'))
      await client.command(statement.trim().replace(/;$/, ''))
    await client.insert('svc_migrations', ['tag', 'hash'], [JSON.stringify([tag, sha256Hex(text)])])
  }
}

function refuseStrangers(applied: ReadonlyMap<string, string>, migrations: readonly Migration[]): void {
  const known = new Map(migrations.map(({ tag, text }) => [tag, sha256Hex(text)]))
  for (const [tag, hash] of applied) {
    if (!known.has(tag))
      throw new AnalyticsSchemaError(
        `The ClickHouse database is newer than this executable (it has migration ${tag}); start a newer svc, or give it an empty database.`,
      )
    if (known.get(tag) !== hash)
      throw new AnalyticsSchemaError(
        `Migration ${tag} of the ClickHouse database differs from this executable's; give svc an empty database.`,
      )
  }
}
