import { closeSync, copyFileSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { DAY } from '../../src/base/lib/clock'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { DEVICE, LABEL, NOTIFICATION, ORDER, RENEWAL, type Template, TRANSACTION } from './template'

type Row = Record<string, string | number | null>

/**
 * One subscriber in this many has a ledger, and the events and notifications of the last days; older ones are deleted
 * by then.
 */
export const LEDGER_STEP = 10

/** Names of the subscriber with the number `index`, from 1. Device keys have no order, like the UUIDs of apps. */
export const deviceOf = (index: number): string =>
  `${(Math.imul(index, SCATTER) >>> 0).toString(16).padStart(8, '0')}-device-${index}`
export const labelOf = (index: number): string => `user-${index}`

const SCATTER = 2654435761

/** The subscriber's purchase as in the last notification of the store and in the database. */
export const latestOf = ({ latest }: Template, index: number): TransactionPayload => ({
  ...latest,
  transactionId: transactionOf(4, index),
  originalTransactionId: transactionOf(2, index),
  webOrderLineItemId: transactionOf(4, index),
})

const transactionOf = (first: number, index: number): string => `${first}${String(index).padStart(15, '0')}`

/** The same names in SQL; `i` is the number. */
const NAMES: Record<string, string> = {
  [DEVICE]: `printf('%08x-device-%d', (i * ${SCATTER}) & 0xffffffff, i)`,
  [LABEL]: "printf('user-%d', i)",
  [ORDER]: "printf('order-%d', i)",
  [TRANSACTION]: "printf('2%015d', i)",
  [RENEWAL]: "printf('4%015d', i)",
  [NOTIFICATION]: "printf('notification-%d', i)",
}

/** The tables with rows of a subscriber, with the prefix of their ids. */
const PARTS: { table: string; prefix: string | null; step: number }[] = [
  { table: 'subscribers', prefix: 'sub', step: 1 },
  { table: 'purchases', prefix: 'pur', step: 1 },
  { table: 'purchase_observations', prefix: null, step: 1 },
  { table: 'transactions', prefix: 'txn', step: 1 },
  { table: 'experiment_assignments', prefix: null, step: 1 },
  { table: 'ledger', prefix: 'vtx', step: LEDGER_STEP },
  { table: 'balances', prefix: null, step: LEDGER_STEP },
  { table: 'events', prefix: 'evt', step: LEDGER_STEP },
  { table: 'store_events', prefix: 'sev', step: LEDGER_STEP },
]

const FAST = ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -1000000']

/**
 * Fills a folder's database with `count` subscribers. Each is a copy of the template's subscriber with its own names,
 * created inside the database. `tables` leaves out what a benchmark does not need. Afterwards everything is on the
 * disk, so that no later sync has to wait for it.
 */
export function seed(
  template: Template,
  folder: string,
  count: number,
  progress: (line: string) => void,
  tables: readonly string[] = PARTS.map(({ table }) => table),
): void {
  const path = join(folder, 'svc.db')
  mkdirSync(folder, { recursive: true })
  copyFileSync(template.path, path)
  const database = new Database(path)
  for (const pragma of FAST) database.exec(`PRAGMA ${pragma}`)
  fill(database, tables, count, progress)
  database.exec('PRAGMA journal_mode = WAL')
  database.close()
  syncFile(path)
}

const CHUNK = 100_000

function fill(
  database: Database.Database,
  tables: readonly string[],
  count: number,
  progress: (line: string) => void,
): void {
  const parts = PARTS.map((part) => ({ ...part, rows: listRows(database, part.table) }))
  const names = { ...NAMES, ...ownIds(parts) }
  for (const { table, rows, step } of parts.filter((part) => tables.includes(part.table))) {
    const statements = rows.map((row) => database.prepare(copyStatement(table, row, { names, step, count })))
    for (let done = 0; done < count; done += CHUNK) {
      const last = Math.min(count, done + CHUNK)
      database.exec('BEGIN')
      for (const statement of statements) statement.run([done + step, last])
      database.exec('COMMIT')
      progress(`${table}: ${Math.floor(last / step)} of ${Math.floor(count / step)}`)
    }
  }
}

const listRows = (database: Database.Database, table: string): Row[] =>
  database.prepare(`SELECT * FROM ${table}`).all() as Row[]

/** The values that replace the ids in the template's rows. */
function ownIds(parts: readonly { prefix: string | null; rows: readonly Row[] }[]): Record<string, string> {
  const named = parts.flatMap(({ prefix, rows }) =>
    prefix === null ? [] : rows.map(({ id }, index): [string, string] => [String(id), idOf(prefix, index)]),
  )
  return Object.fromEntries(named)
}

const idOf = (prefix: string, index: number): string => `printf('${prefix}_%025d${index}', i)`

/** Milliseconds between the ends of two subscribers: the ends are spread over the month after the template's end. */
export const endStepMs = (count: number): number => Math.floor((30 * DAY) / count)

interface Copies {
  names: Record<string, string>
  step: number
  count: number
}

/** Inserts a row again for each number from ?1 to ?2 in steps of `step`. */
function copyStatement(table: string, row: Row, { names, step, count }: Copies): string {
  const columns = Object.keys(row).filter((name) => name !== 'position')
  const values = columns.map((name) =>
    name === 'sweep_at' ? `${row[name]} + i * ${endStepMs(count)}` : toExpression(row[name] ?? null, names),
  )
  return `WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + ${step} FROM n WHERE i + ${step} <= ?2)
    INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM n`
}

/** A column's value as SQL, with each name in it replaced by the one of the number. */
function toExpression(value: string | number | null, names: Record<string, string>): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  const pieces = value.split(new RegExp(`(${Object.keys(names).join('|')})`))
  return pieces.map((piece) => names[piece] ?? `'${piece.replaceAll("'", "''")}'`).join(' || ')
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}
