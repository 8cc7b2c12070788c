import { afterAll, mock } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import Database from 'libsql'
import postgres from 'postgres'

const ROOT = join(import.meta.dir, '../..')

type Options = NonNullable<Parameters<typeof postgres>[1]>

/**
 * Writes which statements each test file of this process has run, as `{ file: statements }`: on a local file those that
 * were prepared there, on PostgreSQL those that were sent.
 */
export function recordStatements(path: string): void {
  const found = new Map<string, Set<string>>()
  const known = new Map<string, string | null>()
  const note = (sql: string) => {
    const statement = known.get(sql) ?? normalised(sql)
    known.set(sql, statement)
    if (statement === null) return
    const file = relative(ROOT, Bun.main)
    found.set(file, (found.get(file) ?? new Set()).add(statement))
  }
  watchFiles(note)
  watchPostgres(note)
  afterAll(() => {
    const entries = [...found].map(([file, statements]) => [file, [...statements].sort()])
    writeFileSync(path, JSON.stringify(Object.fromEntries(entries)))
  })
}

function watchFiles(note: (sql: string) => void): void {
  const { prepare } = Database.prototype
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    note(sql)
    return prepare.call(this, sql)
  } as typeof prepare
}

/** The driver tells every statement to its option `debug`. */
function watchPostgres(note: (sql: string) => void): void {
  const debug: Options['debug'] = (_connection, sql) => note(sql)
  const connect = (first: string | Options, options?: Options) =>
    typeof first === 'string' ? postgres(first, { ...options, debug }) : postgres({ ...first, debug })
  mock.module('postgres', () => ({ default: Object.assign(connect, postgres) }))
}

/**
 * A statement in the form that both databases share: without its values, the number of its rows, and the types that
 * PostgreSQL is told. Null for what only sets up a database.
 */
export function normalised(sql: string): string | null {
  if (/^\s*(alter|create|drop|begin|commit|rollback|savepoint|release|set|show|pragma|truncate|vacuum)\b/i.test(sql))
    return null
  if (sql.includes('svc_migrations')) return null
  return sql
    .replace(/\s+/g, ' ')
    .replace(/\$\d+(::\w+)?/g, '?')
    .replace(/\?\d+/g, '?')
    .replace(/(\?, ?)+\?/g, '?+')
    .replace(/(\(\?\+?\), ?)+\(\?\+?\)/g, '(?+)+')
    .trim()
}
