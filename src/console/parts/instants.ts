import { datesOf } from '../lib/intl'

/** The instant of a wall-clock time such as `2026-11-22T09:30` in a zone; null when it is not one. */
export function instantOf(wall: string, zone: string): string | null {
  const utc = Date.parse(`${wall}Z`)
  if (Number.isNaN(utc)) return null
  // The offset is that of the wall time itself; the second look settles a change of the clocks in between.
  const first = utc - offsetAt(utc, zone)
  return new Date(utc - offsetAt(first, zone)).toISOString()
}

/** The wall-clock time of an instant in a zone, as `datetime-local` takes it. */
export function wallOf(at: number, zone: string): string {
  return new Date(at + offsetAt(at, zone)).toISOString().slice(0, 16)
}

/** Milliseconds that a zone is ahead of UTC at an instant. */
function offsetAt(at: number, zone: string): number {
  const format = datesOf('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
}
