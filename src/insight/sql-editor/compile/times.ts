import { Rejection } from '../rejection'
import { typed } from './constants'
import { type CalendarField, TIME_PARTS, type TimePart } from './dialect'
import { type Expr, madeOf } from './expr'
import type { Compiler, Level } from './level'

export type Call = { level: Level; args: readonly Expr[]; location: number | undefined }

/** What is subtracted from a time to get the start of its unit; 1 January 1970 was a Thursday. */
const REMAINDERS: Readonly<Record<string, (time: string) => string>> = {
  second: (time) => `(${time} % 1000)`,
  minute: (time) => `(${time} % 60000)`,
  hour: (time) => `(${time} % 3600000)`,
  day: (time) => `(${time} % 86400000)`,
  week: (time) => `((${time} + 259200000) % 604800000)`,
}

/** `date_trunc('month', time)`; a week starts on Monday. All in UTC. */
export function dateTrunc({ level, args, location }: Call): Expr {
  const unit = wordOf(args[0])
  const time = timeOf(level, args[1], location)
  const remainder = Object.hasOwn(REMAINDERS, unit) ? REMAINDERS[unit] : undefined
  if (remainder) return madeOf([time], { sql: `(${time.sql} - ${remainder(time.sql)})`, type: 'time' })
  if (unit === 'month' || unit === 'year')
    return madeOf([time], { sql: level.compiler.dialect.startOf(unit, time.sql), type: 'time' })
  throw new Rejection('syntax', 'date_trunc knows second, minute, hour, day, week, month and year', location)
}

const FIELDS: Readonly<Record<string, (time: string, by: string) => string>> = {
  hour: (time, by) => `((${time} % 86400000)${by}3600000)`,
  minute: (time, by) => `((${time} % 3600000)${by}60000)`,
  second: (time, by) => `((${time} % 60000)${by}1000)`,
  dow: (time, by) => `((${time}${by}86400000 + 4) % 7)`,
  epoch: (time, by) => `(${time}${by}1000)`,
}
const CALENDAR: readonly CalendarField[] = ['year', 'month', 'day', 'doy']

/** `extract(year from time)`: an integer, in UTC. */
export function extract({ level, args, location }: Call): Expr {
  const field = wordOf(args[0])
  const time = timeOf(level, args[1], location)
  const calendar = CALENDAR.find((name) => name === field)
  if (calendar) return madeOf([time], { sql: level.compiler.dialect.calendar(calendar, time.sql), type: 'integer' })
  const write = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined
  if (write) return madeOf([time], { sql: write(time.sql, level.compiler.dialect.division), type: 'integer' })
  const known = [...CALENDAR, ...Object.keys(FIELDS)].join(', ')
  throw new Rejection('syntax', `extract knows ${known}`, location)
}

/** `to_char(time, 'YYYY-MM')`. */
export function toChar({ level, args, location }: Call): Expr {
  const time = timeOf(level, args[0], location)
  const format = args[1]?.constant?.value
  const parts = typeof format === 'string' ? partsOf(format) : null
  if (!parts)
    throw new Rejection('syntax', `to_char takes a format of ${TIME_PARTS.join(', ')} and - / : . _`, location)
  return toCharOf(level.compiler, time, parts)
}

/** A time as text in a format. */
export const toCharOf = ({ dialect }: Pick<Compiler, 'dialect'>, time: Expr, parts: readonly TimePart[]): Expr =>
  madeOf([time], { sql: dialect.format(time.sql, parts), type: 'text' })

function partsOf(format: string): TimePart[] | null {
  if (!/^(YYYY|MM|DD|HH24|MI|SS|"[TZW]"|[-/:._ ])+$/.test(format) || format.length > 60) return null
  return [...format.matchAll(/YYYY|MM|DD|HH24|MI|SS|"[TZW]"|[-/:._ ]/g)].map(([found]) => {
    const part = TIME_PARTS.find((name) => name === found)
    return part ? { part } : { text: found.replaceAll('"', '') }
  })
}

const wordOf = (expr: Expr | undefined): string => String(expr?.constant?.value ?? '').toLowerCase()

export function timeOf({ compiler }: Level, expr: Expr | undefined, location: number | undefined): Expr {
  if (!expr) throw new Rejection('syntax', 'A time is missing', location)
  return typed(compiler, expr, 'time', location)
}
