import type { ColumnRef, Node, ResTarget } from 'libpg-query'
import { Rejection } from '../rejection'
import type { Expr } from './expr'
import type { Level, Relation } from './level'

/** A column of the result. */
export interface Target {
  name: string
  expr: Expr
}

const MAX_COLUMNS = 200

/** The columns of a SELECT list; `*` means all columns of its tables. */
export function targetsOf(level: Level, list: readonly Node[]): Target[] {
  const targets = list.flatMap((node) => ('ResTarget' in node ? targetOf(level, node.ResTarget) : []))
  if (targets.length === 0) throw new Rejection('syntax', 'SELECT needs at least one column')
  if (targets.length > MAX_COLUMNS) throw new Rejection('syntax', `SELECT has more than ${MAX_COLUMNS} columns`)
  return targets
}

function targetOf(level: Level, { name, val, indirection, location }: ResTarget): Target[] {
  if (indirection) throw new Rejection('syntax', 'This form of a column is not supported', location)
  const star = val && 'ColumnRef' in val ? starOf(level, val.ColumnRef) : null
  if (star) return star
  return [{ name: name ?? nameOf(val), expr: level.expression(val, 'select') }]
}

function starOf(level: Level, { fields = [], location }: ColumnRef): Target[] | null {
  const last = fields.at(-1)
  if (!last || !('A_Star' in last)) return null
  const [table] = fields
  const name = fields.length === 2 && table && 'String' in table ? table.String.sval : undefined
  const isAll = fields.length === 1
  const relations = level.relations.filter((relation) => isAll || relation.name === name)
  if (relations.length === 0) throw new Rejection('syntax', 'There is no table for *', location)
  return relations.flatMap((relation) => columnsOf(level, relation, isAll))
}

const columnsOf = (level: Level, relation: Relation, isAll: boolean): Target[] =>
  relation.columns.flatMap(({ name }, index) =>
    isAll && relation.joined.has(name) ? [] : [{ name, expr: level.columnOf(relation, index) }],
  )

/** The name of a column that the query gives none. */
function nameOf(val: Node | undefined): string {
  if (!val) return 'column'
  if ('ColumnRef' in val) return lastName(val.ColumnRef.fields)
  if ('FuncCall' in val) return lastName(val.FuncCall.funcname)
  if ('TypeCast' in val) return nameOf(val.TypeCast.arg)
  if ('CaseExpr' in val) return 'case'
  if ('CoalesceExpr' in val) return 'coalesce'
  return 'column'
}

const lastName = (names: readonly Node[] = []): string => {
  const last = names.at(-1)
  return last && 'String' in last ? (last.String.sval ?? 'column') : 'column'
}
