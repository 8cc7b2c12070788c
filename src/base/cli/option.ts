import { parseIso } from '../lib/time'
import { UsageError } from './command'

// Options whose text is parsed. A text that cannot be parsed is wrong usage, and the message gives an example.

/** Milliseconds of a time in ISO 8601. */
export function toInstant(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const instant = parseIso(text)
  if (instant === null) throw new UsageError(`${option} takes a time like 2026-11-20T08:00:00Z, not "${text}"`)
  return instant
}

export function toLimit(text = '50'): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (limit === 0) throw new UsageError(`--limit takes a whole number above 0, not "${text}"`)
  return limit
}
