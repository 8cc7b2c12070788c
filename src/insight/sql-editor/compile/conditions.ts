import type { BoolExpr, BooleanTest, CaseExpr, CoalesceExpr, NullTest } from 'libpg-query'
import { Rejection } from '../rejection'
import { typed, unify } from './constants'
import { type Expr, madeOf } from './expr'
import type { Level } from './level'
import { compare } from './operators'

export function logic(level: Level, { boolop, args = [], location }: BoolExpr): Expr {
  const parts = args.map((arg) => typed(level.compiler, level.expression(arg), 'boolean', location))
  const [first] = parts
  if (boolop === 'NOT_EXPR' && first) return madeOf(parts, { sql: `(not ${first.sql})`, type: 'boolean' })
  const texts = parts.map((part) => part.sql)
  return madeOf(parts, { sql: `(${balanced(texts, boolop === 'AND_EXPR' ? ' and ' : ' or ')})`, type: 'boolean' })
}

const FLAT = 16

/** A long list of conditions as a tree, because SQLite refuses trees of more than 1000 levels. */
function balanced(texts: readonly string[], between: string): string {
  if (texts.length <= FLAT) return texts.join(between)
  const half = Math.ceil(texts.length / 2)
  return [texts.slice(0, half), texts.slice(half)].map((part) => `(${balanced(part, between)})`).join(between)
}

export function nullTest(level: Level, { arg, nulltesttype }: NullTest): Expr {
  const value = level.expression(arg)
  const sql = `(${value.sql} is ${nulltesttype === 'IS_NOT_NULL' ? 'not ' : ''}null)`
  return madeOf([value], { sql, type: 'boolean' })
}

const TESTS = {
  IS_TRUE: 'is true',
  IS_NOT_TRUE: 'is not true',
  IS_FALSE: 'is false',
  IS_NOT_FALSE: 'is not false',
  IS_UNKNOWN: 'is null',
  IS_NOT_UNKNOWN: 'is not null',
}

export function booleanTest(level: Level, { arg, booltesttype = 'IS_TRUE', location }: BooleanTest): Expr {
  const value = typed(level.compiler, level.expression(arg), 'boolean', location)
  return madeOf([value], { sql: `(${value.sql} ${TESTS[booltesttype]})`, type: 'boolean' })
}

/** Both forms of CASE. */
export function caseOf(level: Level, { arg, args = [], defresult, location }: CaseExpr): Expr {
  const compared = arg && level.expression(arg)
  const whens = args.map((node) => {
    if (!('CaseWhen' in node)) throw new Rejection('syntax', 'This CASE is not supported', location)
    const { expr, result } = node.CaseWhen
    const test = level.expression(expr)
    const condition = compared
      ? compare(level, '=', compared, test, location)
      : typed(level.compiler, test, 'boolean', location)
    return { condition, result: level.expression(result) }
  })
  const others = defresult ? [level.expression(defresult)] : []
  const results = unify(level.compiler, [...whens.map(({ result }) => result), ...others], location)
  refuseJson(results, location)
  const texts = whens.map(({ condition }, index) => `when ${condition.sql} then ${results[index]?.sql}`)
  const last = defresult ? ` else ${results.at(-1)?.sql}` : ''
  const parts = [...whens.map(({ condition }) => condition), ...results]
  return madeOf(parts, { sql: `(case ${texts.join(' ')}${last} end)`, ...oneOf(results) })
}

const MAX_ARGUMENTS = 100

export function coalesce(level: Level, { args = [], location }: CoalesceExpr): Expr {
  if (args.length > MAX_ARGUMENTS)
    throw new Rejection('syntax', `coalesce takes at most ${MAX_ARGUMENTS} values`, location)
  const parts = unify(
    level.compiler,
    args.map((arg) => level.expression(arg)),
    location,
  )
  refuseJson(parts, location)
  const sql = parts.length === 1 ? (parts[0]?.sql ?? '') : `coalesce(${parts.map((part) => part.sql).join(', ')})`
  return madeOf(parts, { sql, ...oneOf(parts) })
}

const oneOf = (parts: readonly Expr[]): Pick<Expr, 'type' | 'texts'> => ({
  type: parts[0]?.type ?? 'text',
  texts: Math.max(1, ...parts.map(({ texts }) => texts)),
})

function refuseJson(parts: readonly Expr[], location: number | undefined): void {
  if (parts.some(({ type }) => type === 'json'))
    throw new Rejection('syntax', 'JSON cannot stand here; read a text of it with ->>', location)
}
