import { formatDate, type Reading } from './format'
import { datesOf, dateTag } from './intl'

/** A day as an address and a body have it, such as `2026-11-22`, with `T09:30` after it where a time is wanted. */
export type Wall = string

const WALL = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?/

/** A wall-clock time as people of the language write it: `22 Nov 2026`, or `22 Nov 2026, 09:30`. */
export function wallText(reading: Reading, wall: Wall): string {
  const [, day, clock] = WALL.exec(wall) ?? []
  if (day === undefined || !isDay(day)) return ''
  return clock === undefined ? formatDate(reading, day) : `${formatDate(reading, day)}, ${clock}`
}

/**
 * The day, and the time of day where one is wanted, that a text means; null when it means none. The year comes first
 * or last: last, the day comes before the month, in every language. A month can be a number or a name.
 */
export function readWall(reading: Reading, text: string, hasTime: boolean): Wall | null {
  const plain = text.normalize('NFKC').trim()
  const [, before = plain, hours, minutes] = (hasTime && CLOCK.exec(plain)) || []
  if (hasTime && hours === undefined) return null
  const day = readDay(reading, before)
  if (day === null || Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return null
  return hasTime ? `${day}T${hours?.padStart(2, '0')}:${minutes}` : day
}

const CLOCK = /^(.*\d\D*?)(?:,\s*|\s+|T)(\d{1,2})[:.](\d{2})(?::00(?:\.000)?)?$/

function readDay(reading: Reading, text: string): string | null {
  const parts = text.split(/[\s,./年月日-]+/).filter(Boolean)
  if (parts.length !== 3) return null
  const [first = '', second = '', third = ''] = parts
  const isYearFirst = /^\d{4}$/.test(first)
  const [year, month, day] = isYearFirst ? [first, second, third] : [third, second, first]
  // "Nov 22 2026" too: a month that is a name cannot be mistaken.
  const isMonthFirst =
    !isYearFirst && /^\d{1,2}$/.test(second) && monthOf(reading, first) !== null && !/^\d/.test(first)
  const found = isMonthFirst ? monthOf(reading, first) : monthOf(reading, month)
  const date = isMonthFirst ? second : day
  if (found === null || !/^\d{1,2}$/.test(date) || !/^(\d{4}|\d{2})$/.test(year)) return null
  const whole = `${year.padStart(4, '20')}-${pad(found)}-${pad(Number(date))}`
  return isDay(whole) ? whole : null
}

const pad = (number: number): string => String(number).padStart(2, '0')

/** The number of a month by its number or its name in the language or in English. */
function monthOf(reading: Reading, text: string): number | null {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  for (const locale of [reading.locale, 'en']) {
    const wanted = text.toLocaleLowerCase(locale)
    const index = monthNames(locale).findIndex((names) => names.some((name) => name === wanted))
    if (index >= 0) return index + 1
  }
  return null
}

const monthNames = (locale: string): string[][] =>
  Array.from({ length: 12 }, (_, month) =>
    (['short', 'long'] as const).flatMap((length) => {
      const format = datesOf(dateTag(locale), { day: 'numeric', month: length, timeZone: 'UTC' })
      const part = format.formatToParts(Date.UTC(2026, month, 1)).find(({ type }) => type === 'month')?.value ?? ''
      const name = part.replace(/\.$/, '').toLocaleLowerCase(locale)
      return name === 'sept' ? [name, 'sep'] : [name]
    }),
  )

/** Whether it is a day of the calendar: February has no 30th. */
function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** So many days or months later. The last day of a month stays one: a month after 31 January is 28 February. */
export function laterWall(wall: Wall, { days = 0, months = 0 }: { days?: number; months?: number }): Wall {
  const [year = 0, month = 1, day = 1] = wall.slice(0, 10).split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  const moved = new Date(Date.UTC(year, month - 1 + months, Math.min(day, last) + days))
  return moved.toISOString().slice(0, 10) + wall.slice(10)
}
