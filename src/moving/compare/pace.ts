import { monotonicMs, SECOND } from '../../base/lib/clock'

/** When the next request may be sent: a rate, and pauses that hold for everybody who waits. */
export class Pace {
  private nextAtMs = 0
  private pausedUntilMs = 0
  private pausedSinceMs: number | null = null
  /** How many pauses followed each other without an answer between them. */
  pausesInRow = 0

  /** `rate`: requests per second; 0 = no limit. */
  constructor(
    private readonly rate: number,
    private readonly signal: AbortSignal,
  ) {}

  /** Since when nothing was answered. */
  get pausedForMs(): number {
    return this.pausedSinceMs === null ? 0 : monotonicMs() - this.pausedSinceMs
  }

  /** Waits until it is this caller's turn; returns at once when everything is to end. */
  async turn(): Promise<void> {
    const now = monotonicMs()
    const at = Math.max(now, this.nextAtMs, this.pausedUntilMs)
    if (this.rate > 0) this.nextAtMs = at + SECOND / this.rate
    await sleepUntil(at, this.signal)
    // Another caller was refused meanwhile.
    while (!this.signal.aborted && this.pausedUntilMs > monotonicMs()) await sleepUntil(this.pausedUntilMs, this.signal)
  }

  pause(ms: number): void {
    const now = monotonicMs()
    this.pausedSinceMs ??= now
    if (now >= this.pausedUntilMs) this.pausesInRow++
    this.pausedUntilMs = Math.max(this.pausedUntilMs, now + ms)
  }

  goesWell(): void {
    this.pausedSinceMs = null
    this.pausesInRow = 0
  }
}

async function sleepUntil(atMs: number, signal: AbortSignal): Promise<void> {
  const ms = atMs - monotonicMs()
  if (ms > 0) await sleep(ms, signal)
}

/** Ends early when the signal does. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const stop = () => resolve()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
