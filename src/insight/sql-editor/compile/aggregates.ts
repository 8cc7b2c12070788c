import type { FuncCall, WindowDef } from 'libpg-query'
import { Rejection } from '../rejection'
import { typed, unify } from './constants'
import { type Expr, madeOf } from './expr'
import type { Level } from './level'
import { sortKeys } from './order'

export const AGGREGATES = ['count', 'sum', 'avg', 'min', 'max']
export const WINDOWS = ['row_number', 'rank', 'dense_rank', 'lag', 'lead', 'first_value', 'last_value']

/** The frame that a window has when none is written: from its first row to the current one and its equals. */
const DEFAULT_FRAME = 1058

/** An aggregate function, or a window function. */
export function aggregate(level: Level, name: string, node: FuncCall): Expr {
  const { over, location, agg_order, agg_within_group, func_variadic } = node
  if (agg_order || agg_within_group || func_variadic)
    throw new Rejection('syntax', `${name} takes only plain arguments here`, location)
  if (!over && WINDOWS.includes(name)) throw new Rejection('syntax', `${name} needs OVER (…)`, location)
  level.refuseHere(over ? 'window' : 'aggregate', location)
  const args = (node.args ?? []).map((arg) => level.expression(arg, over ? 'window' : 'aggregate'))
  const filter = node.agg_filter && filterOf(level, node)
  const window = over && windowOf(level, over)
  const parts = [...args, ...(filter ? [filter] : []), ...(window?.parts ?? [])]
  const suffix = `${filter ? ` filter (where ${filter.sql})` : ''}${window ? ` over (${window.sql})` : ''}`
  const written = write({ level, name, node, args, suffix })
  const whole = madeOf(parts, written)
  if (over) return { ...whole, hasWindow: true }
  const foreign = whole.uses.some((use) => use.level !== level)
  if (foreign) throw new Rejection('syntax', 'An aggregate takes columns of its own query only', location)
  return { ...whole, uses: [], hasAggregate: true }
}

interface Call {
  level: Level
  name: string
  node: FuncCall
  args: readonly Expr[]
  suffix: string
}

type Written = Pick<Expr, 'sql' | 'type'> & Partial<Expr>

function write(call: Call): Written {
  const { level, name, node, args, suffix } = call
  if (WINDOWS.includes(name)) return windowFunction(call)
  const isDistinct = node.agg_distinct === true
  if (isDistinct && node.over)
    throw new Rejection('syntax', 'DISTINCT cannot stand in a window function', node.location)
  if (node.agg_star) {
    if (name === 'count') return { sql: level.compiler.dialect.counted(`count(*)${suffix}`), type: 'integer' }
    throw new Rejection('syntax', `${name} takes a column`, node.location)
  }
  const [only, more] = args
  if (!only || more) throw new Rejection('syntax', `${name} takes one argument`, node.location)
  return ofOne(call, name, only, isDistinct ? 'distinct ' : '')
}

function ofOne({ level, node: { location }, suffix }: Call, name: string, arg: Expr, distinct: string): Written {
  const { dialect } = level.compiler
  if (name === 'count') {
    if (distinct && arg.type === 'json') throw new Rejection('syntax', 'JSON cannot be compared', location)
    return { sql: dialect.counted(`count(${distinct}${arg.sql})${suffix}`), type: 'integer' }
  }
  const [value] = unify(level.compiler, [arg], location) as [Expr]
  if (name === 'min' || name === 'max') return extreme(level, name, value, suffix, location)
  if (value.type !== 'integer' && value.type !== 'number')
    throw new Rejection('syntax', `${name} takes numbers, not ${value.type}`, location)
  const sum = `cast(sum(${distinct}${value.sql})${suffix} as`
  if (name === 'sum' && value.type === 'integer')
    return { sql: dialect.sum(distinct, suffix, value.sql), type: 'integer' }
  if (name === 'sum') return { sql: `${sum} ${dialect.typeNames.number})`, type: 'number' }
  // In one formula, because the two databases round their own averages in different ways.
  const count = `nullif(count(${distinct}${value.sql})${suffix}, 0)`
  return { sql: `(${sum} ${dialect.typeNames.number}) / ${count})`, type: 'number' }
}

function extreme(
  { compiler }: Level,
  name: string,
  value: Expr,
  suffix: string,
  location: number | undefined,
): Written {
  if (value.type === 'json' || value.type === 'boolean')
    throw new Rejection('syntax', `${name} takes no ${value.type}`, location)
  const sql = value.type === 'text' ? compiler.dialect.ordered(value.sql) : value.sql
  return { sql: `${name}(${sql})${suffix}`, type: value.type, texts: value.texts }
}

function windowFunction({
  level,
  name,
  node: { location, agg_filter, agg_star, agg_distinct },
  args,
  suffix,
}: Call): Written {
  if (agg_filter || agg_star || agg_distinct)
    throw new Rejection('syntax', `${name} takes only plain arguments`, location)
  const [value, offset, more] = args
  if (name === 'row_number' || name === 'rank' || name === 'dense_rank') {
    if (!value) return { sql: level.compiler.dialect.counted(`${name}()${suffix}`), type: 'integer' }
    throw new Rejection('syntax', `${name} takes no argument`, location)
  }
  if (!value || more || (offset && name.endsWith('_value')))
    throw new Rejection('syntax', `${name} takes other arguments`, location)
  const [shown] = unify(level.compiler, [value], location) as [Expr]
  if (shown.type === 'json') throw new Rejection('syntax', `${name} takes no JSON`, location)
  return {
    sql: `${name}(${level.compiler.dialect.windowValue(shown.sql)}${offset ? `, ${rowsOf(offset, location)}` : ''})${suffix}`,
    type: shown.type,
    texts: shown.texts,
  }
}

function rowsOf({ constant }: Expr, location: number | undefined): string {
  const rows = constant?.value
  if (typeof rows === 'bigint' && rows >= 0n && rows <= 10_000n) return String(rows)
  throw new Rejection('syntax', 'The number of rows is an integer from 0 to 10000', location)
}

function filterOf(level: Level, { agg_filter, location }: FuncCall): Expr {
  return typed(level.compiler, level.expression(agg_filter, 'aggregate'), 'boolean', location)
}

function windowOf(level: Level, over: WindowDef): { sql: string; parts: Expr[] } {
  const { name, refname, frameOptions = DEFAULT_FRAME, partitionClause = [], orderClause = [], location } = over
  if (name || refname) throw new Rejection('syntax', 'Named windows are not supported', location)
  if (frameOptions !== DEFAULT_FRAME) throw new Rejection('syntax', 'Frames of windows are not supported', location)
  const partition = partitionClause.map((node) => level.expression(node, 'window'))
  if (partition.some(({ type, constant }) => type === 'json' || constant))
    throw new Rejection('syntax', 'PARTITION BY takes columns and expressions', location)
  const keys = sortKeys(level, orderClause, (node) => level.expression(node, 'window'))
  const sql = [
    ...(partition.length > 0 ? [`partition by ${partition.map((expr) => expr.sql).join(', ')}`] : []),
    ...(keys.length > 0 ? [`order by ${keys.map((key) => key.sql).join(', ')}`] : []),
  ]
  return { sql: sql.join(' '), parts: [...partition, ...keys.map((key) => key.expr)] }
}
