import { sql } from 'drizzle-orm'
import type { Context } from '../../base/context'
import type { Handle, Storage } from '../../base/db/handle'
import { columnName, columnsOf, MIRRORED, type Mirrored, tableNameOf } from './mirror'

// Triggers note which rows a transaction writes, in that transaction: so nothing that is committed is ever left out,
// whatever wrote it, and nothing that was rolled back is noted. They exist only where figures are read from ClickHouse.

const EVENTS = ['insert', 'update', 'delete'] as const

const isPostgres = ({ driver }: Storage): boolean => driver === 'postgres'

const nameOf = (table: string, event = 'write'): string => `svc_analytics_${table}_${event}`

/** The mirrored tables that have no triggers yet. */
export async function tablesWithoutTriggers({ storage, tables, db }: Context): Promise<Mirrored[]> {
  const query = isPostgres(storage)
    ? db.select({ name: sql<string>`t.tgname` }).from(sql`pg_trigger t join pg_class c on c.oid = t.tgrelid`)
    : db.select({ name: sql<string>`name` }).from(sql`sqlite_master`)
  const isOwn = isPostgres(storage)
    ? sql`t.tgname like 'svc_analytics_%' and c.relnamespace = current_schema()::regnamespace`
    : sql`type = 'trigger' and name like 'svc_analytics_%'`
  const known = new Set((await query.where(isOwn)).map(({ name }) => name))
  const wanted = (table: string) =>
    isPostgres(storage) ? [nameOf(table)] : EVENTS.map((event) => nameOf(table, event))
  return MIRRORED.filter((one) => wanted(tableNameOf(tables, one)).some((name) => !known.has(name)))
}

export async function createTriggers({ storage }: Context, mirrored: readonly Mirrored[]): Promise<void> {
  if (mirrored.length === 0) return
  const statements = mirrored.flatMap((one) =>
    isPostgres(storage) ? onPostgres(storage, one) : onSqlite(storage, one),
  )
  await storage.runScript([...patience(storage), ...statements])
}

export async function dropTriggers({ storage, tables }: Context): Promise<void> {
  const names = MIRRORED.map((one) => tableNameOf(tables, one))
  const statements = isPostgres(storage)
    ? names.flatMap((table) => [
        `drop trigger if exists ${nameOf(table)} on "${table}"`,
        `drop function if exists ${nameOf(table)}()`,
      ])
    : names.flatMap((table) => EVENTS.map((event) => `drop trigger if exists ${nameOf(table, event)}`))
  await storage.runScript([...patience(storage), ...statements])
}

/** A write waits for a trigger that is being made, so that one does not wait long for them. */
const patience = (storage: Storage): string[] => (isPostgres(storage) ? ["set local lock_timeout = '2s'"] : [])

const keyColumns = ({ tables }: Handle, mirrored: Mirrored): string[] => {
  const columns = columnsOf(tables, mirrored)
  return mirrored.key.flatMap((name) => (columns[name] ? [`"${columnName(columns[name])}"`] : []))
}

function onSqlite(handle: Handle, mirrored: Mirrored): string[] {
  const table = tableNameOf(handle.tables, mirrored)
  return EVENTS.flatMap((event) => {
    const row = event === 'delete' ? 'old' : 'new'
    const key = keyColumns(handle, mirrored).map((column) => `${row}.${column}`)
    return [
      `drop trigger if exists ${nameOf(table, event)}`,
      `create trigger ${nameOf(table, event)} after ${event} on "${table}" begin insert into analytics_changes (table_name, row_key) values ('${table}', json_array(${key.join(', ')})); end`,
    ]
  })
}

function onPostgres(handle: Handle, mirrored: Mirrored): string[] {
  const table = tableNameOf(handle.tables, mirrored)
  const name = nameOf(table)
  const key = (row: string) => `json_build_array(${keyColumns(handle, mirrored).map((one) => `${row}.${one}`)})::text`
  const note = (row: string) => `insert into analytics_changes (table_name, row_key) values ('${table}', ${key(row)});`
  return [
    `create or replace function ${name}() returns trigger language plpgsql as $$ begin
      if tg_op = 'DELETE' then ${note('old')} else ${note('new')} end if; return null; end $$`,
    `drop trigger if exists ${name} on "${table}"`,
    `create trigger ${name} after insert or update or delete on "${table}" for each row execute function ${name}()`,
  ]
}
