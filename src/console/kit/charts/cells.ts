import { datesOf, dateTag } from '../../lib/intl'
import type { PlotCell, PlotNote } from './model'

export type Grain = 'day' | 'week' | 'month' | 'total'

interface Names {
  tick: Intl.DateTimeFormatOptions
  title: Intl.DateTimeFormatOptions
}

const SHORT = { day: 'numeric', month: 'short' } as const
const DAY: Names = { tick: SHORT, title: { weekday: 'short', ...SHORT, year: 'numeric' } }
const WEEK: Names = { tick: SHORT, title: { ...SHORT, year: 'numeric' } }
const MONTH: Names = { tick: { month: 'short' }, title: { month: 'short', year: 'numeric' } }

/** Names of cells by the calendar of the project: its days are counted, not those of the reader. */
export function cellNames(starts: readonly string[], grain: Grain, locale: string, zone: string): PlotCell[] {
  const { tick, title } = grain === 'month' ? MONTH : grain === 'week' ? WEEK : DAY
  const text = (options: Intl.DateTimeFormatOptions, start: string) =>
    datesOf(dateTag(locale), { ...options, timeZone: zone })
      .format(new Date(start))
      .replace('Sept', 'Sep')
  return starts.map((start) => ({ tick: text(tick, start), title: text(title, start) }))
}

/** The cell in which the present lies; null when the window is over or has not started. */
export function runningCell(starts: readonly string[], until: number, now: number): number | null {
  const instants = starts.map((start) => Date.parse(start))
  if (until < now || instants.length === 0 || (instants[0] ?? 0) > now) return null
  const found = instants.findLastIndex((at) => at <= now)
  return found === -1 ? null : found
}

/** Annotations that fall into the cells. */
export function notesIn(
  annotations: readonly { at: string; text: string }[],
  starts: readonly string[],
  until: number,
): PlotNote[] {
  const instants = starts.map((start) => Date.parse(start))
  return annotations.flatMap(({ at, text }) => {
    const own = Date.parse(at)
    const cell = instants.findLastIndex((start) => start <= own)
    return cell === -1 || own >= until ? [] : [{ cell, text }]
  })
}
