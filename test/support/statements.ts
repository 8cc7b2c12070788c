import { afterAll, afterEach, mock } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import Database from 'libsql'
import postgres from 'postgres'

const ROOT = join(import.meta.dir, '../..')

type Options = NonNullable<Parameters<typeof postgres>[1]>

/**
 * Writes which statements each test file of this process has run, as `{ file: statements }`: on a local file those that
 * were prepared there, on PostgreSQL those that were sent. By tests, the keys are `file#0` for its first test with what
 * was done before it, `file#1` for the second, and so on.
 */
export function recordStatements(path: string, isByTest = false): void {
  const found = new Map<string, Set<string>>()
  const ended = new Map<string, number>()
  if (isByTest) afterEach(() => void ended.set(Bun.main, (ended.get(Bun.main) ?? 0) + 1))
  const known = new Map<string, string | null>()
  const note = (sql: string) => {
    const statement = known.get(sql) ?? normalised(sql)
    known.set(sql, statement)
    if (statement === null) return
    const file = relative(ROOT, Bun.main) + (isByTest ? `#${ended.get(Bun.main) ?? 0}` : '')
    found.set(file, (found.get(file) ?? new Set()).add(statement))
  }
  watchFiles(note)
  watchPostgres(note)
  afterAll(() => {
    const entries = [...found].map(([file, statements]) => [file, [...statements].sort()])
    mkdirSync(dirname(path), { recursive: true })
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
  const original = postgres // The import itself is replaced below.
  const debug: Options['debug'] = (_connection, sql) => note(sql)
  const connect = (first: string | Options, options?: Options) =>
    typeof first === 'string' ? original(first, { ...options, debug }) : original({ ...first, debug })
  mock.module('postgres', () => ({ default: Object.assign(connect, original) }))
}

/**
 * A statement in the form that both databases share: without its values and ids, the columns that an update sets, the
 * number of its rows, the locks of rows, and the types that PostgreSQL is told. Null for what only sets up a database,
 * for a query of the SQL editor, which is compiled for each database, and for what only tests do: an update of every
 * row of a table, or a dump.
 */
export function normalised(sql: string): string | null {
  const text = sql
    .replace(/^\s*--.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (!/^(select|insert|update|delete|with)\b/i.test(text)) return null
  if (/svc_migrations|pg_catalog|^select '|\bresult\.c1\b/.test(text)) return null
  if (/^update "\w+" set (?!.* where )/.test(text)) return null
  return text
    .replace(/^update ("\w+") set .*? where /, 'update $1 where ')
    .replace(/ for (update|share)( skip locked)?$/, '')
    .replace(/\$\d+(::\w+)?/g, '?')
    .replace(/\?\d+/g, '?')
    .replace(/(?<![\w"'.])\d+(?![\w"'.])/g, '?')
    .replace(/'[a-z]+_[0-9A-Z]{26}'/g, '?')
    .replaceAll(VALUE_ROWS, '(?)')
    .replace(/(\?\+?, ?)+\?\+?/g, '?+')
    .replace(/on conflict \(([^)]*)\)/g, (_all, columns: string) => `on conflict (${withoutTables(columns)})`)
}

const VALUE = String.raw`(?:-?\?\+?|null|default|'[^']*')`
const ROW = String.raw`\(${VALUE}(?:, ?${VALUE})*\)`
const VALUE_ROWS = new RegExp(`${ROW}(?:, ?${ROW})*`, 'g')

const withoutTables = (columns: string): string => columns.replace(/"\w+"\."/g, '"').replace(/, /g, ',')
