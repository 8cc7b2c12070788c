import type { CommonTableExpr, Node, SelectStmt } from 'libpg-query'
import { Rejection } from '../rejection'
import { typed } from './constants'
import type { Expr } from './expr'
import { fromClause, renamed, toSource } from './from'
import { type Compiler, Level, type OutputColumn, type Query, type Source, type Sources } from './level'
import { locationOf, sortKeys } from './order'
import { limits, setOperation } from './set-operation'
import { type Target, targetsOf } from './targets'

/** One SELECT, with its WITH and with those that UNION joins to it. */
export function selectQuery(compiler: Compiler, select: SelectStmt, outer: Level | null, around: Sources): Query {
  refuseOthers(select)
  const { sources, withs } = withClause(compiler, select, around)
  const query =
    select.op && select.op !== 'SETOP_NONE'
      ? setOperation(compiler, select, (side) => compiler.query(side, outer, sources))
      : plainSelect(new Level(compiler, outer, sources), select)
  return withs.length === 0 ? query : { ...query, sql: `with ${withs.join(', ')} ${query.sql}` }
}

function refuseOthers({
  intoClause,
  lockingClause,
  valuesLists,
  windowClause,
  groupDistinct,
  limitOption,
}: SelectStmt) {
  if (intoClause) throw new Rejection('not_select', 'SELECT INTO writes a table', intoClause.rel?.location)
  if (lockingClause) throw new Rejection('not_select', 'FOR UPDATE and FOR SHARE lock rows')
  if (valuesLists) throw new Rejection('syntax', 'VALUES is not supported; write SELECT … UNION ALL SELECT …')
  if (windowClause) throw new Rejection('syntax', 'WINDOW is not supported; write OVER (…)')
  if (groupDistinct) throw new Rejection('syntax', 'GROUP BY DISTINCT is not supported')
  if (limitOption === 'LIMIT_OPTION_WITH_TIES') throw new Rejection('syntax', 'WITH TIES is not supported')
}

function withClause(compiler: Compiler, { withClause }: SelectStmt, around: Sources) {
  const sources = new Map(around)
  const withs: string[] = []
  if (withClause?.recursive) throw new Rejection('syntax', 'WITH RECURSIVE is not supported', withClause.location)
  for (const node of withClause?.ctes ?? []) {
    if (!('CommonTableExpr' in node)) throw new Rejection('syntax', 'This WITH is not supported')
    const { name, sql, source } = commonTable(compiler, node.CommonTableExpr, sources)
    sources.set(name, source)
    withs.push(`${source.sql} as (${sql})`)
  }
  return { sources, withs }
}

function commonTable(
  compiler: Compiler,
  { ctename = '', aliascolnames = [], ctequery, location }: CommonTableExpr,
  sources: Sources,
): { name: string; sql: string; source: Source } {
  if (!ctequery || !('SelectStmt' in ctequery))
    throw new Rejection('not_select', 'Only a SELECT can stand in WITH', location)
  const query = compiler.query(ctequery.SelectStmt, null, sources)
  const { columns } = toSource(query)
  const source = { sql: compiler.nextName(), columns: renamed(columns, { colnames: aliascolnames }) }
  return { name: ctename, sql: query.sql, source }
}

function plainSelect(level: Level, select: SelectStmt): Query {
  const outside: Expr['uses'][number][] = []
  const tables = fromClause(level, select.fromClause ?? [], outside)
  const where = select.whereClause && condition(level, select.whereClause, 'where')
  level.clause = 'select'
  const groups = (select.groupClause ?? []).map((node) => groupKey(level, node, select))
  for (const { sql } of groups) level.groups.add(sql)
  const targets = targetsOf(level, select.targetList ?? [])
  const having = havingOf(level, select, targets)
  const isDistinct = isDistinctSelect(select.distinctClause, targets)
  const keys = sortKeys(level, select.sortClause ?? [], (node) => sortTarget(level, node, targets, isDistinct))
  const shown = [...targets, ...keys].map(({ expr }) => expr)
  refuseUngrouped(level, groups, having ? [...shown, having] : shown)
  const core = [
    `select ${isDistinct ? 'distinct ' : ''}${listOf(targets)}`,
    tables === '' ? '' : ` from ${tables}`,
    where ? ` where ${where.sql}` : '',
    groups.length > 0 ? ` group by ${groups.map(({ sql }) => sql).join(', ')}` : '',
    having ? ` having ${having.sql}` : '',
  ].join('')
  for (const part of [...shown, ...groups, where, having]) outside.push(...(part?.uses ?? []))
  const limit = limits(level, select)
  const sql = ordered(level, core, isDistinct ? targets : null, keys, limit)
  const uses = outside.filter((use) => use.level !== level)
  const query: Query = { sql, columns: targets.map(toColumn), uses, isLimited: limit !== '' }
  return sql === core ? { ...query, open: 'select' } : query
}

const listOf = (targets: readonly Target[]): string =>
  targets.map(({ expr }, index) => `${expr.sql} as c${index + 1}`).join(', ')

const toColumn = ({ name, expr: { type, texts, isLocal } }: Target): OutputColumn => ({
  ...{ name, type, texts },
  ...(isLocal && { isLocal }),
})

function condition(level: Level, node: Node, clause: 'where' | 'having'): Expr {
  return typed(level.compiler, level.expression(node, clause), 'boolean', locationOf(node))
}

/** SQLite reads HAVING only where it has seen that rows are put together. */
function havingOf(
  level: Level,
  { groupClause, havingClause }: SelectStmt,
  targets: readonly Target[],
): Expr | undefined {
  if (!havingClause) return undefined
  if (groupClause || targets.some(({ expr }) => expr.hasAggregate)) return condition(level, havingClause, 'having')
  throw new Rejection('syntax', 'HAVING needs GROUP BY, or an aggregate in the SELECT list', locationOf(havingClause))
}

function isDistinctSelect(clause: readonly Node[] | undefined, targets: readonly Target[]): boolean {
  if (!clause) return false
  if (clause.some((node) => Object.keys(node).length > 0)) throw new Rejection('syntax', 'DISTINCT ON is not supported')
  if (targets.some(({ expr }) => expr.type === 'json')) throw new Rejection('syntax', 'DISTINCT cannot compare JSON')
  return true
}

/** A key of GROUP BY: an expression, or the name or number of a column of the result. */
function groupKey(level: Level, node: Node, { targetList = [] }: SelectStmt): Expr {
  const found = level.expression(groupNode(level, node, targetList), 'group')
  if (found.type === 'json' || found.constant)
    throw new Rejection('syntax', 'GROUP BY takes columns and expressions, and no JSON', locationOf(node))
  return found
}

function groupNode(level: Level, node: Node, targetList: readonly Node[]): Node {
  const targets = targetList.flatMap((target) => ('ResTarget' in target ? [target.ResTarget] : []))
  const number = 'A_Const' in node ? node.A_Const.ival?.ival : undefined
  if (number !== undefined) return targets[number - 1]?.val ?? outOfRange(number, node)
  const name = nameOf(node)
  const isColumn = level.relations.some(({ columns }) => columns.some((column) => column.name === name))
  return (name !== null && !isColumn && targets.find((target) => target.name === name)?.val) || node
}

function outOfRange(number: number, node: Node): never {
  throw new Rejection('syntax', `The result has no column ${number}`, locationOf(node))
}

const nameOf = (node: Node): string | null => {
  const fields = 'ColumnRef' in node ? (node.ColumnRef.fields ?? []) : []
  const [only, second] = fields
  return only && 'String' in only && !second ? (only.String.sval ?? null) : null
}

/** A key of ORDER BY: a name or number of a column of the result comes before any other reading. */
function sortTarget(level: Level, node: Node, targets: readonly Target[], isDistinct: boolean): Expr {
  const number = 'A_Const' in node ? node.A_Const.ival?.ival : undefined
  if (number !== undefined) return (targets[number - 1] ?? outOfRange(number, node)).expr
  const name = nameOf(node)
  const [named, second] = targets.filter((target) => target.name === name)
  if (named && second && named.expr.sql !== second.expr.sql)
    throw new Rejection('syntax', `The column "${name}" is ambiguous`, locationOf(node))
  if (named) return named.expr
  const expr = level.expression(node, 'order')
  if (!isDistinct || targets.some((target) => target.expr.sql === expr.sql)) return expr
  throw new Rejection('syntax', 'ORDER BY of a SELECT DISTINCT takes columns of its result', locationOf(node))
}

/** Where rows are put together, a column alone has no value. */
function refuseUngrouped(level: Level, groups: readonly Expr[], parts: readonly Expr[]): void {
  if (groups.length === 0 && !parts.some(({ hasAggregate }) => hasAggregate)) return
  const use = parts.flatMap((part) => part.uses).find((found) => found.level === level)
  if (use) throw new Rejection('syntax', `The column "${use.name}" must stand in GROUP BY or in an aggregate function`)
}

/** With DISTINCT the order is made outside, because an order by bytes is no column of the result. */
function ordered(
  level: Level,
  core: string,
  distinct: readonly Target[] | null,
  keys: ReturnType<typeof sortKeys>,
  limit: string,
): string {
  if (keys.length === 0) return `${core}${limit}`
  if (!distinct) return `${core} order by ${keys.map(({ sql }) => sql).join(', ')}${limit}`
  const name = level.compiler.nextName()
  const outside = keys.map(({ expr, sql }) => {
    const column = `${name}.c${distinct.findIndex((target) => target.expr.sql === expr.sql) + 1}`
    return `${column}${sql.slice(expr.sql.length)}`
  })
  const list = distinct.map((_, index) => `${name}.c${index + 1} as c${index + 1}`).join(', ')
  return `select ${list} from (${core}) as ${name} order by ${outside.join(', ')}${limit}`
}
