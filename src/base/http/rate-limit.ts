import { MINUTE, SECOND } from '../lib/clock'

/** The state of one limiter after a request, for the rate limit headers. */
export interface LimitState {
  name: string
  limit: number
  remaining: number
  /** Unix milliseconds at which the oldest counted request leaves the window. */
  resetAt: number
  isExceeded: boolean
  /** Absent = 60. */
  windowSeconds?: number
}

/** Names in one generation. With two generations, even a flood of names uses less than about 50 MB. */
const MAX_NAMES = 50_000

/**
 * An exact sliding window for each name, in process memory, of 60 s unless another length is given. Names are kept in two
 * generations. A name without a request in a whole window is dropped. Too many names end a generation early.
 */
export class SlidingWindow {
  private recent = new Map<string, Window>()
  private older = new Map<string, Window>()
  private turnedAt = 0

  constructor(readonly windowMs: number = MINUTE) {}

  /** Number of names in memory. A name that is in both generations counts twice. */
  get size(): number {
    return this.recent.size + this.older.size
  }

  /**
   * Counts one request of `who`, or another amount. A refused request is not counted. A limit of 0 means no limit.
   */
  hit(limiter: string, who: string, limit: number, now: number, amount = 1): LimitState | null {
    if (limit <= 0) return null
    const window = this.windowOf(`${limiter}\n${who}`, now)
    window.forgetOutside(now - this.windowMs, now)
    const isExceeded = window.count + amount > limit
    if (!isExceeded) window.add(now, amount)
    const resetAt = (window.oldest ?? now) + this.windowMs
    const state = { name: limiter, limit, remaining: Math.max(0, limit - window.count), resetAt, isExceeded }
    return this.windowMs === MINUTE ? state : { ...state, windowSeconds: this.windowMs / SECOND }
  }

  /** Takes back one request that was counted at `at` and did not happen after all. */
  giveBack(limiter: string, who: string, at: number): void {
    const name = `${limiter}\n${who}`
    const window = this.recent.get(name) ?? this.older.get(name)
    window?.remove(at)
  }

  private windowOf(name: string, now: number): Window {
    if (Math.abs(now - this.turnedAt) >= this.windowMs || this.recent.size >= MAX_NAMES) this.turn(now)
    const known = this.recent.get(name)
    if (known) return known
    const window = this.older.get(name) ?? new Window()
    this.recent.set(name, window)
    return window
  }

  private turn(now: number): void {
    this.older = this.recent
    this.recent = new Map()
    this.turnedAt = now
  }
}

/** The requests of 60 s, as pairs of a millisecond and its number of requests, oldest first, from `start` on. */
class Window {
  count = 0
  private pairs: number[] = []
  private start = 0

  get oldest(): number | undefined {
    return this.pairs[this.start]
  }

  add(now: number, amount: number): void {
    const { length } = this.pairs
    if (length > this.start && this.pairs[length - 2] === now) this.pairs[length - 1] = this.newest + amount
    else this.pairs.push(now, amount)
    this.count += amount
  }

  /** Removes one request of this time, if it is still in the window. */
  remove(at: number): void {
    for (let index = this.pairs.length - 2; index >= this.start; index -= 2) {
      if (this.pairs[index] !== at) continue
      const left = (this.pairs[index + 1] ?? 0) - 1
      if (left > 0) this.pairs[index + 1] = left
      else this.pairs.splice(index, 2)
      this.count--
      return
    }
  }

  /** Drops times up to and including `until`, and times after `now`, which exist when the wall clock was set back. */
  forgetOutside(until: number, now: number): void {
    while (this.count > 0 && (this.pairs.at(-2) ?? 0) > now) {
      this.count -= this.newest
      this.pairs.length -= 2
    }
    while (this.count > 0 && (this.oldest ?? 0) <= until) {
      this.count -= this.pairs[this.start + 1] ?? 0
      this.start += 2
    }
    if (this.start > 1024 && this.start * 2 > this.pairs.length) {
      this.pairs = this.pairs.slice(this.start)
      this.start = 0
    }
  }

  /** Number of requests at the newest time. */
  private get newest(): number {
    return this.pairs.at(-1) ?? 0
  }
}

/** Whole seconds until the limiter lets the next request through, at least 1. */
export const retryAfterSeconds = (state: LimitState, now: number): number =>
  Math.max(1, Math.ceil((state.resetAt - now) / SECOND))

type Headers = Record<string, string | number>

/** Writes `X-RateLimit-*` for the narrowest limiter and `RateLimit*` for every limiter that ran (wire 1.4). */
export function writeLimitHeaders(headers: Headers, limits: readonly LimitState[], now: number): void {
  const narrowest = limits.at(-1)
  if (!narrowest) return
  headers['x-ratelimit-limit'] = String(narrowest.limit)
  headers['x-ratelimit-remaining'] = String(narrowest.remaining)
  headers['x-ratelimit-reset'] = String(Math.ceil(narrowest.resetAt / SECOND))
  headers['ratelimit-policy'] = limits
    .map(({ name, limit, windowSeconds = 60 }) => `"${name}";q=${limit};w=${windowSeconds}`)
    .join(', ')
  headers.ratelimit = limits
    .map((state) => `"${state.name}";r=${state.remaining};t=${retryAfterSeconds(state, now)}`)
    .join(', ')
}
