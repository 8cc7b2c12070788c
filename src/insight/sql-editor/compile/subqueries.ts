import type { SubLink } from 'libpg-query'
import { Rejection } from '../rejection'
import { unify } from './constants'
import { type Expr, madeOf } from './expr'
import type { Level, Query } from './level'
import { nameOf } from './operators'

/** A query inside an expression: one value, EXISTS, or a list of values for IN. */
export function subquery(level: Level, node: SubLink): Expr {
  const { subLinkType, subselect, location } = node
  if (!subselect || !('SelectStmt' in subselect))
    throw new Rejection('not_select', 'Only a SELECT can stand here', location)
  const { compiler } = level
  const query = compiler.query(subselect.SelectStmt, level, level.sources)
  if (subLinkType === 'EXISTS_SUBLINK') return within(query, { sql: `(exists (${query.sql}))`, type: 'boolean' })
  const [column, second] = query.columns
  if (!column || second) throw new Rejection('syntax', 'The query inside must have one column', location)
  if (subLinkType === 'EXPR_SUBLINK') return oneValue(level, query)
  if (subLinkType === 'ANY_SUBLINK' && isEquality(node)) return inQuery(level, node, query)
  throw new Rejection('syntax', 'This kind of query in an expression is not supported', location)
}

const isEquality = ({ operName }: SubLink): boolean => !operName || nameOf({ name: operName }) === '='

/** The first row counts, also where PostgreSQL would refuse several. */
function oneValue(level: Level, query: Query): Expr {
  const { type = 'null', texts = 1 } = query.columns[0] ?? {}
  const name = level.compiler.nextName()
  const sql = query.isLimited ? `(select ${name}.c1 from (${query.sql}) as ${name} limit 1)` : `(${query.sql} limit 1)`
  return within(query, { sql, type, texts, ...(type === 'json' && { json: { column: sql, path: [] } }) })
}

function inQuery(level: Level, { testexpr, location }: SubLink, query: Query): Expr {
  const name = level.compiler.nextName()
  const { type = 'null', texts = 1 } = query.columns[0] ?? {}
  const column = madeOf([], { sql: `${name}.c1`, type, texts })
  const [value, found] = unify(level.compiler, [level.expression(testexpr), column], location) as [Expr, Expr]
  if (found.type === 'json') throw new Rejection('syntax', 'JSON cannot be compared', location)
  const list = found.sql === column.sql ? query.sql : `select ${found.sql} as c1 from (${query.sql}) as ${name}`
  const sql = level.compiler.dialect.inQuery(value.sql, list)
  const inner = within(query, { sql, type: 'boolean' })
  return madeOf([value, inner], { sql, type: 'boolean' })
}

/** Inside, aggregates are of the inner query. What it uses of the queries around it, it uses for them. */
const within = ({ uses }: Query, written: Pick<Expr, 'sql' | 'type'> & Partial<Expr>): Expr => ({
  ...madeOf([], written),
  uses,
})
