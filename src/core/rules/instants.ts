import { parseAnyIso } from '../time/iso'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WEEK = 7 * DAY

const DATE = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(?:([Zz])|([+-]\d{2})(?::?(\d{2}))?)?$/
const DURATION = /^P(?=.)(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?=.)(?:(\d{1,5})H)?(?:(\d{1,5})M)?)?$/

/**
 * Milliseconds of a date or a time as rules read them: without a zone it is UTC, a date alone is its midnight, and
 * seconds may be left out. Null for any other text.
 */
export function readInstant(text: string): number | null {
  if (DATE.test(text)) return parseAnyIso(`${text}T00:00:00Z`)
  const match = TIME.exec(text)
  if (!match) return null
  const [, date, minutes, seconds = ':00', , hours, offset = '00'] = match
  return parseAnyIso(`${date}T${minutes}${seconds}${hours === undefined ? 'Z' : `${hours}:${offset}`}`)
}

/** Milliseconds of a duration of whole weeks, days, hours and minutes, such as `P3D` or `PT1H30M`; null for others. */
export function readDuration(text: string): number | null {
  const match = DURATION.exec(text)
  if (!match) return null
  const [weeks, days, hours, minutes] = match.slice(1).map((part) => Number(part ?? 0))
  return (weeks ?? 0) * WEEK + (days ?? 0) * DAY + (hours ?? 0) * HOUR + (minutes ?? 0) * MINUTE
}
