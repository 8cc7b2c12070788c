import { type SQL, sql } from 'drizzle-orm'
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

/** Rows to insert by a prepared query: placeholders in their shape, and the values to fill in. */
export interface PreparedRows<Row> {
  /** Joins the query's name: rows of another number, or with nulls elsewhere, are another query. */
  shape: string
  values: Row[]
  params: Record<string, unknown>
}

/** Nulls stand in the text itself: as a value, the null of a JSON column would be the JSON text `null`. */
export function preparedRows<Row extends object>(rows: readonly Row[]): PreparedRows<Row> {
  const params: Record<string, unknown> = {}
  const nulls: string[] = []
  const values = rows.map((row, index) => {
    const members = Object.entries(row).map(([column, value]): [string, SQL | ReturnType<typeof sql.placeholder>] => {
      const name = `${column}${index}`
      if (value === null) nulls.push(name)
      else params[name] = value
      return [column, value === null ? sql`null` : sql.placeholder(name)]
    })
    // Drizzle takes placeholders wherever it takes values.
    return Object.fromEntries(members) as Row
  })
  return { shape: `${rows.length}:${nulls.join()}`, values, params }
}
