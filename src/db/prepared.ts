import type { Db, Handle } from './handle'

const queries = new WeakMap<Db, Map<string, unknown>>()

/**
 * A query built once for each connection and then only executed: building its text is half of what a small read
 * costs. `name` is unique in the product; what varies comes in as `sql.placeholder`.
 */
export function prepared<Query>(handle: Handle, name: string, build: (handle: Handle) => Query): Query {
  const known = queries.get(handle.db) ?? new Map<string, unknown>()
  queries.set(handle.db, known)
  const query = (known.get(name) as Query | undefined) ?? build(handle)
  known.set(name, query)
  return query
}
