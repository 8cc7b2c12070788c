import type { TransactionSql } from 'postgres'
import {
  DumpError,
  type Page,
  quoteName,
  type RawValue,
  type TableReader,
  type TableWriter,
  toRaw,
  toRecord,
} from './dump'

export const postgresReader = (tx: TransactionSql): TableReader => ({
  tableNames: () => tableNames(tx),
  count: async (table) => Number((await query(tx, `select count(*) from ${quoteName(table)}`))[0]?.[0]),
  serials: () => readSerials(tx),
  pages: (table, where) => readPages(tx, table, where),
  rows: (statement) => query(tx, statement),
})

export function postgresWriter(tx: TransactionSql): TableWriter {
  const statements = new Map<string, string>()
  return {
    tableNames: () => tableNames(tx),
    isEmpty: async (table) => (await query(tx, `select 1 from ${quoteName(table)} limit 1`)).length === 0,
    run: async (statement) => void (await query(tx, statement)),
    async insert(table, page) {
      const statement = statements.get(table) ?? (await insertStatement(tx, table, page.columns))
      statements.set(table, statement)
      await query(tx, statement, [JSON.stringify(page.rows.map((row) => toRecord(page.columns, row)))])
    },
    finish: (tables, serials) => finish(tx, tables, serials),
  }
}

type Rows = unknown[][]

const query = async (tx: TransactionSql, statement: string, args: string[] = []): Promise<Rows> =>
  tx.unsafe(statement, args).values() as unknown as Promise<Rows>

const tableNames = async (tx: TransactionSql): Promise<string[]> =>
  (await query(tx, 'select tablename from pg_tables where schemaname = current_schema()')).map(([name]) => String(name))

/** By column type: the expression that reads it, its type in a row set made from JSON, and how that is stored. */
const TYPES: Record<string, { read: string; asJson: string; store: string }> = {
  text: { read: '', asJson: 'text', store: '' },
  bigint: { read: '::text', asJson: 'bigint', store: '' },
  'double precision': { read: '', asJson: 'double precision', store: '' },
  boolean: { read: '::integer', asJson: 'integer', store: '::boolean' },
  jsonb: { read: '::text', asJson: 'text', store: '::jsonb' },
}

interface Column {
  name: string
  type: string
  read: string
  asJson: string
  store: string
}

async function listColumns(tx: TransactionSql, table: string): Promise<Column[]> {
  const rows = await query(
    tx,
    `select attname, format_type(atttypid, null) from pg_attribute
     where attrelid = $1::text::regclass and attnum > 0 and not attisdropped order by attnum`,
    [quoteName(table)],
  )
  return rows.map(([name, type]) => toColumn(table, String(name), String(type)))
}

function toColumn(table: string, name: string, type: string): Column {
  const known = TYPES[type]
  if (!known) throw new DumpError(`column ${name} of table ${table} is of type ${type}, which a backup cannot carry`)
  return { name, type, ...known }
}

const PAGE_ROWS = 200

async function* readPages(tx: TransactionSql, table: string, where = 'true'): AsyncGenerator<Page> {
  const columns = await listColumns(tx, table)
  const list = columns.map(({ name, read }) => quoteName(name) + read).join(', ')
  const order = (await listKey(tx, table)).map(quoteName).join(', ')
  const statement = `select ${list} from ${quoteName(table)} where ${where} ${order === '' ? '' : `order by ${order}`}`
  const cursor = tx.unsafe(statement).values().cursor(PAGE_ROWS) as unknown as AsyncIterable<Rows>
  for await (const rows of cursor)
    yield { columns: columns.map(({ name }) => name), rows: rows.map((row) => toValues(row, table, columns)) }
}

const toValues = (row: unknown[], table: string, columns: readonly Column[]): RawValue[] =>
  columns.map(({ name, type }, index) => toRaw(toInteger(row[index], type), table, name))

/** 64-bit integers arrive as text. */
function toInteger(value: unknown, type: string): unknown {
  if (type !== 'bigint' || value === null) return value
  return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(String(value))
}

async function listKey(tx: TransactionSql, table: string): Promise<string[]> {
  const rows = await query(
    tx,
    `select a.attname from pg_index i cross join unnest(i.indkey) with ordinality as k (number, place)
     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
     where i.indisprimary and i.indrelid = $1::text::regclass order by k.place`,
    [quoteName(table)],
  )
  return rows.map(([name]) => String(name))
}

/** Builds the statement that inserts a page from one JSON text. The casts are the reverse of `read`. */
async function insertStatement(tx: TransactionSql, table: string, given: readonly string[]): Promise<string> {
  const known = new Map((await listColumns(tx, table)).map((column) => [column.name, column]))
  const columns = given.map((name) => known.get(name) ?? unknownColumn(table, name))
  const names = columns.map(({ name }) => quoteName(name)).join(', ')
  const values = columns.map(({ name, store }) => quoteName(name) + store).join(', ')
  const types = columns.map(({ name, asJson }) => `${quoteName(name)} ${asJson}`).join(', ')
  return `insert into ${quoteName(table)} (${names}) select ${values} from json_to_recordset($1::text::json) as r (${types})`
}

function unknownColumn(table: string, name: string): never {
  throw new DumpError(`table ${table} has no column ${name}`)
}

interface Sequence {
  table: string
  /** Schema and name, quoted. */
  sequence: string
  value: number
}

/** The sequences that belong to a column. A value of 0 means that the sequence was never used. */
async function listSequences(tx: TransactionSql): Promise<Sequence[]> {
  const rows = await query(
    tx,
    `select t.relname, s.oid::regclass::text, coalesce(q.last_value, 0)::text
     from pg_class s join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
     join pg_class t on t.oid = d.refobjid and d.refclassid = 'pg_class'::regclass
     join pg_namespace n on n.oid = s.relnamespace
     join pg_sequences q on q.schemaname = n.nspname and q.sequencename = s.relname
     where s.relkind = 'S' and n.nspname = current_schema() order by t.relname`,
  )
  return rows.map(([table, sequence, value]) => ({
    table: String(table),
    sequence: String(sequence),
    value: Number(value),
  }))
}

async function readSerials(tx: TransactionSql): Promise<Record<string, number>> {
  const used = (await listSequences(tx)).filter(({ value }) => value > 0)
  return Object.fromEntries(used.map(({ table, value }) => [table, value]))
}

async function finish(tx: TransactionSql, tables: readonly string[], serials: Readonly<Record<string, number>>) {
  for (const { table, sequence, value } of await listSequences(tx)) {
    const wanted = Math.max(value, serials[table] ?? 0)
    if (wanted > 0) await query(tx, 'select setval($1::text::regclass, $2::text::bigint)', [sequence, String(wanted)])
  }
  // Without this, the planner would know nothing about the new rows until autovacuum runs.
  for (const table of tables) await query(tx, `analyze ${quoteName(table)}`)
}
