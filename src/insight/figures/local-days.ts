import { DAY } from '../../base/lib/clock'

/** A date of a calendar, as the days since 1970-01-01. */
export type DayNumber = number

/** The calendar of a time zone. */
export interface LocalDays {
  /** The date on which an instant falls. */
  dayOf(at: number): DayNumber
  /** The first instant of a date. Where the clocks skip midnight it is the instant of the change. */
  startOf(day: DayNumber): number
}

/** @param timezone an IANA name that the runtime knows */
export function localDays(timezone: string): LocalDays {
  if (timezone === 'UTC') return { dayOf: (at) => Math.floor(at / DAY), startOf: (day) => day * DAY }
  const wallOf = wallClock(timezone)
  const startOf = (day: DayNumber) => startOfDay(wallOf, day * DAY)
  return { dayOf: (at) => Math.floor(wallOf(at) / DAY), startOf }
}

/** What the clocks of the zone show, as if it were UTC. */
function wallClock(timezone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (at) => {
    const part: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(at)) part[type] = Number(value)
    const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1000) + 1000) % 1000)
  }
}

/** The clocks change at most once within a day of midnight, so one of the two distances to UTC is right. */
function startOfDay(wallOf: (at: number) => number, midnight: number): number {
  const [before, after] = [midnight - DAY, midnight + DAY].map((at) => midnight - (wallOf(at) - at))
  if (before === undefined || after === undefined || before === after) return before ?? midnight
  const exact = [before, after].toSorted((a, b) => a - b).find((at) => wallOf(at) === midnight)
  return exact ?? before
}
