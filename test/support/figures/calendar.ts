import { DAY_MS, HOUR_MS } from './history'

export type Grain = 'day' | 'week' | 'month' | 'total'

/** From the first instant up to, but without, the second one. */
export interface Span {
  start: number
  end: number
}

/** Days, weeks and months of a time zone, by what `Intl` says about each instant. */
export class Calendar {
  readonly #format: Intl.DateTimeFormat
  readonly #starts = new Map<number, number>()

  constructor(timeZone: string) {
    const two = '2-digit'
    const clock = { hour: two, minute: two, second: two, hourCycle: 'h23' } as const
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: two, day: two, ...clock })
  }

  /** What the clock on the wall shows, as if it were UTC. */
  wall(instant: number): number {
    const shown = new Map(this.#format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
    const [year = 0, month = 0, day = 0] = [shown.get('year'), shown.get('month'), shown.get('day')]
    const [hour = 0, minute = 0, second = 0] = [shown.get('hour'), shown.get('minute'), shown.get('second')]
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000)
  }

  /** The local day, as a number of days since 1 January 1970. */
  dayNumber(instant: number): number {
    return Math.floor(this.wall(instant) / DAY_MS)
  }

  /** The first instant of a local day. A day that the zone left out begins with the day after it. */
  startOf(dayNumber: number): number {
    const kept = this.#starts.get(dayNumber)
    if (kept !== undefined) return kept
    // No zone is further from UTC than 14 hours.
    let before = dayNumber * DAY_MS - 16 * HOUR_MS
    let after = dayNumber * DAY_MS + 16 * HOUR_MS
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (this.dayNumber(middle) < dayNumber) before = middle
      else after = middle
    }
    this.#starts.set(dayNumber, after)
    return after
  }

  /** The first instant of a local date such as `2026-02-28`. */
  startOfDate(date: string): number {
    return this.startOf(Date.parse(`${date}T00:00:00Z`) / DAY_MS)
  }

  /** What was known on a date is what was recorded before its end. */
  endOfDate(date: string): number {
    return this.startOf(Date.parse(`${date}T00:00:00Z`) / DAY_MS + 1)
  }

  /** The cells of a window, the first and the last one cut to it. */
  cells({ start, end }: Span, grain: Grain): Span[] {
    if (grain === 'total') return [{ start, end }]
    const cells: Span[] = []
    let first = firstDayOf(this.dayNumber(start), grain)
    while (this.startOf(first) < end) {
      const next = firstDayAfter(first, grain)
      const cell = { start: Math.max(start, this.startOf(first)), end: Math.min(end, this.startOf(next)) }
      if (cell.start < cell.end) cells.push(cell)
      first = next
    }
    return cells
  }

  /**
   * The same local day and time some months later. A day that the month does not have is its last one. A time that a
   * change of the clock leaves out is as much later as the change; of a time that comes twice it is the first one.
   */
  plusMonths(instant: number, months: number): number {
    if (months === 0) return instant
    const wall = new Date(this.wall(instant))
    const [year, month] = [wall.getUTCFullYear(), wall.getUTCMonth() + months]
    const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    const midnight = Date.UTC(year, month, Math.min(wall.getUTCDate(), lastDay))
    return this.#instantOf(midnight + (wall.getTime() % DAY_MS))
  }

  #instantOf(wall: number): number {
    const earlier = this.#distance(wall - DAY_MS)
    const later = this.#distance(wall + DAY_MS)
    const fitting = [wall - earlier, wall - later].filter((instant) => this.wall(instant) === wall)
    return fitting.length === 0 ? wall - earlier : Math.min(...fitting)
  }

  /** How far the local clock is ahead of UTC. */
  #distance(instant: number): number {
    return this.wall(instant) - instant
  }
}

function firstDayOf(dayNumber: number, grain: Exclude<Grain, 'total'>): number {
  if (grain === 'day') return dayNumber
  const date = new Date(dayNumber * DAY_MS)
  if (grain === 'month') return dayNumber - (date.getUTCDate() - 1)
  return dayNumber - ((date.getUTCDay() + 6) % 7) // Sunday is 0; weeks begin on Monday.
}

function firstDayAfter(first: number, grain: Exclude<Grain, 'total'>): number {
  if (grain === 'day') return first + 1
  if (grain === 'week') return first + 7
  const date = new Date(first * DAY_MS)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY_MS
}
