import { MINUTE, SECOND } from '../lib/clock'

/** How one limiter stands after it ran, as the rate headers tell it. */
export interface LimitState {
  name: string
  limit: number
  remaining: number
  /** Unix milliseconds at which the oldest counted request leaves the window. */
  resetAt: number
  isExceeded: boolean
}

const MAX_TRACKED = 100_000

/** An exact sliding window of 60 s per name, in process memory; at most 100,000 names, the idlest leave first. */
export class SlidingWindow {
  private readonly windows = new Map<string, Window>()

  /** Counts one request of `who`; a refused one is not counted. A limit of 0 is no limit. */
  hit(limiter: string, who: string, limit: number, now: number): LimitState | null {
    if (limit <= 0) return null
    const window = this.windowOf(`${limiter}\n${who}`)
    window.forget(now - MINUTE)
    const isExceeded = window.count >= limit
    if (!isExceeded) window.add(now)
    const resetAt = (window.oldest ?? now) + MINUTE
    return { name: limiter, limit, remaining: Math.max(0, limit - window.count), resetAt, isExceeded }
  }

  private windowOf(name: string): Window {
    const known = this.windows.get(name)
    if (known) this.windows.delete(name)
    const window = known ?? new Window()
    this.windows.set(name, window) // Last in insertion order = most recently used.
    if (this.windows.size > MAX_TRACKED) this.dropIdlest()
    return window
  }

  private dropIdlest(): void {
    const idlest = this.windows.keys().next()
    if (!idlest.done) this.windows.delete(idlest.value)
  }
}

/** Times of the counted requests, oldest first, from `start` on. */
class Window {
  private times: number[] = []
  private start = 0

  get count(): number {
    return this.times.length - this.start
  }

  get oldest(): number | undefined {
    return this.times[this.start]
  }

  add(now: number): void {
    this.times.push(now)
  }

  /** Drops times up to and including `until`. */
  forget(until: number): void {
    while (this.start < this.times.length && (this.times[this.start] ?? 0) <= until) this.start++
    if (this.start > 512 && this.start * 2 > this.times.length) {
      this.times = this.times.slice(this.start)
      this.start = 0
    }
  }
}

/** Whole seconds until the limiter lets the next request through, at least 1. */
export const retryAfterSeconds = (state: LimitState, now: number): number =>
  Math.max(1, Math.ceil((state.resetAt - now) / SECOND))

type Headers = Record<string, string | number>

/** Both header families: `X-RateLimit-*` for the narrowest limiter, `RateLimit*` for all that ran (wire 1.4). */
export function writeLimitHeaders(headers: Headers, limits: readonly LimitState[], now: number): void {
  const narrowest = limits.at(-1)
  if (!narrowest) return
  headers['x-ratelimit-limit'] = String(narrowest.limit)
  headers['x-ratelimit-remaining'] = String(narrowest.remaining)
  headers['x-ratelimit-reset'] = String(Math.ceil(narrowest.resetAt / SECOND))
  headers['ratelimit-policy'] = limits.map(({ name, limit }) => `"${name}";q=${limit};w=60`).join(', ')
  headers.ratelimit = limits
    .map((state) => `"${state.name}";r=${state.remaining};t=${retryAfterSeconds(state, now)}`)
    .join(', ')
}
