import { type Page, quoteName, type RawValue, type TableReader, type TableWriter, toRaw } from './dump'

/** A connection inside a transaction. It returns rows as arrays. */
export interface SqliteConnection {
  execute(statement: { sql: string; args: RawValue[] }): Promise<{ rows: ArrayLike<unknown>[] }>
}

export const sqliteReader = (connection: SqliteConnection): TableReader => ({
  tableNames: () => tableNames(connection),
  count: async (table) => Number((await query(connection, `select count(*) from ${quoteName(table)}`))[0]?.[0]),
  serials: () => readSerials(connection),
  pages: (table, where) => readPages(connection, table, where),
  rows: async (statement) => (await query(connection, statement)).map((row) => Array.from(row)),
})

export const sqliteWriter = (connection: SqliteConnection): TableWriter => ({
  tableNames: () => tableNames(connection),
  isEmpty: async (table) => (await query(connection, `select 1 from ${quoteName(table)} limit 1`)).length === 0,
  run: async (statement) => void (await query(connection, statement)),
  insert: (table, page) => insertRows(connection, table, page),
  finish: (_tables, serials) => raiseSerials(connection, serials),
})

const query = async (connection: SqliteConnection, sql: string, args: RawValue[] = []) =>
  (await connection.execute({ sql, args })).rows

const firstColumn = async (connection: SqliteConnection, sql: string, args: RawValue[] = []): Promise<string[]> =>
  (await query(connection, sql, args)).map((row) => String(row[0]))

const tableNames = (connection: SqliteConnection): Promise<string[]> =>
  firstColumn(connection, "select name from sqlite_schema where type = 'table'")

/** SQLite creates the table of serials only when a table has a serial key, so it may not exist. */
async function readSerials(connection: SqliteConnection): Promise<Record<string, number>> {
  if (!(await tableNames(connection)).includes('sqlite_sequence')) return {}
  const rows = await query(connection, 'select name, seq from sqlite_sequence order by name')
  return Object.fromEntries(rows.map((row) => [String(row[0]), Number(row[1])]))
}

async function raiseSerials(connection: SqliteConnection, serials: Readonly<Record<string, number>>): Promise<void> {
  for (const [table, value] of Object.entries(serials)) {
    await query(connection, 'update sqlite_sequence set seq = max(seq, ?) where name = ?', [value, table])
    const isMissing = 'where not exists (select 1 from sqlite_sequence where name = ?)'
    await query(connection, `insert into sqlite_sequence (name, seq) select ?, ? ${isMissing}`, [table, value, table])
  }
}

const FIRST_ROWS = 50
const MAX_ROWS = 500
const PAGE_CHARACTERS = 1_000_000

async function* readPages(connection: SqliteConnection, table: string, where?: string): AsyncGenerator<Page> {
  const found = await query(connection, 'select name, type from pragma_table_info(?)', [table])
  const columns = found.map((row) => ({ name: String(row[0]), isInteger: /^integer$/i.test(String(row[1])) }))
  const names = columns.map(({ name }) => name)
  const list = ['"rowid"', ...columns.map(expressionOf)].join(', ')
  // By an index, each page would be sorted from the start.
  const from = where === undefined ? quoteName(table) : `${quoteName(table)} not indexed`
  const also = where === undefined ? '' : `and (${where})`
  const sql = `select ${list} from ${from} where rowid > ? ${also} order by rowid limit ?`
  let after = Number.MIN_SAFE_INTEGER
  let limit = FIRST_ROWS
  for (;;) {
    const page = await query(connection, sql, [after, limit])
    const last = page.at(-1)
    if (last === undefined) return
    after = Number(last[0])
    const rows = page.map((row) =>
      columns.map((column, index) => toRaw(exactValue(row[index + 1], column), table, column.name)),
    )
    yield { columns: names, rows }
    limit = Math.min(MAX_ROWS, Math.max(1, Math.floor((rows.length * PAGE_CHARACTERS) / characters(rows))))
  }
}

interface Column {
  name: string
  isInteger: boolean
}

/** Reads an integer that a number cannot hold as text, because the driver would round it. */
function expressionOf({ name, isInteger }: Column): string {
  const quoted = quoteName(name)
  if (!isInteger) return quoted
  const isLong = `typeof(${quoted}) = 'integer' and ${quoted} not between ${-MAX_SAFE} and ${MAX_SAFE}`
  return `case when ${isLong} then cast(${quoted} as text) else ${quoted} end`
}

const MAX_SAFE = Number.MAX_SAFE_INTEGER

const exactValue = (value: unknown, { isInteger }: Column): unknown =>
  isInteger && typeof value === 'string' && /^-?\d{16,19}$/.test(value) ? BigInt(value) : value

function characters(rows: readonly RawValue[][]): number {
  let sum = 1
  for (const row of rows) for (const value of row) sum += typeof value === 'string' ? value.length : 8
  return sum
}

const ROWS_PER_STATEMENT = 100

async function insertRows(connection: SqliteConnection, table: string, { columns, rows }: Page): Promise<void> {
  const head = `insert into ${quoteName(table)} (${columns.map(quoteName).join(', ')}) values `
  const one = `(${columns.map(() => '?').join(', ')})`
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const some = rows.slice(from, from + ROWS_PER_STATEMENT)
    await query(connection, head + some.map(() => one).join(', '), some.flat())
  }
}
