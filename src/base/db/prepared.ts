import { sql } from 'drizzle-orm'
import type { Db, Handle } from './handle'

const queries = new WeakMap<Db, Map<string, unknown>>()

/**
 * A query built once for each connection and then only executed: building its text is half of what a small query
 * costs. `name` is unique in the product; what varies comes in as `sql.placeholder`.
 */
export function prepared<Query>(handle: Handle, name: string, build: (handle: Handle) => Query): Query {
  const known = queries.get(handle.db) ?? new Map<string, unknown>()
  queries.set(handle.db, known)
  const query = (known.get(name) as Query | undefined) ?? build(handle)
  known.set(name, query)
  return query
}

/** Rows to insert by a prepared query: what it is called, the values to fill in, and the placeholders to build it with. */
export interface PreparedRows<Row> {
  /** Joins the query's name: rows of another number, or with nulls elsewhere, are another query. */
  shape: string
  params: Record<string, unknown>
  values(): Row[]
}

/** Nulls stand in the text itself: as a value, the null of a JSON column would be the JSON text `null`. */
export function preparedRows<Row extends object>(rows: readonly Row[]): PreparedRows<Row> {
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
  return { shape, params, values: () => rows.map(toPlaceholders) }
}

/** A change to be set by a prepared query: what it is called, the values, and the placeholders to build it with. */
export interface PreparedChange<Row> {
  /** Joins the query's name: other columns, or nulls elsewhere, are another query. */
  shape: string
  params: Record<string, unknown>
  set(): Row
}

export function preparedChange<Row extends object>(change: Row): PreparedChange<Row> {
  const { shape, params } = preparedRows([change])
  return { shape: `${Object.keys(change).join()} ${shape}`, params, set: () => toPlaceholders(change, 0) }
}

function toPlaceholders<Row extends object>(row: Row, index: number): Row {
  const members = Object.entries(row).map(([column, value]): [string, unknown] => [
    column,
    value === null ? sql`null` : sql.placeholder(`${column}${index}`),
  ])
  // Drizzle takes placeholders wherever it takes values.
  return Object.fromEntries(members) as Row
}
