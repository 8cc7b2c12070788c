import { DAY } from './clock'

/** A date of a calendar, as the days since 1970-01-01. */
export type DayNumber = number

/** The calendar of a time zone. */
export interface LocalDays {
  /** What the clocks of the zone show at an instant, as if it were UTC. */
  wallOf(at: number): number
  /** The date on which an instant falls. */
  dayOf(at: number): DayNumber
  /** The first instant of a date. Where the clocks skip midnight it is the instant of the change. */
  startOf(day: DayNumber): number
  /**
   * The same day and time of day some months later. A day that the month does not have becomes its last one. Of a time
   * that comes twice it is the first; one that the clocks skip is as much later as they skip.
   */
  plusMonths(at: number, months: number): number
}

/** @param timezone an IANA name that the runtime knows */
export function localDays(timezone: string): LocalDays {
  const wallOf = timezone === 'UTC' ? (at: number) => at : wallClock(timezone)
  return {
    wallOf,
    dayOf: (at) => Math.floor(wallOf(at) / DAY),
    startOf: (day) => instantOf(wallOf, day * DAY),
    plusMonths: (at, months) => (months === 0 ? at : instantOf(wallOf, wallPlusMonths(wallOf(at), months))),
  }
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

const WEEK = 7
/** 1970-01-05, a Monday. */
const MONDAY = 4

/** The Monday of the week in which a day lies. */
export const firstOfWeek = (day: DayNumber): DayNumber => Math.floor((day - MONDAY) / WEEK) * WEEK + MONDAY

/** The first day of the month that is `months` after the month of a day. */
export function firstOfMonth(day: DayNumber, months = 0): DayNumber {
  const date = new Date(day * DAY)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / DAY
}

/** The clocks change at most once within a day of an instant, so one of the two distances to UTC is right. */
function instantOf(wallOf: (at: number) => number, wall: number): number {
  const distance = (at: number) => wallOf(at) - at
  const [before, after] = [wall - distance(wall - DAY), wall - distance(wall + DAY)]
  const exact = [before, after].filter((at) => wallOf(at) === wall)
  return exact.length === 0 ? before : Math.min(...exact)
}

function wallPlusMonths(wall: number, months: number): number {
  const date = new Date(wall)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const timeOfDay = ((wall % DAY) + DAY) % DAY
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + timeOfDay
}
