import type { ChangeSource } from '../db/change-listener'
import { type CachedResponse, ClockCache } from './clock-cache'

/** Room for 40,000 answers made of one row, 27,000 of a few. */
const MAX_BYTES = 32 * 1024 * 1024
const MAX_NAME = 1000
/** Checking takes 3 µs, and whoever has changed something with `svc` beside the server should see it at once. */
const CHECK_MS = 10

/**
 * Answers that depend on nothing but their request, their project's configuration, rows that are known by id and,
 * between two known instants, no clock. Exact within this process, because every change of rows drops the answers made
 * of them; a change by another process drops all within 10 ms.
 */
export class ResponseCache {
  private entries: ClockCache
  private seenVersion = Number.NaN
  private checkedAt = Number.NEGATIVE_INFINITY
  /** Moves with each change: what was begun before it is not kept after it. */
  private changes = 0

  /** Without a source nobody says when rows change, and nothing is kept. */
  constructor(
    private readonly source: ChangeSource | null,
    /** Whether changes name rows of this id; an answer made of others is not kept. */
    private readonly isRowId: (id: string) => boolean,
    private readonly maxBytes = MAX_BYTES,
  ) {
    this.entries = new ClockCache(maxBytes)
  }

  get bytes(): number {
    return this.entries.bytes
  }

  find(name: string, now: number): CachedResponse | undefined {
    if (!this.isCurrent(now)) return undefined
    const found = this.entries.find(name)
    return found && holdsAt(found, now) ? found : undefined
  }

  /** To be taken before anything is read for an answer that may be kept. */
  mark(now: number): number {
    return this.isCurrent(now) ? this.changes : Number.NaN
  }

  /** Keeps an answer unless anything has changed since its mark. */
  keep(name: string, answer: CachedResponse, mark: number): void {
    if (mark === this.changes && name.length <= MAX_NAME && answer.rowIds.every(this.isRowId))
      this.entries.put(name, answer)
  }

  /** Forgets the answers made of a row, and what is being made of it. */
  forget(rowId: string): void {
    this.changes++
    this.entries.forget(rowId)
  }

  clear(): void {
    this.changes++
    this.entries = new ClockCache(this.maxBytes)
  }

  /** Looks for changes of other processes, at most once in 10 ms. A failing database is reported by whoever reads from it. */
  private isCurrent(now: number): boolean {
    if (this.source === null) return false
    if (Math.abs(now - this.checkedAt) < CHECK_MS) return true
    try {
      const version = this.source.foreignVersion()
      if (version !== this.seenVersion) this.clear()
      this.seenVersion = version
      this.checkedAt = now
      return true
    } catch {
      this.clear()
      this.seenVersion = Number.NaN
      return false
    }
  }
}

/** Before `from` as well it need not be true: a clock can be set back. */
const holdsAt = ({ from, until }: CachedResponse, now: number): boolean => now >= from && now < until
