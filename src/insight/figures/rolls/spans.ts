import { type DayNumber, firstOfMonth, type LocalDays } from '../../../base/lib/local-days'
import type { Cell } from '../cells'

export const DAY_LEVEL = 0
export const MONTH_LEVEL = 1
export type Level = typeof DAY_LEVEL | typeof MONTH_LEVEL

/** Whole days or months, whose sums are kept. */
export interface KeptSpan extends Cell {
  level: Level
}

/** How a time is read: the part of it in kept sums, and the rest entry by entry. Both ascending. */
export interface Parts {
  kept: KeptSpan[]
  entries: Cell[]
}

/** Before everything. */
export const BEGINNING = -8_640_000_000_000_000

/**
 * Divides the cells, of which each starts where the one before it ends, into whole months, whole days and the rest.
 * From `until` on everything is the rest.
 */
export function partsOf(cells: readonly Cell[], days: LocalDays, until: number): Parts {
  const parts: Parts = { kept: [], entries: [] }
  for (const { start, end } of cells) {
    addCell(parts, { start: Math.min(start, until), end: Math.min(end, until) }, days)
    addTo(parts.entries, { start: Math.max(start, until), end: Math.max(end, until) })
  }
  return parts
}

function addCell({ kept, entries }: Parts, { start, end }: Cell, days: LocalDays): void {
  if (start >= end) return
  const last = dayAt(end, days)
  const dayEnd = days.startOf(last)
  const first = start <= BEGINNING ? null : firstDayFrom(start, days)
  if (first !== null && (first.day >= last || first.at >= dayEnd)) {
    addTo(entries, { start, end })
    return
  }
  if (first) addTo(entries, { start, end: first.at })
  const dayStart = first?.at ?? BEGINNING
  const [monthStart, monthEnd] = [first ? monthFrom(first.day) : null, firstOfMonth(last, 0)]
  if (monthStart !== null && monthStart >= monthEnd) addKept(kept, DAY_LEVEL, dayStart, dayEnd)
  else {
    const [from, to] = [monthStart === null ? BEGINNING : days.startOf(monthStart), days.startOf(monthEnd)]
    addKept(kept, DAY_LEVEL, dayStart, from)
    addKept(kept, MONTH_LEVEL, from, to)
    addKept(kept, DAY_LEVEL, to, dayEnd)
  }
  addTo(entries, { start: dayEnd, end })
}

/** The last day that has started. Where the clocks go back over midnight that is not always the date. */
export function dayAt(at: number, days: LocalDays): DayNumber {
  let day = days.dayOf(at)
  while (days.startOf(day + 1) <= at) day++
  while (days.startOf(day) > at) day--
  return day
}

function firstDayFrom(at: number, days: LocalDays): { day: DayNumber; at: number } {
  const day = dayAt(at, days)
  const start = days.startOf(day)
  return start >= at ? { day, at: start } : { day: day + 1, at: days.startOf(day + 1) }
}

const monthFrom = (day: DayNumber): DayNumber => (firstOfMonth(day, 0) === day ? day : firstOfMonth(day, 1))

/** Adds a part; one that continues the last one makes it longer. */
function addTo(parts: Cell[], { start, end }: Cell): void {
  if (start >= end) return
  const last = parts.at(-1)
  if (last?.end === start) last.end = end
  else parts.push({ start, end })
}

function addKept(kept: KeptSpan[], level: Level, start: number, end: number): void {
  if (start >= end) return
  const last = kept.at(-1)
  if (last?.end === start && last.level === level) last.end = end
  else kept.push({ level, start, end })
}
