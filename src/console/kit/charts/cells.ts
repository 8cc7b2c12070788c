import type { PlotCell, PlotNote } from './model'

export type Grain = 'day' | 'week' | 'month' | 'total'

/** Names of cells by the calendar of the project: its days, not those of the reader, are what is counted. */
export function cellNames(starts: readonly string[], grain: Grain, locale: string, zone: string): PlotCell[] {
  const tag = locale === 'en' ? 'en-GB' : locale
  const make = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, { ...options, timeZone: zone })
  const day = make({ day: 'numeric', month: 'short' })
  const fullDay = make({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
  const week = make({ day: 'numeric', month: 'short', year: 'numeric' })
  const month = make({ month: 'short' })
  const fullMonth = make({ month: 'short', year: 'numeric' })
  const text = (format: Intl.DateTimeFormat, start: string) => format.format(new Date(start)).replace('Sept', 'Sep')
  const [tick, title] = grain === 'month' ? [month, fullMonth] : [day, grain === 'week' ? week : fullDay]
  return starts.map((start) => ({ tick: text(tick, start), title: text(title, start) }))
}

/** The cell in which the present lies; null when the window is over or has not begun. */
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
