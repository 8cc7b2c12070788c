import type { LimitState, SlidingWindow } from '../rate-limit'
import type { SharedCache } from './shared-cache'

/** Now, or later when another process has to be asked. */
export type MaybeLater<Value> = Value | Promise<Value>

/** Passes a value on, at once when it is there already. */
export const after = <Value, Result>(
  value: MaybeLater<Value>,
  next: (value: Value) => MaybeLater<Result>,
): MaybeLater<Result> => (value instanceof Promise ? value.then(next) : next(value))

/**
 * The limiters that several processes share when they have a cache in common. Each request is also counted in the
 * memory of its process, and that count holds while the cache does not answer: trouble of ours must not refuse callers,
 * and not let everybody pass either (wire 1.9).
 */
export class Limits {
  constructor(
    private readonly local: SlidingWindow,
    private readonly cache: SharedCache | null,
  ) {}

  get isShared(): boolean {
    return this.cache !== null
  }

  /** As `SlidingWindow.hit`; a promise only with a shared cache. */
  hit(limiter: string, who: string, limit: number, now: number): MaybeLater<LimitState | null> {
    const own = this.local.hit(limiter, who, limit, now)
    if (own === null || this.cache === null) return own
    return this.shared(this.cache, own, who, now)
  }

  /** As `hit`, in the memory of this process only: at once, and so that it can be taken back. */
  hitHere(limiter: string, who: string, limit: number, now: number): LimitState | null {
    return this.local.hit(limiter, who, limit, now)
  }

  /** Takes back one request that `hitHere` counted at this time. */
  giveBackHere(limiter: string, who: string, at: number): void {
    this.local.giveBack(limiter, who, at)
  }

  private async shared(cache: SharedCache, own: LimitState, who: string, now: number): Promise<LimitState> {
    const { name, limit } = own
    const { windowMs } = this.local
    const all = await cache.hit(`${name}\n${who}`, limit, now, 1, windowMs)
    if (!all) return own
    const { count, oldest, isExceeded } = all
    return { ...own, remaining: Math.max(0, limit - count), resetAt: oldest + windowMs, isExceeded }
  }
}
