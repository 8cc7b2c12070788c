import { DAY } from '../../../base/lib/clock'
import { localDays } from '../../../base/lib/local-days'
import { isTimezone } from '../../../base/lib/timezone'
import { Rejection } from '../rejection'
import type { DialectRules, TimePart } from './dialect'
import { type Expr, madeOf } from './expr'
import { type Call, timeOf, toCharOf } from './times'

/** What the clocks of a zone are ahead of UTC by, until an instant; the last one has no end. */
interface Offset {
  until: number | null
  ms: number
}

/** No store sold anything before, and the rules of clocks are not known for longer. Outside, the nearest offset holds. */
const [FIRST, LAST] = [Date.UTC(2000, 0, 1), Date.UTC(2050, 0, 1)]

/** Clocks stay as they are for longer than this; the shortest time is that of Ramadan in Morocco. */
const STEP = 14 * DAY

/** The offsets of a zone one after the other. The same numbers go to every database, so all answer the same. */
export function offsetsOf(timezone: string): Offset[] {
  const { wallOf } = localDays(timezone)
  const offsetAt = (at: number): number => wallOf(at) - at
  const found: Offset[] = []
  for (let at = FIRST; at < LAST; at += STEP) {
    const [before, after] = [offsetAt(at), offsetAt(at + STEP)]
    if (before !== after) found.push({ until: changeBetween(at, at + STEP, offsetAt), ms: before })
  }
  return [...found, { until: null, ms: offsetAt(LAST) }]
}

/** The first instant, to the second, at which the offset is another one. */
function changeBetween(from: number, to: number, offsetAt: (at: number) => number): number {
  const before = offsetAt(from)
  let [low, high] = [from, to]
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000
    if (offsetAt(middle) === before) low = middle
    else high = middle
  }
  return high
}

/** `time at time zone 'Asia/Tokyo'`: what the clocks there show, as a time that is cut and written like those in UTC. */
export function atTimeZone({ level, args, location }: Call): Expr {
  const zone = args[0]?.constant?.value
  if (typeof zone !== 'string' || !isTimezone(zone))
    throw new Rejection('syntax', "at time zone takes the name of a zone, such as 'Europe/Istanbul'", location)
  return shifted(level.compiler, timeOf(level, args[1], location), zone)
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
