import { t } from 'elysia'
import { invalid } from '../errors'
import { parseIso, parseQueryIso } from '../lib/time'

type Options = NonNullable<Parameters<typeof t.Integer>[0]>

/** An integer parameter of the query. Its name is the title, so that error messages can name it. */
export const queryInteger = (name: string, options: Options) => t.Integer({ ...options, title: name })

/** Milliseconds of an ISO 8601 time in a query, with any zone. 400 `VALIDATION_ERROR`, which names the parameter. */
export const queryInstant = (name: string, text: string): number => known(name, parseQueryIso(text))

/** The same for a member of a body. */
export const bodyInstant = (place: string, text: string): number => known(place, parseIso(text))

function known(place: string, instant: number | null): number {
  if (instant === null) throw invalid(`${place}: not an ISO 8601 time such as 2026-11-20T08:00:00Z`)
  return instant
}

/**
 * A header's text, trimmed. A blank header counts as absent. Bytes above 7f are decoded when they are valid UTF-8, and
 * before trimming, because the last byte of `à` alone would be trimmed as a blank.
 */
export function headerText(headers: Headers, name: string): string | null {
  const value = headers.get(name)
  if (value === null) return null
  return (/^[\x20-\x7e]*$/.test(value) ? value : decodeLatin1(value)).trim() || null
}

function decodeLatin1(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}
