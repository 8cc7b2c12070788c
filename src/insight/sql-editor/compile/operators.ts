import type { A_Expr, Node } from 'libpg-query'
import { Rejection } from '../rejection'
import { boundedTexts, fit, typed, unify } from './constants'
import { type Expr, madeOf } from './expr'
import { addInterval, intervalOf } from './interval'
import { jsonStep } from './json'
import type { Level } from './level'
import { like } from './like'

/** An operator with its two operands, or one of the forms that the grammar writes as an operator. */
export function operator(level: Level, node: A_Expr): Expr {
  const { kind, location } = node
  if (kind === 'AEXPR_OP') return plain(level, node)
  if (kind === 'AEXPR_IN') return inList(level, node)
  if (kind === 'AEXPR_LIKE' || kind === 'AEXPR_ILIKE') return like(level, node)
  if (kind === 'AEXPR_BETWEEN' || kind === 'AEXPR_NOT_BETWEEN') return between(level, node)
  if (kind === 'AEXPR_DISTINCT' || kind === 'AEXPR_NOT_DISTINCT') return distinct(level, node)
  if (kind === 'AEXPR_NULLIF') return nullIf(level, node)
  throw new Rejection('forbidden_function', `The operator ${nameOf(node)} is not supported`, location)
}

export function nameOf({ name = [] }: A_Expr): string {
  return name.map((part) => ('String' in part ? (part.String.sval ?? '') : '')).join('.')
}

const COMPARISONS = ['=', '<>', '!=', '<', '<=', '>', '>=']

function plain(level: Level, node: A_Expr): Expr {
  const name = nameOf(node)
  const { lexpr, rexpr, location } = node
  if (COMPARISONS.includes(name) && lexpr)
    return compare(level, name, level.expression(lexpr), level.expression(rexpr), location)
  if (name === '->' || name === '->>')
    return jsonStep(level, name, level.expression(lexpr), level.expression(rexpr), location)
  if (name === '||') return joinTexts(level, level.expression(lexpr), level.expression(rexpr), location)
  if (['+', '-', '*', '/', '%'].includes(name)) return arithmetic(level, name, lexpr, rexpr, location)
  throw new Rejection('forbidden_function', `The operator ${name} is not supported`, location)
}

/** Whether one value is before, equal to or after another. Texts are compared byte by byte. */
export function compare(level: Level, name: string, a: Expr, b: Expr, location: number | undefined): Expr {
  const { compiler } = level
  const [left, right] = unify(compiler, [a, b], location) as [Expr, Expr]
  if (left.type === 'json')
    throw new Rejection('syntax', 'JSON cannot be compared; read a text of it with ->>', location)
  const isOrder = name !== '=' && name !== '<>' && name !== '!='
  if (isOrder && left.type === 'boolean') throw new Rejection('syntax', 'Booleans have no order', location)
  const first = isOrder && left.type === 'text' ? compiler.dialect.ordered(left.sql) : left.sql
  return madeOf([left, right], { sql: `(${first} ${name === '!=' ? '<>' : name} ${right.sql})`, type: 'boolean' })
}

function arithmetic(
  level: Level,
  name: string,
  leftNode: Node | undefined,
  rightNode: Node | undefined,
  location: number | undefined,
): Expr {
  const interval = intervalOf(rightNode)
  if (interval && leftNode && (name === '+' || name === '-'))
    return addInterval(level, level.expression(leftNode), interval, name, location)
  const right = level.expression(rightNode)
  if (!leftNode) return signed(level, name, right, location)
  const [a, b] = unify(level.compiler, [level.expression(leftNode), right], location) as [Expr, Expr]
  requireNumeric(a, name, location)
  if (name === '%' && a.type !== 'integer') throw new Rejection('syntax', '% takes integers', location)
  const { dialect } = level.compiler
  const isDivided = name === '/' || name === '%'
  const other = isDivided ? { ...b, sql: `nullif(${b.sql}, 0)` } : b
  const between = name === '/' && a.type === 'integer' ? dialect.division : ` ${name} `
  if (dialect.exact && a.type === 'integer')
    return madeOf([a, other], { sql: dialect.exact(a.sql, between, other.sql), type: 'integer' })
  return chained([a, other], name === '*' || isDivided ? 'product' : 'sum', between, { type: a.type })
}

function signed({ compiler }: Level, name: string, expr: Expr, location: number | undefined): Expr {
  const value = expr.type === 'null' ? typed(compiler, expr, 'integer', location) : expr
  requireNumeric(value, name, location)
  if (name === '+') return value
  if (name !== '-') throw new Rejection('forbidden_function', `The operator ${name} is not supported`, location)
  const { dialect } = compiler
  if (dialect.exact && value.type === 'integer')
    return madeOf([value], { sql: dialect.exact('0', ' - ', value.sql), type: 'integer' })
  return madeOf([value], { sql: `(- ${value.sql})`, type: value.type })
}

function requireNumeric({ type }: Expr, name: string, location: number | undefined): void {
  if (type === 'integer' || type === 'number') return
  const hint = type === 'time' ? '; compare times, or take extract(epoch from …) of them' : ''
  throw new Rejection('syntax', `The operator ${name} takes numbers, not ${type}${hint}`, location)
}

function joinTexts({ compiler }: Level, a: Expr, b: Expr, location: number | undefined): Expr {
  const parts = [a, b].map((expr) => {
    if (expr.type === 'integer') return madeOf([expr], { sql: `cast(${expr.sql} as text)`, type: 'text' })
    return typed(compiler, expr, 'text', location)
  }) as [Expr, Expr]
  const texts = boundedTexts(parts[0].texts + parts[1].texts, location)
  return chained(parts, 'texts', ' || ', { type: 'text', texts })
}

/** Operators of one rank after each other need no parentheses; the databases accept only so many inside each other. */
function chained(
  parts: readonly [Expr, Expr],
  rank: NonNullable<Expr['chain']>['rank'],
  between: string,
  written: Pick<Expr, 'type'> & Partial<Expr>,
): Expr {
  const [first, second] = parts
  const sql = `${first.chain?.rank === rank ? first.chain.sql : first.sql}${between}${second.sql}`
  return madeOf(parts, { ...written, sql: `(${sql})`, chain: { rank, sql } })
}

function inList(level: Level, node: A_Expr): Expr {
  const { rexpr, location } = node
  const list = rexpr && 'List' in rexpr ? (rexpr.List.items ?? []) : []
  const values = [level.expression(node.lexpr), ...list.map((item) => level.expression(item))]
  const [left, ...others] = unify(level.compiler, values, location) as [Expr, ...Expr[]]
  if (left.type === 'json') throw new Rejection('syntax', 'JSON cannot be compared', location)
  const not = nameOf(node) === '<>' ? 'not ' : ''
  const { inList } = level.compiler.dialect
  if (inList) {
    const found = inList(
      left.sql,
      others.map((other) => other.sql),
    )
    return madeOf([left, ...others], { sql: `(${not}${found})`, type: 'boolean' })
  }
  const sql = `(${left.sql} ${not}in (${others.map((other) => other.sql).join(', ')}))`
  return madeOf([left, ...others], { sql, type: 'boolean' })
}

function between(level: Level, { kind, lexpr, rexpr, location }: A_Expr): Expr {
  const [low, high] = rexpr && 'List' in rexpr ? (rexpr.List.items ?? []) : []
  const value = level.expression(lexpr)
  const from = compare(level, '>=', value, level.expression(low), location)
  const to = compare(level, '<=', value, level.expression(high), location)
  const sql = `(${from.sql} and ${to.sql})`
  return madeOf([from, to], { sql: kind === 'AEXPR_BETWEEN' ? sql : `(not ${sql})`, type: 'boolean' })
}

function distinct(level: Level, { kind, lexpr, rexpr, location }: A_Expr): Expr {
  const { compiler } = level
  const [a, b] = unify(compiler, [level.expression(lexpr), level.expression(rexpr)], location) as [Expr, Expr]
  if (a.type === 'json') throw new Rejection('syntax', 'JSON cannot be compared', location)
  const sql = compiler.dialect.isDistinct(a.sql, b.sql)
  return madeOf([a, b], { sql: kind === 'AEXPR_DISTINCT' ? sql : `(not ${sql})`, type: 'boolean' })
}

function nullIf(level: Level, { lexpr, rexpr, location }: A_Expr): Expr {
  const value = level.expression(lexpr)
  const other = fit(level.compiler, level.expression(rexpr), value.type)
  if (!other || value.type === 'json') throw new Rejection('syntax', 'nullif takes two values of one type', location)
  return madeOf([value, other], { sql: `nullif(${value.sql}, ${other.sql})`, type: value.type, texts: value.texts })
}
