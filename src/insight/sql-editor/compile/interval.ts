import type { Node } from 'libpg-query'
import { DAY, HOUR, MINUTE, SECOND } from '../../../base/lib/clock'
import { addMonths } from '../../../base/lib/period'
import { MAX_INSTANT } from '../../../base/lib/time'
import { Rejection } from '../rejection'
import { typed, write } from './constants'
import { type Expr, madeOf } from './expr'
import type { Level } from './level'

/** `interval '7 days'`. Months and years have no fixed length, so they can only be added to a time that is known. */
export interface Interval {
  months: number
  ms: number
}

const UNITS: Readonly<Record<string, Interval>> = {
  second: { months: 0, ms: SECOND },
  minute: { months: 0, ms: MINUTE },
  hour: { months: 0, ms: HOUR },
  day: { months: 0, ms: DAY },
  week: { months: 0, ms: 7 * DAY },
  month: { months: 1, ms: 0 },
  year: { months: 12, ms: 0 },
}

/** The interval that a node is; null for any other node. */
export function intervalOf(node: Node | undefined): Interval | null {
  if (!node || !('TypeCast' in node)) return null
  const { typeName, arg, location } = node.TypeCast
  const last = typeName?.names?.at(-1)
  if (!last || !('String' in last) || last.String.sval !== 'interval') return null
  const text = arg && 'A_Const' in arg ? arg.A_Const.sval?.sval : undefined
  const interval = text === undefined || typeName?.typmods ? null : readInterval(text)
  if (interval) return interval
  throw new Rejection(
    'syntax',
    "An interval is written like interval '7 days' or interval '2 weeks 12 hours'",
    location,
  )
}

function readInterval(text: string): Interval | null {
  if (!/^\s*(\d{1,7}\s*[a-z]+\s*)+$/.test(text) || text.length > 100) return null
  const sum = { months: 0, ms: 0 }
  for (const [, count, name = ''] of text.matchAll(/(\d+)\s*([a-z]+)/g)) {
    const unit = Object.hasOwn(UNITS, name.replace(/s$/, '')) ? UNITS[name.replace(/s$/, '')] : undefined
    if (!unit) return null
    sum.months += unit.months * Number(count)
    sum.ms += unit.ms * Number(count)
  }
  return sum
}

/** A time before or after another by an interval. */
export function addInterval(
  { compiler }: Level,
  time: Expr,
  { months, ms }: Interval,
  sign: '+' | '-',
  location: number | undefined,
): Expr {
  const from = typed(compiler, time, 'time', location)
  const direction = sign === '+' ? 1 : -1
  const known = from.constant?.value
  if (typeof known === 'number')
    return write(compiler, 'time', knownTime(known, months * direction, ms * direction, location))
  if (months > 0)
    throw new Rejection('syntax', 'Months and years can be added to now() and to a date that the query names', location)
  const sql = `(${from.sql} ${sign} ${compiler.dialect.integer(String(ms))})`
  return madeOf([from], { sql, type: 'time' })
}

function knownTime(from: number, months: number, ms: number, location: number | undefined): number {
  const moved = addMonths(from, months) + ms
  if (moved >= 0 && moved <= MAX_INSTANT) return moved
  throw new Rejection('syntax', 'The time is outside of the years 1970 to 9999', location)
}
