/** The last instant that fits ISO 8601 with a four-digit year: 9999-12-31T23:59:59.999Z. */
export const MAX_INSTANT = 253402300799999

const ISO = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** `2026-11-20T08:00:00.000Z`: the format of every time on the wire. */
export const toIso = (instant: number): string => new Date(instant).toISOString()

/**
 * Milliseconds of an ISO 8601 time with any offset and 0 to 9 fraction digits; digits after the third are cut. Null for
 * any other text, and for a time before 1970.
 */
export function parseIso(text: string): number | null {
  const instant = parseAnyIso(text)
  return instant !== null && instant >= 0 && instant <= MAX_INSTANT ? instant : null
}

/** As `parseIso`, for a text from a query: there a plus sign that is not escaped arrives as a blank. */
export const parseQueryIso = (text: string): number | null => parseIso(text.replaceAll(' ', '+'))

/** As `parseIso`, for times of the years 0000 to 9999. */
export function parseAnyIso(text: string): number | null {
  const match = ISO.exec(text)
  if (!match) return null
  const [, year, month, day, hour, minute, second, fraction = '', offset = 'Z'] = match
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  date.setUTCHours(Number(hour), Number(minute), Number(second))
  if (!isSameWallTime(date, match)) return null
  return date.getTime() + Number(fraction.padEnd(3, '0').slice(0, 3)) - offsetMs(offset)
}

// A date such as 31 February has become a day of March; it is refused instead.
function isSameWallTime(date: Date, [, year, month, day, hour, minute, second]: RegExpExecArray): boolean {
  return (
    date.getUTCDate() === Number(day) &&
    date.getUTCMonth() + 1 === Number(month) &&
    date.getUTCFullYear() === Number(year) &&
    date.getUTCHours() === Number(hour) &&
    date.getUTCMinutes() === Number(minute) &&
    date.getUTCSeconds() === Number(second)
  )
}

function offsetMs(offset: string): number {
  if (offset === 'Z' || offset === 'z') return 0
  const sign = offset.startsWith('-') ? -1 : 1
  return sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))) * 60_000
}
