import type { Alias, JoinExpr, Node, RangeVar } from 'libpg-query'
import { Rejection } from '../rejection'
import { typed } from './constants'
import type { Expr } from './expr'
import type { Level, Query, Relation, Source } from './level'
import { compare } from './operators'

/** With the tables below the views SQLite accepts 64. */
const MAX_RELATIONS = 14

/** The text after FROM; the tables are added to the level. `uses` gets what is used of the queries around it. */
export function fromClause(level: Level, nodes: readonly Node[], uses: Uses): string {
  return nodes
    .map((node, index) => {
      const { head, tail } = item(level, node, level.relations.length, uses)
      return index === 0 ? `${head}${tail}` : ` join ${head} on 1 = 1${tail}`
    })
    .join('')
}

type Uses = Expr['uses'][number][]

/** One table, and those that JOIN adds to it. Those from `first` on are of this item. */
function item(level: Level, node: Node, first: number, uses: Uses): { head: string; tail: string } {
  if ('JoinExpr' in node) return joined(level, node.JoinExpr, first, uses)
  return { head: table(level, node, uses), tail: '' }
}

function table(level: Level, node: Node, uses: Uses): string {
  if ('RangeVar' in node) return namedTable(level, node.RangeVar)
  if ('RangeFunction' in node) throw new Rejection('forbidden_function', 'A function cannot stand in FROM')
  if (!('RangeSubselect' in node)) throw new Rejection('syntax', 'This cannot stand in FROM')
  const { lateral, subquery, alias } = node.RangeSubselect
  if (lateral) throw new Rejection('syntax', 'LATERAL is not supported')
  if (!subquery || !('SelectStmt' in subquery)) throw new Rejection('not_select', 'Only a SELECT can stand in FROM')
  const query = level.compiler.query(subquery.SelectStmt, level.outer, level.sources)
  uses.push(...query.uses)
  return add(level, toSource(query), alias, alias?.aliasname ?? '')
}

export const toSource = ({ sql, columns }: Query): Source => ({
  sql: `(${sql})`,
  columns: columns.map((column, index) => ({ ...column, sqlName: `c${index + 1}` })),
})

function namedTable(level: Level, { catalogname, schemaname, relname = '', alias, location }: RangeVar): string {
  const isPlain = !catalogname && !schemaname
  const source = isPlain ? (level.sources.get(relname) ?? level.compiler.views.get(relname)) : undefined
  if (source) return add(level, source, alias, relname, location)
  const name = [catalogname, schemaname, relname].filter(Boolean).join('.')
  const known = [...level.compiler.views.keys()].join(', ')
  throw new Rejection('forbidden_table', `There is no table "${name}"; there are ${known}`, location)
}

function add(level: Level, source: Source, alias: Alias | undefined, own: string, location?: number): string {
  const name = alias?.aliasname ?? own
  if (name !== '' && level.relations.some((relation) => relation.name === name))
    throw new Rejection('syntax', `The table name "${name}" stands in FROM twice; give one another alias`, location)
  if (level.relations.length >= MAX_RELATIONS)
    throw new Rejection('syntax', `More than ${MAX_RELATIONS} tables stand in one FROM`, location)
  const sqlName = level.compiler.nextName()
  level.relations.push({ name, sqlName, columns: renamed(source.columns, alias), joined: new Set() })
  return `${source.sql} as ${sqlName}`
}

/** `AS t (a, b)`: other names for the first columns. */
export function renamed<Column extends { name: string }>(
  columns: readonly Column[],
  alias: { colnames?: Node[] } | undefined,
) {
  const names = (alias?.colnames ?? []).map((name) => ('String' in name ? (name.String.sval ?? '') : ''))
  if (names.length > columns.length) throw new Rejection('syntax', 'There are more column names than columns')
  return columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }))
}

function joined(level: Level, node: JoinExpr, first: number, uses: Uses): { head: string; tail: string } {
  const { jointype = 'JOIN_INNER', isNatural, larg, rarg, usingClause, join_using_alias, quals, alias } = node
  if (jointype !== 'JOIN_INNER' && jointype !== 'JOIN_LEFT')
    throw new Rejection('syntax', 'Only JOIN, LEFT JOIN and CROSS JOIN are supported')
  if (isNatural || alias || join_using_alias || !larg || !rarg || 'JoinExpr' in rarg)
    throw new Rejection('syntax', 'This form of JOIN is not supported')
  const { head, tail } = item(level, larg, first, uses)
  const at = level.relations.length
  const right = table(level, rarg, uses)
  const condition = usingClause
    ? usingCondition(level, usingClause, first, at)
    : quals && onCondition(level, quals, first)
  uses.push(...(condition?.uses.filter((use) => use.level !== level) ?? []))
  const kind = jointype === 'JOIN_LEFT' ? 'left join' : 'join'
  return { head, tail: `${tail} ${kind} ${right} on ${condition?.sql ?? '1 = 1'}` }
}

/** A condition sees the tables of its own JOIN only. */
function onCondition(level: Level, quals: Node, first: number): Expr {
  const others = level.relations.splice(0, first)
  try {
    return typed(level.compiler, level.expression(quals, 'from'), 'boolean', undefined)
  } finally {
    level.relations.unshift(...others)
  }
}

function usingCondition(level: Level, clause: readonly Node[], first: number, at: number): Expr {
  const names = clause.map((name) => ('String' in name ? (name.String.sval ?? '') : ''))
  const right = level.relations[at]
  if (!right) throw new Error('the joined table is missing')
  const equal = names.map((name) => {
    const left = level.relations
      .slice(first, at)
      .map((relation) => columnNamed(level, relation, name))
      .find((column) => column)
    const other = columnNamed(level, right, name)
    if (left && other) return compare(level, '=', left, other, undefined)
    throw new Rejection('syntax', `Both sides of USING need the column "${name}"`)
  })
  level.relations[at] = { ...right, joined: new Set(names) }
  return { ...(equal[0] as Expr), uses: [], sql: equal.map((part) => part.sql).join(' and ') }
}

function columnNamed(level: Level, relation: Relation, name: string): Expr | null {
  const index = relation.columns.findIndex((column) => column.name === name)
  return index < 0 ? null : level.columnOf(relation, index)
}
