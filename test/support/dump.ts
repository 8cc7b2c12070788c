import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Context } from '../../src/base/context'
import type { Tables } from '../../src/base/db/tables'

type Name = Exclude<keyof Tables, 'migrations'>

/**
 * Every row of some tables as text, which the database itself makes: that takes a tenth of the time of reading rows
 * through drizzle, and tests compare whole tables often. Two equal dumps mean that nothing was written between them.
 */
export async function dumpOf({ db, storage, tables }: Context, names: readonly Name[]): Promise<string[]> {
  const isPostgres = storage.driver === 'postgres'
  const text = texts.get(names) ?? names.map((name) => partOf(isPostgres, name, tables[name])).join(' union all ')
  texts.set(names, text)
  const statement = sql.raw(text)
  if (!isPostgres) return (await db.values<[string]>(statement)).map(([line]) => line).sort()
  const rows = (await (db as unknown as Executor).execute(statement)) as { line: string }[]
  return rows.map(({ line }) => line).sort()
}

/** The statement for each list of tables. */
const texts = new WeakMap<readonly Name[], string>()

/** What drizzle's handle has on PostgreSQL only. */
interface Executor {
  execute(statement: unknown): Promise<unknown>
}

/** Rows such as `apiKeys "id":'key_1',"label":'default'`. */
function partOf(isPostgres: boolean, name: Name, table: SQLiteTable): string {
  const members = Object.keys(getTableColumns(table)).map((key) => {
    const column = `"${toSnakeCase(key)}"`
    return `'"${key}":' || ${isPostgres ? `coalesce(${column}::text, 'null')` : `quote(${column})`}`
  })
  return `select '${name} ' || ${members.join(" || ',' || ")} as line from "${getTableName(table)}"`
}
