import type { Context } from '../context'
import { AppError } from '../errors'
import { type LimitState, retryAfterSeconds, writeLimitHeaders } from './rate-limit'
import type { RequestFacts } from './request'

/** Adds a limiter's state to the headers of the answer. Throws 429 `RATE_LIMITED` when the limit is exceeded. */
export function countLimit(
  ctx: Context,
  facts: RequestFacts,
  headers: Record<string, string | number>,
  state: LimitState | null,
): void {
  if (!state) return
  const now = ctx.clock.now()
  facts.limits.push(state)
  writeLimitHeaders(headers, facts.limits, now)
  if (!state.isExceeded) return
  const seconds = retryAfterSeconds(state, now)
  throw new AppError('RATE_LIMITED', { retryAfterSeconds: seconds }, { retryAfter: seconds })
}
