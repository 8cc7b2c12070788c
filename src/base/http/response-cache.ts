import type { ChangeSource } from '../db/change-listener'
import { type CachedResponse, ClockCache } from './clock-cache'

/** Room for 40,000 answers made of one row, 27,000 of a few. */
const MAX_BYTES = 32 * 1024 * 1024
const MAX_NAME = 1000
/** A check takes 3 µs. It is frequent, so that a change by an `svc` command beside the server is seen at once. */
const CHECK_MS = 10

/**
 * Answers that depend only on their request, their project's configuration and rows with known ids, and that do not
 * change with the time between two known instants. Within this process they are never out of date, because every change
 * of a row drops the answers made from it. A change by another process drops all answers within 10 ms.
 */
export class ResponseCache {
  private entries: ClockCache
  private seenVersion = Number.NaN
  private checkedAt = Number.NEGATIVE_INFINITY
  /** Counts changes. An answer whose making began before a change is not kept after it. */
  private changes = 0

  /** Without a source, changes of rows are not reported, so nothing is kept. */
  constructor(
    private readonly source: ChangeSource | null,
    /** Whether changes of the row with this id are reported. An answer made from other rows is not kept. */
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

  /** Call this before reading anything for an answer that may be kept, and pass the result to `keep`. */
  mark(now: number): number {
    return this.isCurrent(now) ? this.changes : Number.NaN
  }

  /** Keeps an answer unless anything has changed since its mark. */
  keep(name: string, answer: CachedResponse, mark: number): void {
    if (mark === this.changes && name.length <= MAX_NAME && answer.rowIds.every(this.isRowId))
      this.entries.put(name, answer)
  }

  /** Drops the answers made from a row. Answers that are being made now will not be kept. */
  forget(rowId: string): void {
    this.changes++
    this.entries.forget(rowId)
  }

  clear(): void {
    this.changes++
    this.entries = new ClockCache(this.maxBytes)
  }

  /** Checks for changes by other processes, at most once in 10 ms. A failing database is reported by the next read. */
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

/** Whether the answer is valid at `now`. `from` is checked too, because a clock can be set back. */
const holdsAt = ({ from, until }: CachedResponse, now: number): boolean => now >= from && now < until
