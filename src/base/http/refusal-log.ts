import { type Clock, MINUTE } from '../lib/clock'
import type { Log } from '../lib/log'
import { SlidingWindow } from './rate-limit'

/** `refused`: the caller was not let in. `failed`: the fault is ours. */
export type LoggedKind = 'refused' | 'failed'

/** Lines in a minute: of one address, and of all together. */
const LIMITS: Record<LoggedKind, { ofAddress: number; ofAll: number }> = {
  refused: { ofAddress: 10, ofAll: 300 },
  failed: { ofAddress: 100, ofAll: 1000 },
}

export const FLUSH_MS = MINUTE

/** Decides which refusals get a line in the log, so that a flood of them does not fill the disk. Counts the others. */
export class RefusalLog {
  private readonly lines = new SlidingWindow()
  private readonly skipped = new Map<string, number>()

  constructor(
    private readonly log: Log,
    private readonly clock: Clock,
  ) {}

  /** Whether this refusal gets a line. Otherwise it is counted under its code. */
  admit(kind: LoggedKind, address: string, code: string): boolean {
    const now = this.clock.now()
    const { ofAddress, ofAll } = LIMITS[kind]
    const isFlood =
      this.lines.hit(kind, `of ${address}`, ofAddress, now)?.isExceeded ||
      this.lines.hit(kind, 'all', ofAll, now)?.isExceeded
    if (isFlood) this.skipped.set(code, (this.skipped.get(code) ?? 0) + 1)
    return !isFlood
  }

  /** Writes how many refusals got no line since the last call, one line for each code. */
  flush(): void {
    for (const [code, count] of this.skipped) this.log.warn('refusals without a line of their own', { code, count })
    this.skipped.clear()
  }

  close(): void {
    this.flush()
  }
}
