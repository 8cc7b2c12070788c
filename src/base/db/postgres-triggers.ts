import type { TransactionSql } from 'postgres'
import { quoteName } from './dump'
import { CHANNEL } from './postgres-listener'

/**
 * The connections of svc have this name. Their transactions tell themselves what they change. Another version of svc
 * that reports less must have another name.
 */
export const APPLICATION = 'svc-1'

const TRIGGER = 'svc_tell_1'

/** The tables without a trigger that reports changes by other programs, for example by hand. */
export async function findMissingTriggers(
  query: (text: string, values: string[]) => Promise<unknown[]>,
  tables: readonly string[],
): Promise<string[]> {
  const rows = await query(
    `select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where t.tgname = $1 and t.tgenabled in ('O', 'A') and c.relnamespace = current_schema()::regnamespace`,
    [TRIGGER],
  )
  const known = new Set((rows as { name: string }[]).map(({ name }) => name))
  return tables.filter((table) => !known.has(table))
}

const LOCK_PATIENCE = '2s'

/**
 * Makes the triggers. A statement that changes a table waits until they are made, so the wait for the table is short;
 * when it fails, the next attempt follows.
 */
export async function makeTriggers(tx: TransactionSql, tables: readonly string[]): Promise<void> {
  await tx.unsafe(`set local lock_timeout = '${LOCK_PATIENCE}'`)
  await tx.unsafe(`create or replace function ${TRIGGER}() returns trigger language plpgsql as
    $$ begin perform pg_notify('${CHANNEL}', '*'); return null; end $$`)
  for (const table of tables) {
    await tx.unsafe(`drop trigger if exists ${TRIGGER} on ${quoteName(table)}`)
    await tx.unsafe(`create trigger ${TRIGGER} after insert or update or delete or truncate on ${quoteName(table)}
      for each statement when (current_setting('application_name') <> '${APPLICATION}') execute function ${TRIGGER}()`)
  }
}
