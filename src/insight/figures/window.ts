import { AppError, invalid } from '../../base/errors'
import { DAY } from '../../base/lib/clock'
import { localDays } from '../../base/lib/local-days'
import { parseIso, parseQueryIso } from '../../base/lib/time'
import type { Cell, Grain } from './cells'

/** The longest windows, in days (wire 7.11). */
const MAX_DAYS = 1096
const MAX_DAYS_BY_DAY = 400
export const DEFAULT_DAYS = 30

interface Given {
  from?: string | undefined
  to?: string | undefined
}

/**
 * The window of a query, `end` is no part of it. Each side is a time, or a date of the time zone: the start of that
 * day. Without `to` it ends now, without `from` it starts 30 days earlier. 400 `VALIDATION_ERROR` when it is empty or
 * unreadable, `window_too_large` when it is too long for the grain.
 */
export function readWindow({ from, to }: Given, grain: Grain, timezone: string, now: number): Cell {
  const end = to === undefined ? now : readInstant('to', to, timezone)
  const start = from === undefined ? end - DEFAULT_DAYS * DAY : readInstant('from', from, timezone)
  if (start >= end) throw invalid('to: must be later than from')
  const days = Math.ceil((end - start) / DAY)
  const maxDays = grain === 'day' ? MAX_DAYS_BY_DAY : MAX_DAYS
  if (days > maxDays) throw new AppError('window_too_large', { days, maxDays })
  return { start, end }
}

/** A time, or the start of a date of the time zone. */
export function readInstant(name: string, text: string, timezone: string): number {
  const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? startOfDate(text, timezone) : parseQueryIso(text)
  if (instant === null)
    throw invalid(`${name}: neither a date such as 2026-11-20 nor an ISO 8601 time such as 2026-11-20T08:00:00Z`)
  return instant
}

function startOfDate(text: string, timezone: string): number | null {
  const midnight = parseIso(`${text}T00:00:00Z`)
  return midnight === null ? null : localDays(timezone).startOf(midnight / DAY)
}

/** The end of what is known at a date or time: a date counts with the whole of its day. Null = everything is known. */
export function readKnownBefore(text: string | undefined, timezone: string): number | null {
  if (text === undefined) return null
  const start = readInstant('knownAt', text, timezone)
  if (text.length > 10) return start + 1
  const days = localDays(timezone)
  return days.startOf(days.dayOf(start) + 1)
}
