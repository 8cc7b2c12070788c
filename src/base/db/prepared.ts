import { sql } from 'drizzle-orm'
import type { Db, Handle } from './handle'

const queries = new WeakMap<Db, Map<string, unknown>>()

/** Where the queries of an open transaction come from, when each transaction has its own `db`. */
export interface QuerySource {
  /** The handle of the whole database, for which each query is built once. */
  root: Handle
  /** The same query, to be executed in the transaction. */
  bind<Query>(query: Query): Query
}

const sources = new WeakMap<Db, QuerySource>()

/** Makes `prepared` take the queries of a transaction from those of its database. */
export const takeQueriesFrom = (db: Db, source: QuerySource): void => void sources.set(db, source)

/**
 * A query that is built once for each database and then only executed: building the text takes half the time of a
 * small query. `name` is unique in the whole product. Values that vary come in as `sql.placeholder`.
 */
export function prepared<Query>(handle: Handle, name: string, build: (handle: Handle) => Query): Query {
  const source = sources.get(handle.db)
  return source ? source.bind(preparedFor(source.root, name, build)) : preparedFor(handle, name, build)
}

/** Something that is made once for each database, as its queries are. `name` is none of a query. */
export const madeOnce = <Made>(handle: Handle, name: string, make: () => Made): Made =>
  preparedFor(sources.get(handle.db)?.root ?? handle, name, make)

interface Selected<Row> {
  execute(values: Record<string, unknown>): Promise<Row[]>
  executeOne?(values: Record<string, unknown>): Promise<Row[]>
  executeAlone?(values: Record<string, unknown>): Promise<Row[]>
}

/** Runs a prepared statement that returns at most one row. On a local file that takes less time. */
export const executeOne = async <Row>(query: Selected<Row>, values: Record<string, unknown>): Promise<Row | null> =>
  (await (query.executeOne ? query.executeOne(values) : query.execute(values)))[0] ?? null

/**
 * Runs a prepared query for one row whose result need not be of the same state as other reads of the call. On a local file
 * it needs no read transaction. The query ends with a limit of 1.
 */
export const executeAlone = async <Row>(query: Selected<Row>, values: Record<string, unknown>): Promise<Row | null> =>
  (await (query.executeAlone ? query.executeAlone(values) : query.execute(values)))[0] ?? null

function preparedFor<Query>(handle: Handle, name: string, build: (handle: Handle) => Query): Query {
  const known = queries.get(handle.db)?.get(name) as Query | undefined
  return known ?? keep(handle, name, build(handle))
}

function keep<Query>({ db }: Handle, name: string, query: Query): Query {
  const known = queries.get(db) ?? new Map<string, unknown>()
  queries.set(db, known.set(name, query))
  return query
}

/**
 * Rows for a prepared insert: the part for the query's name, the values, and the placeholders to build the query with.
 */
export interface PreparedRows<Row> {
  /**
   * Becomes part of the query's name, because another number of rows, or nulls in other columns, need another query.
   */
  shape: string
  params: Record<string, unknown>
  values(): Row[]
}

/**
 * Nulls are written into the text of the query: given as a value, null in a JSON column would become the JSON text
 * `null`.
 */
export function preparedRows<Row extends object>(rows: readonly Row[]): PreparedRows<Row> {
  const [only] = rows
  return only && rows.length === 1 ? preparedRow(only as Row & Record<string, unknown>) : numberedRows(rows)
}

/** Most rows come alone. Then the row itself has the values by the names of their placeholders. */
function preparedRow<Row extends object>(row: Row & Record<string, unknown>): PreparedRows<Row> {
  let shape = '1'
  for (const column in row) if (row[column] === null) shape += `,${column}`
  return { shape, params: row, values: () => [toPlaceholders(row, '')] }
}

function numberedRows<Row extends object>(rows: readonly Row[]): PreparedRows<Row> {
  const params: Record<string, unknown> = {}
  let shape = `${rows.length}`
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as Record<string, unknown>
    for (const column in row) {
      const name = column + index
      if (row[column] === null) shape += `,${name}`
      else params[name] = row[column]
    }
  }
  return { shape, params, values: () => rows.map((row, index) => toPlaceholders(row, index)) }
}

/**
 * A change for a prepared update: the part for the query's name, the values, and the placeholders to build the query
 * with.
 */
export interface PreparedChange<Row> {
  /** Becomes part of the query's name, because other columns, or nulls in other columns, need another query. */
  shape: string
  params: Record<string, unknown>
  set(): Row
}

export function preparedChange<Row extends object>(change: Row): PreparedChange<Row> {
  const { shape, params } = numberedRows([change])
  return { shape: `${Object.keys(change).join()} ${shape}`, params, set: () => toPlaceholders(change, 0) }
}

function toPlaceholders<Row extends object>(row: Row, index: number | ''): Row {
  const members = Object.entries(row).map(([column, value]): [string, unknown] => [
    column,
    value === null ? sql`null` : sql.placeholder(`${column}${index}`),
  ])
  // Drizzle accepts a placeholder wherever it accepts a value.
  return Object.fromEntries(members) as Row
}
