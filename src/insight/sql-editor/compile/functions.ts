import type { FuncCall, Node } from 'libpg-query'
import { Rejection } from '../rejection'
import { AGGREGATES, aggregate, WINDOWS } from './aggregates'
import { typed, unify, write } from './constants'
import { type Expr, madeOf } from './expr'
import type { Level } from './level'
import { dateTrunc, extract, toChar } from './times'
import { atTimeZone, localDay } from './zones'

interface Call {
  level: Level
  name: string
  args: readonly Expr[]
  location: number | undefined
}

type Write = (call: Call) => Expr
interface Known {
  /** How many arguments it takes, at least and at most. */
  count: readonly [least: number, most: number]
  write: Write
}

const text = (call: Call, index: number): Expr => argument(call, index, 'text')

function argument({ level, args, name, location }: Call, index: number, type: Expr['type']): Expr {
  const arg = args[index]
  if (!arg) throw new Rejection('syntax', `${name} lacks an argument`, location)
  return typed(level.compiler, arg, type, location)
}

/** The value of an argument that the query must name: an integer of at least `least`. */
function known({ args, name, location }: Call, index: number, least: number): number {
  const value = args[index]?.constant?.value
  if (typeof value === 'bigint' && value >= least && value <= 1_000_000) return Number(value)
  throw new Rejection(
    'syntax',
    `${name} takes an integer from ${least} on at this place, as a number or a parameter`,
    location,
  )
}

const ofText =
  (sql: (call: Call, text: string) => string): Write =>
  (call) => {
    const value = text(call, 0)
    return madeOf([value], { sql: sql(call, value.sql), type: 'text', texts: value.texts })
  }

const numeric = (call: Call): Expr => {
  const { level, args, name, location } = call
  const [arg] = unify(level.compiler, args.slice(0, 1), location)
  if (arg?.type === 'integer' || arg?.type === 'number') return arg
  throw new Rejection('syntax', `${name} takes a number`, location)
}

/** Both databases count in the same steps, and halves go away from zero. */
const round: Write = (call) => {
  const value = argument(call, 0, 'number')
  const digits = call.args.length > 1 ? known(call, 1, 0) : 0
  if (digits > 12) throw new Rejection('syntax', 'round takes at most 12 digits', call.location)
  const { dialect } = call.level.compiler
  const factor = dialect.number(String(10 ** digits))
  const half = `(case when ${value.sql} < ${dialect.number('0')} then ${dialect.number('-0.5')} else ${dialect.number('0.5')} end)`
  const whole = `cast(${dialect.truncate(`(${value.sql} * ${factor} + ${half})`)} as ${dialect.typeNames.number})`
  return madeOf([value], { sql: `(${whole} / ${factor})`, type: 'number' })
}

const towards =
  (isUp: boolean): Write =>
  (call) => {
    const value = argument(call, 0, 'number')
    const { dialect } = call.level.compiler
    const whole = dialect.truncate(value.sql)
    const step = `(case when ${value.sql} ${isUp ? '>' : '<'} ${whole} then ${dialect.integer('1')} else ${dialect.integer('0')} end)`
    return madeOf([value], { sql: `(${whole} ${isUp ? '+' : '-'} ${step})`, type: 'integer' })
  }

const substring: Write = (call) => {
  const value = text(call, 0)
  const from = known(call, 1, 1)
  const count = call.args.length > 2 ? known(call, 2, 0) : null
  const sql = call.level.compiler.dialect.substring(value.sql, from, count)
  return madeOf([value], { sql, type: 'text', texts: value.texts })
}

const left: Write = (call) => {
  const value = text(call, 0)
  const sql = call.level.compiler.dialect.substring(value.sql, 1, known(call, 1, 0))
  return madeOf([value], { sql, type: 'text', texts: value.texts })
}

const strpos: Write = (call) => {
  const [value, part] = [text(call, 0), text(call, 1)]
  return madeOf([value, part], { sql: call.level.compiler.dialect.position(value.sql, part.sql), type: 'integer' })
}

const length: Write = (call) => {
  const value = text(call, 0)
  const { dialect } = call.level.compiler
  return madeOf([value], { sql: `cast(${dialect.length(value.sql)} as ${dialect.typeNames.integer})`, type: 'integer' })
}

const abs: Write = (call) => {
  const value = numeric(call)
  const sql = `abs(${value.sql})`
  const { dialect } = call.level.compiler
  return madeOf([value], { sql: value.type === 'integer' ? dialect.counted(sql) : sql, type: value.type })
}

/** Every function that is neither an aggregate nor a window function. */
const SCALARS: Readonly<Record<string, Known>> = {
  lower: { count: [1, 1], write: ofText((call, sql) => call.level.compiler.dialect.lower(sql)) },
  upper: { count: [1, 1], write: ofText((call, sql) => call.level.compiler.dialect.upper(sql)) },
  btrim: { count: [1, 1], write: ofText((_call, sql) => `trim(${sql})`) },
  ltrim: { count: [1, 1], write: ofText((_call, sql) => `ltrim(${sql})`) },
  rtrim: { count: [1, 1], write: ofText((_call, sql) => `rtrim(${sql})`) },
  length: { count: [1, 1], write: length },
  substr: { count: [2, 3], write: substring },
  substring: { count: [2, 3], write: substring },
  left: { count: [2, 2], write: left },
  strpos: { count: [2, 2], write: strpos },
  position: { count: [2, 2], write: strpos },
  abs: { count: [1, 1], write: abs },
  round: { count: [1, 2], write: round },
  floor: { count: [1, 1], write: towards(false) },
  ceil: { count: [1, 1], write: towards(true) },
  ceiling: { count: [1, 1], write: towards(true) },
  date_trunc: { count: [2, 2], write: dateTrunc },
  extract: { count: [2, 2], write: extract },
  date_part: { count: [2, 2], write: extract },
  to_char: { count: [2, 2], write: toChar },
  timezone: { count: [2, 2], write: atTimeZone },
  local_day: { count: [1, 1], write: localDay },
  now: { count: [0, 0], write: ({ level: { compiler } }) => write(compiler, 'time', compiler.now) },
}

/** The names of all functions, for the guide and for messages. */
export const FUNCTION_NAMES: readonly string[] = [
  ...Object.keys(SCALARS),
  ...AGGREGATES,
  ...WINDOWS,
  'coalesce',
  'nullif',
].sort()

export function callFunction(level: Level, node: FuncCall): Expr {
  const { location, args = [] } = node
  const name = functionName(node)
  if ([...AGGREGATES, ...WINDOWS].includes(name)) return aggregate(level, name, node)
  const known = Object.hasOwn(SCALARS, name) ? SCALARS[name] : undefined
  if (!known) throw new Rejection('forbidden_function', `The function ${name} is not available`, location)
  refuseExtras(name, node)
  const [least, most] = known.count
  if (args.length < least || args.length > most)
    throw new Rejection('syntax', `${name} takes other arguments`, location)
  return known.write({ level, name, args: args.map((arg: Node) => level.expression(arg)), location })
}

function functionName({ funcname = [], location }: FuncCall): string {
  const names = funcname.map((part) => ('String' in part ? (part.String.sval ?? '') : ''))
  const [schema, name] = names.length === 1 ? ['pg_catalog', names[0]] : names
  if (schema === 'pg_catalog' && name !== undefined && names.length <= 2) return name
  throw new Rejection('forbidden_function', `The function ${names.join('.')} is not available`, location)
}

function refuseExtras(name: string, node: FuncCall): void {
  const { agg_order, agg_filter, agg_within_group, agg_star, agg_distinct, func_variadic, over, location } = node
  if (agg_order || agg_filter || agg_within_group || agg_star || agg_distinct || func_variadic || over)
    throw new Rejection('syntax', `${name} is no aggregate function`, location)
}
