import { DAY, HOUR, MINUTE, SECOND } from '../../../base/lib/clock'
import { MAX_INSTANT } from '../../../base/lib/time'

/**
 * Milliseconds of a date in one of the forms that exports have, and null for any other text: ISO 8601 with or without an
 * offset, with `T` or a space and up to nine digits of a second (finer than milliseconds is cut), a day alone, and Unix
 * seconds or milliseconds. Without an offset it is UTC.
 */
export function readInstant(text: string): number | null {
  const instant = text.charCodeAt(4) === DASH ? readCivil(text) : readUnix(text)
  return instant !== null && instant >= 0 && instant <= MAX_INSTANT ? instant : null
}

const DASH = 45
const COLON = 58
const ZERO = 48

function readCivil(text: string): number | null {
  const day = readDay(text)
  if (day === null || text.length === 10) return day
  const separator = text.charCodeAt(10)
  if (separator !== 32 && separator !== 84 && separator !== 116) return null
  const time = readTime(text)
  if (time === null) return null
  if (text.length === 19) return day + time
  const rest = REST.exec(text.slice(19))
  return rest && day + time + Number((rest[1] ?? '').padEnd(3, '0').slice(0, 3)) - offsetMs(rest[2] ?? 'Z')
}

/** Fraction and offset. */
const REST = /^(?:[.,](\d{1,9}))?(?: ?(Z|z|UTC|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?))?$/

function offsetMs(offset: string): number {
  const sign = offset.charCodeAt(0) === DASH ? -1 : 1
  const digits = offset.replace(/\D/g, '')
  return digits === '' ? 0 : sign * (Number(digits.slice(0, 2)) * HOUR + Number(digits.slice(2) || 0) * MINUTE)
}

/** `YYYY-MM-DD` at the start. */
function readDay(text: string): number | null {
  const year = digitsAt(text, 0) * 100 + digitsAt(text, 2)
  const month = digitsAt(text, 5)
  const day = digitsAt(text, 8)
  const isDay = text.charCodeAt(7) === DASH && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
  return isDay && year >= 1970 ? daysBefore(year, month, day) * DAY : null
}

/** `HH:MM:SS` behind the day. */
function readTime(text: string): number | null {
  const hour = digitsAt(text, 11)
  const minute = digitsAt(text, 14)
  const second = digitsAt(text, 17)
  const isTime = text.charCodeAt(13) === COLON && text.charCodeAt(16) === COLON
  if (!isTime || !(hour <= 23 && minute <= 59 && second <= 59)) return null
  return hour * HOUR + minute * MINUTE + second * SECOND
}

/** Two digits as a number; NaN when they are none, which fails every comparison. */
function digitsAt(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO
  const ones = text.charCodeAt(at + 1) - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

const daysOf = (year: number, month: number): number => {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Days from 1 January 1970. Years start in March here, so that a leap day is the last of its year. */
function daysBefore(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

const UNIX = /^(\d{9,13})(?:\.(\d{1,9}))?$/

/** Seconds have up to 11 digits (until the year 5138), milliseconds 12 or 13 (from 1973 on). */
function readUnix(text: string): number | null {
  const [, whole, fraction = ''] = UNIX.exec(text) ?? []
  if (whole === undefined) return null
  return whole.length >= 12 ? Number(whole) : Number(whole) * SECOND + Number(fraction.padEnd(3, '0').slice(0, 3))
}
