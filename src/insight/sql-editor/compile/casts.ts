import type { TypeCast, TypeName } from 'libpg-query'
import { Rejection } from '../rejection'
import { fit, typed } from './constants'
import { type Expr, madeOf, type SqlType } from './expr'
import type { Level } from './level'
import { dateTrunc } from './times'

const TYPES: Readonly<Record<string, SqlType | 'date'>> = {
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  float4: 'number',
  float8: 'number',
  numeric: 'number',
  text: 'text',
  varchar: 'text',
  bool: 'boolean',
  timestamp: 'time',
  timestamptz: 'time',
  date: 'date',
}

/** `value::type`. Only casts that both databases make in the same way are possible. */
export function cast(level: Level, { arg, typeName, location }: TypeCast): Expr {
  const type = typeOf(typeName, location)
  const expr = level.expression(arg)
  if (type !== 'date') return toType(level, expr, type, location)
  const unit: Expr = { ...expr, constant: { value: 'day' } }
  return dateTrunc({ level, args: [unit, expr], location })
}

function typeOf(typeName: TypeName | undefined, location: number | undefined): SqlType | 'date' {
  const { names = [], arrayBounds, setof, typmods } = typeName ?? {}
  const texts = names.map((name) => ('String' in name ? (name.String.sval ?? '') : ''))
  const name = texts.at(-1) ?? ''
  const isPlain = !arrayBounds && !setof && !typmods && (texts.length === 1 || texts[0] === 'pg_catalog')
  const type = isPlain && Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
  if (type) return type
  throw new Rejection(
    'syntax',
    `The type ${name} is not available; use integer, float8, text, boolean, timestamp or date`,
    location,
  )
}

function toType(level: Level, expr: Expr, type: SqlType, location: number | undefined): Expr {
  const { dialect } = level.compiler
  const made = (sql: string): Expr => madeOf([expr], { sql, type, texts: expr.texts })
  if (expr.type === 'number' && type === 'integer') return made(dialect.truncate(expr.sql))
  if (expr.type === 'integer' && type === 'text') return made(`cast(${expr.sql} as text)`)
  if (expr.type === 'boolean' && type === 'integer')
    return made(
      `(case when ${expr.sql} then ${dialect.integer('1')} when not ${expr.sql} then ${dialect.integer('0')} end)`,
    )
  const fitting = fit(level.compiler, expr, type)
  if (fitting) return fitting
  if (expr.type === 'text' && type === 'integer' && !expr.constant) return made(dialect.textToInteger(expr.sql))
  if (expr.type === 'text' && expr.constant) return typed(level.compiler, expr, type, location)
  throw new Rejection('syntax', `A value of type ${expr.type} cannot become ${type}`, location)
}
