import { isTimezone } from '../../../base/lib/timezone'
import { Rejection } from '../rejection'
import type { DialectRules, TimePart } from './dialect'
import { type Expr, madeOf } from './expr'
import type { Offset } from './offsets'
import { type Call, timeOf, toCharOf } from './times'

/** `time at time zone 'Asia/Tokyo'`: what the clocks there show, as a time that is cut and written like those in UTC. */
export function atTimeZone({ level, args, location }: Call): Expr {
  const zone = args[0]?.constant?.value
  if (typeof zone !== 'string' || !isTimezone(zone))
    throw new Rejection('syntax', "at time zone takes the name of a zone, such as 'Europe/Istanbul'", location)
  return { ...shifted(level.compiler, timeOf(level, args[1], location), zone), isLocal: true }
}

const DAY_PARTS: readonly TimePart[] = [{ part: 'YYYY' }, { text: '-' }, { part: 'MM' }, { text: '-' }, { part: 'DD' }]

/** `local_day(time)`: the day in the time zone of the project, as the charts cut it: `2026-11-20`. */
export function localDay({ level, args, location }: Call): Expr {
  const { compiler } = level
  return toCharOf(compiler, shifted(compiler, timeOf(level, args[0], location), compiler.timezone), DAY_PARTS)
}

interface Zoned {
  readonly dialect: DialectRules
  offsets(timezone: string): readonly Offset[]
}

function shifted({ dialect, offsets }: Zoned, time: Expr, timezone: string): Expr {
  return madeOf([time], { sql: `(${time.sql} + ${offsetSql(dialect, time.sql, offsets(timezone))})`, type: 'time' })
}

/** Halves the offsets again and again, so that few comparisons are made for each row. */
function offsetSql(dialect: DialectRules, time: string, offsets: readonly Offset[]): string {
  const half = Math.ceil(offsets.length / 2)
  const until = offsets[half - 1]?.until ?? null
  if (until === null || offsets.length === 1) return dialect.integer(String(offsets[0]?.ms ?? 0))
  const [before, after] = [offsets.slice(0, half), offsets.slice(half)]
  const [early, late] = [offsetSql(dialect, time, before), offsetSql(dialect, time, after)]
  return `case when ${time} < ${dialect.integer(String(until))} then ${early} else ${late} end`
}
