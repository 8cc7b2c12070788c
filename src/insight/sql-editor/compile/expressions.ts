import type { ColumnRef, Node, SQLValueFunction } from 'libpg-query'
import { DAY } from '../../../base/lib/clock'
import { Rejection } from '../rejection'
import { cast } from './casts'
import { booleanTest, caseOf, coalesce, logic, nullTest } from './conditions'
import { constantOf, parameterOf, write } from './constants'
import type { Expr } from './expr'
import { callFunction } from './functions'
import type { Level } from './level'
import { operator } from './operators'
import { locationOf } from './order'
import { subquery } from './subqueries'

/** Longer statements come only from expressions that repeat themselves. */
const MAX_WRITTEN = 200_000

/** Any expression. A node that is not named here is refused. */
export function expression(level: Level, node: Node | undefined): Expr {
  const found = byKind(level, node)
  if (found.sql.length > MAX_WRITTEN) throw new Rejection('memory', 'The query is too large', locationOf(node))
  // What GROUP BY names can be used outside of an aggregate.
  return level.groups.has(found.sql) ? { ...found, uses: found.uses.filter((use) => use.level !== level) } : found
}

function byKind(level: Level, node: Node | undefined): Expr {
  if (!node) throw new Rejection('syntax', 'An expression is missing')
  if ('ColumnRef' in node) return columnOf(level, node.ColumnRef)
  if ('A_Const' in node) return constantOf(level.compiler, node.A_Const)
  if ('ParamRef' in node) return parameterOf(level.compiler, node.ParamRef)
  if ('A_Expr' in node) return operator(level, node.A_Expr)
  if ('BoolExpr' in node) return logic(level, node.BoolExpr)
  if ('NullTest' in node) return nullTest(level, node.NullTest)
  if ('BooleanTest' in node) return booleanTest(level, node.BooleanTest)
  if ('CaseExpr' in node) return caseOf(level, node.CaseExpr)
  if ('CoalesceExpr' in node) return coalesce(level, node.CoalesceExpr)
  if ('TypeCast' in node) return cast(level, node.TypeCast)
  if ('FuncCall' in node) return callFunction(level, node.FuncCall)
  if ('SubLink' in node) return subquery(level, node.SubLink)
  if ('SQLValueFunction' in node) return clockOf(level, node.SQLValueFunction)
  const [kind = ''] = Object.keys(node)
  const isCall = /MinMax|Xml|Json|GroupingFunc/.test(kind)
  throw new Rejection(isCall ? 'forbidden_function' : 'syntax', `This is not supported here: ${kind}`, locationOf(node))
}

function columnOf(level: Level, { fields = [], location }: ColumnRef): Expr {
  const names = fields.map((field) => ('String' in field ? (field.String.sval ?? '') : null))
  const [first, second] = names
  if (typeof first === 'string' && names.length === 1) return level.column(null, first, location)
  if (typeof first === 'string' && typeof second === 'string' && names.length === 2)
    return level.column(first, second, location)
  throw new Rejection('syntax', 'A column is written as column or table.column here', location)
}

function clockOf(level: Level, { op, location }: SQLValueFunction): Expr {
  const { now } = level.compiler
  if (op === 'SVFOP_CURRENT_TIMESTAMP') return write(level.compiler, 'time', now)
  if (op === 'SVFOP_CURRENT_DATE') return write(level.compiler, 'time', now - (now % DAY))
  const name = (op ?? '').replace('SVFOP_', '').toLowerCase()
  throw new Rejection('forbidden_function', `The function ${name} is not available`, location)
}
