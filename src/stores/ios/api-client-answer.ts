import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { SECOND } from '../../base/lib/clock'
import { parseJson } from '../../base/lib/json'
import { Failure } from './api-client-shapes'

/** The outcome of a call to the store. */
export type ApiResult<Value> =
  | { ok: true; value: Value }
  | ApiUnavailable
  /**
   * The store refused the call, or its answer could not be read. `errorCode` is Apple's own number; null when Apple
   * gave none. For an unreadable answer `status` is a success status.
   */
  | { ok: false; kind: 'rejected'; status: number; errorCode: number | null }

/** No answer, too many requests, a fault at the store, or an open circuit. `retryAfter` is in seconds. */
export interface ApiUnavailable {
  ok: false
  kind: 'unavailable'
  retryAfter?: number
}

/** The parts of an HTTP answer that are used here. */
export interface Answer {
  status: number
  retryAfter: string | null
  text: string
}

/** Decides what an answer means; with `schema` null the status alone decides. */
export function readAnswer<Schema extends TSchema>(
  answer: Answer,
  schema: Schema | null,
  now: number,
): ApiResult<Static<Schema>> {
  const { status } = answer
  if (status === 429 || status >= 500) return unavailable(parseRetryAfter(answer.retryAfter, now))
  const body = parseJson(answer.text)
  if (status < 200 || status > 299) return rejected(status, Value.Check(Failure, body) ? body.errorCode : null)
  if (schema === null) return { ok: true, value: null }
  return Value.Check(schema, body) ? { ok: true, value: body } : rejected(status, null)
}

export const unavailable = (retryAfter: number | null): ApiUnavailable => ({
  ok: false,
  kind: 'unavailable',
  ...(retryAfter === null ? {} : { retryAfter }),
})

export const rejected = (status: number, errorCode: number | null) => ({
  ok: false as const,
  kind: 'rejected' as const,
  status,
  errorCode,
})

/** A smaller number is a count of seconds; a larger one is an instant in milliseconds. */
const FIRST_INSTANT = 1e11
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Seconds to wait, at least 1; null when the header cannot be read. Apple writes the instant in Unix milliseconds
 * (developer.apple.com, Identifying rate limits). A proxy in between may write seconds or a date, as HTTP defines it.
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? ''
  const number = /^\d{1,15}$/.test(text) ? Number(text) : null
  if (number !== null && number < FIRST_INSTANT) return Math.max(1, number)
  const instant = number ?? (HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN)
  return Number.isNaN(instant) ? null : Math.max(1, Math.ceil((instant - now) / SECOND))
}
