import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Money } from '../../base/lib/money'
import { MAX_INSTANT, parseIso } from '../../base/lib/time'
import type { MoneyResource } from './resource'

/** `field` is the first member that is missing, of a wrong type or out of range. */
export interface Malformed {
  ok: false
  reason: 'malformed'
  field: string
}

export const malformed = (field: string): Malformed => ({ ok: false, reason: 'malformed', field })

/** The first member that breaks the schema. */
export const firstProblem = (schema: TSchema, value: unknown): string =>
  Value.Errors(schema, value).First()?.path.slice(1).split('/')[0] || 'body'

/** An empty text counts as absent. */
export const textOf = (text: string | null | undefined): string | null => text || null

/** Milliseconds of an RFC 3339 time; null when it is absent or not a real date. */
export const instantOf = (text: string | null | undefined): number | null => (text ? parseIso(text) : null)

/** Milliseconds of an int64 that is a text or a number; null when it is not an instant. */
export function millisOf(value: string | number | null | undefined): number | null {
  const millis = Number(value ?? Number.NaN)
  return Number.isInteger(millis) && millis >= 0 && millis <= MAX_INSTANT ? millis : null
}

/**
 * Money of Google's {currencyCode, units, nanos}: micros = units x 10^6 + nanos / 10^3, cut to whole micros. So 9 units
 * and 990000000 nanos are 9990000. Null when it is absent, negative, or beyond exact integers.
 */
export function moneyOf(money: MoneyResource | null | undefined): Money | null {
  const { currencyCode, units, nanos } = money ?? {}
  if (!currencyCode || !/^[A-Z]{3}$/.test(currencyCode)) return null
  if ((units ?? null) === null && (nanos ?? null) === null) return null
  const micros = BigInt(units ?? 0) * 1_000_000n + BigInt(Math.trunc((nanos ?? 0) / 1000))
  if (micros < 0n || micros > BigInt(Number.MAX_SAFE_INTEGER)) return null
  return { amountMicros: Number(micros), currency: currencyCode }
}
