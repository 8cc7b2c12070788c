import type { A_Const, ParamRef } from 'libpg-query'
import { isInt64 } from '../../../base/lib/int64'
import { parseIso } from '../../../base/lib/time'
import { Rejection } from '../rejection'
import { type Constant, type Expr, madeOf, type SqlType } from './expr'
import type { Compiler } from './level'

export function constantOf(compiler: Compiler, node: A_Const): Expr {
  const { ival, fval, sval, boolval, bsval, isnull, location } = node
  if (isnull) return write(compiler, 'null', null)
  if (ival) return write(compiler, 'integer', BigInt(ival.ival ?? 0))
  if (boolval) return write(compiler, 'boolean', boolval.boolval ?? false)
  if (sval) return write(compiler, 'text', sval.sval ?? '')
  if (bsval) throw new Rejection('syntax', 'Bit strings are not supported', location)
  return numberOf(compiler, fval?.fval ?? '0', location)
}

function numberOf(compiler: Compiler, text: string, location: number | undefined): Expr {
  if (/^-?\d+$/.test(text)) {
    const value = BigInt(text)
    if (isInt64(value)) return write(compiler, 'integer', value)
  }
  const value = Number(text)
  if (!Number.isFinite(value)) throw new Rejection('syntax', 'The number cannot be read', location)
  return write(compiler, 'number', value)
}

/** `$1`: a value of the request. */
export function parameterOf(compiler: Compiler, { number = 0, location }: ParamRef): Expr {
  const value = compiler.parameters[number - 1]
  if (value === undefined) throw new Rejection('syntax', `There is no parameter $${number}`, location)
  if (typeof value === 'string') return write(compiler, 'text', value)
  if (typeof value === 'boolean') return write(compiler, 'boolean', value)
  if (value === null) return write(compiler, 'null', null)
  if (!Number.isInteger(value)) return write(compiler, 'number', value)
  if (Number.isSafeInteger(value)) return write(compiler, 'integer', BigInt(value))
  throw new Rejection('syntax', `Parameter $${number} is no exact integer; send it as text`, location)
}

/** A constant with its type. A text and null take another type where one is wanted (`fit`). */
export function write(compiler: Compiler, type: SqlType, value: Constant['value']): Expr {
  return madeOf([], { sql: written(compiler, type, value), type, constant: { value } })
}

function written({ dialect, binds }: Compiler, type: SqlType, value: Constant['value']): string {
  if (value === null) return `cast(null as ${dialect.typeNames[type]})`
  if (typeof value === 'boolean') return dialect.boolean(value)
  if (typeof value === 'string') return binds.add(value)
  return type === 'number' ? dialect.number(String(value)) : dialect.integer(String(value))
}

/** The expression as a value of this type; null when it is of another one. */
export function fit(compiler: Compiler, expr: Expr, type: SqlType): Expr | null {
  if (expr.type === type) return expr
  if (expr.type === 'null') return { ...expr, type, sql: `cast(${expr.sql} as ${compiler.dialect.typeNames[type]})` }
  if (expr.type === 'integer' && type === 'number') return toNumber(compiler, expr)
  const value = expr.constant?.value
  if (expr.type !== 'text' || typeof value !== 'string') return null
  return readAs(compiler, value, type)
}

const toNumber = ({ dialect }: Compiler, expr: Expr): Expr =>
  madeOf([expr], { sql: `cast(${expr.sql} as ${dialect.typeNames.number})`, type: 'number' })

function readAs(compiler: Compiler, text: string, type: SqlType): Expr | null {
  if (type === 'time') {
    const time = readTime(text)
    return time === null ? null : write(compiler, 'time', time)
  }
  if (type === 'integer' && /^-?\d{1,18}$/.test(text)) return write(compiler, 'integer', BigInt(text))
  if (type === 'number' && /^-?\d{1,300}(\.\d{1,300})?$/.test(text)) return write(compiler, 'number', Number(text))
  if (type === 'boolean' && /^(true|false)$/.test(text)) return write(compiler, 'boolean', text === 'true')
  return null
}

/** A time or a date of a text, UTC where it names no offset; null for any other text. */
export function readTime(text: string): number | null {
  const [, month, day = '-01', hour, second = ':00', offset = 'Z'] =
    /^(\d{4}-\d{2})(-\d{2})?(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? []
  return month === undefined ? null : parseIso(`${month}${day}T${hour ?? '00:00'}${second}${offset}`)
}

/** The expressions as values of one type. */
export function unify(compiler: Compiler, exprs: readonly Expr[], location: number | undefined): Expr[] {
  const type = commonType(exprs)
  return exprs.map((expr) => {
    const fitting = fit(compiler, expr, type)
    if (fitting) return fitting
    throw new Rejection('syntax', mismatch(expr, type), location)
  })
}

function commonType(exprs: readonly Expr[]): SqlType {
  const isOpen = ({ type, constant }: Expr) => type === 'null' || (type === 'text' && constant !== undefined)
  const decided = exprs.filter((expr) => !isOpen(expr)).map(({ type }) => type)
  if (decided.includes('number')) return 'number'
  return decided[0] ?? 'text'
}

function mismatch({ type, constant }: Expr, wanted: SqlType): string {
  if (type === 'text' && typeof constant?.value === 'string')
    return `'${constant.value.slice(0, 40)}' cannot be read as ${wanted}`
  return `A value of type ${wanted} is expected here, not ${type}`
}

/** The expression, which must be of this type, or a constant that can be read as one. */
export function typed(compiler: Compiler, expr: Expr, type: SqlType, location: number | undefined): Expr {
  const fitting = fit(compiler, expr, type)
  if (fitting) return fitting
  throw new Rejection('syntax', mismatch(expr, type), location)
}

/** Texts that are joined can grow without bound; more than this is refused. */
const MAX_TEXTS = 64

export function boundedTexts(texts: number, location: number | undefined): number {
  if (texts <= MAX_TEXTS) return texts
  throw new Rejection('memory', `More than ${MAX_TEXTS} texts would be joined to one`, location)
}
