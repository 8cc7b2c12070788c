import { DAY, HOUR } from '../../base/lib/clock'

/** The life of a certificate. Instants are milliseconds. */
export interface Life {
  notBefore: number
  notAfter: number
}

const SHORT_MS = 10 * DAY

/** When a certificate is renewed without other information: with a third of its life left, or a half below 10 days. */
export function renewalTime({ notBefore, notAfter }: Life): number {
  const life = notAfter - notBefore
  return Math.floor(notAfter - life / (life < SHORT_MS ? 2 : 3))
}

/**
 * An instant in the window that the authority suggests. `draw` is from 0 to below 1: deployments that draw evenly do not
 * all come at once (RFC 9773, 4.2). Never later than the certificate ends.
 */
export const timeInWindow = (
  { start, end }: { start: number; end: number },
  { notAfter }: Life,
  draw: number,
): number => Math.floor(Math.min(start + (end - start) * draw, notAfter - HOUR))

/**
 * After a success. A wrong clock, or an authority that wants renewals all the time, must not lead to an order a second:
 * the next one comes an hour later at the earliest.
 */
export const nextRenewal = (wantedAt: number, now: number): number => Math.max(wantedAt, now + HOUR)

const WAITS_MS = [HOUR, 3 * HOUR, 12 * HOUR, DAY]

/**
 * How long to wait after the failure number `failures` (from 1): 1 h, 3 h, 12 h, then 24 h, and at least as long as the
 * authority asks for, at most a week.
 */
export function backOffMs(failures: number, retryAfterMs: number | null = null): number {
  const waitMs = WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] ?? HOUR
  return Math.max(waitMs, Math.min(retryAfterMs ?? 0, 7 * DAY))
}

/** How far a certificate is: 0 more than a quarter of its life is left, 1 at most that, 2 at most an eighth, 3 ended. */
export function alertStage({ notBefore, notAfter }: Life, now: number): 0 | 1 | 2 | 3 {
  const [left, life] = [notAfter - now, notAfter - notBefore]
  if (left <= 0) return 3
  if (left <= life / 8) return 2
  return left <= life / 4 ? 1 : 0
}
