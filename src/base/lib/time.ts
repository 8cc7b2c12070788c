/** The last instant that fits ISO 8601 with a four-digit year: 9999-12-31T23:59:59.999Z. */
export const MAX_INSTANT = 253402300799999

const ISO = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** `2026-11-20T08:00:00.000Z`: the format of every time on the wire. */
export const toIso = (instant: number): string => new Date(instant).toISOString()

export const toIsoOrNull = (instant: number | null): string | null => (instant === null ? null : toIso(instant))

/**
 * Milliseconds of an ISO 8601 time with any offset and 0 to 9 fraction digits; digits after the third are cut. Null for
 * any other text.
 */
export function parseIso(text: string): number | null {
  const match = ISO.exec(text)
  if (!match) return null
  const [, year, month, day, hour, minute, second, fraction = '', offset = 'Z'] = match
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  if (!isSameWallTime(wall, match)) return null
  const instant = wall + Number(fraction.padEnd(3, '0').slice(0, 3)) - offsetMs(offset)
  return instant >= 0 && instant <= MAX_INSTANT ? instant : null
}

// `Date.UTC` turns 31 February into a day of March; such a date is refused instead.
function isSameWallTime(wall: number, [, year, month, day, hour, minute, second]: RegExpExecArray): boolean {
  const date = new Date(wall)
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
