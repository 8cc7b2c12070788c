import type { A_Expr } from 'libpg-query'
import { Rejection } from '../rejection'
import { typed, write } from './constants'
import { type Expr, madeOf } from './expr'
import type { Level } from './level'

const MAX_PATTERN = 200

/** LIKE and ILIKE with a pattern that the query names. The backslash escapes; ILIKE knows the case of ASCII letters. */
export function like(level: Level, { kind, name = [], lexpr, rexpr, location }: A_Expr): Expr {
  const { compiler } = level
  const value = typed(compiler, level.expression(lexpr), 'text', location)
  const pattern = patternOf(level.expression(rexpr), location)
  const isBlind = kind === 'AEXPR_ILIKE'
  const matched = write(compiler, 'text', plainEscapes(isBlind ? lowerAscii(pattern) : pattern))
  const isNot = name.some((part) => 'String' in part && part.String.sval?.startsWith('!') === true)
  const text = isBlind ? compiler.dialect.lower(value.sql) : value.sql
  const sql = compiler.dialect.like(text, isNot, matched.sql)
  return madeOf([value], { sql, type: 'boolean' })
}

function patternOf({ constant }: Expr, location: number | undefined): string {
  const pattern = constant?.value
  if (typeof pattern !== 'string')
    throw new Rejection('syntax', 'The pattern of LIKE must be a text or a parameter', location)
  if (pattern.length > MAX_PATTERN)
    throw new Rejection('syntax', `The pattern of LIKE is longer than ${MAX_PATTERN} characters`, location)
  if (/^(?:[^\\]|\\.)*$/su.test(pattern)) return pattern
  throw new Rejection('syntax', 'The pattern of LIKE must not end with its escape character', location)
}

/** Only where it must be: another letter after a backslash means both in ClickHouse. */
const plainEscapes = (pattern: string): string =>
  pattern.replace(/\\(.)/gsu, (all, letter: string) => (/[%_\\]/.test(letter) ? all : letter))

const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
