import type { ChangeSource } from '../db/change-listener'
import { type CachedResponse, ClockCache } from './clock-cache'

/** Whether changes name rows of this id. */
export const isRowId = (id: string): boolean => id.startsWith('sub_') || id.startsWith('pur_')

/** Room for 40,000 answers to those who have bought nothing, 27,000 to others. */
const MAX_BYTES = 32 * 1024 * 1024
const MAX_NAME = 1000
/** Looking takes 3 µs: nobody who has called `svc` beside the server should be shown what was before. */
const CHECK_MS = 10

/**
 * Answers that depend on nothing but their request, their project's configuration, the rows of their subscriber and,
 * between two instants that are known, no clock. Exact within this process, because every change of rows forgets what it
 * touches; a change by another process empties all within 10 ms.
 */
export class ResponseCache {
  private shelf: ClockCache
  private seenVersion = Number.NaN
  private checkedAt = Number.NEGATIVE_INFINITY
  /** Moves with each change: what was begun before it is not kept after it. */
  private changes = 0

  /** Without a source nobody says when rows change, and nothing is kept. */
  constructor(
    private readonly source: ChangeSource | null,
    private readonly maxBytes = MAX_BYTES,
  ) {
    this.shelf = new ClockCache(maxBytes)
  }

  get bytes(): number {
    return this.shelf.bytes
  }

  find(name: string, now: number): CachedResponse | undefined {
    if (!this.isCurrent(now)) return undefined
    const found = this.shelf.find(name)
    return found && holdsAt(found, now) ? found : undefined
  }

  /** To be taken before anything is read for an answer that may be kept. */
  mark(now: number): number {
    return this.isCurrent(now) ? this.changes : Number.NaN
  }

  /** Keeps an answer unless anything has changed since its mark. */
  keep(name: string, answer: CachedResponse, mark: number): void {
    if (mark === this.changes && name.length <= MAX_NAME && answer.rowIds.every(isRowId)) this.shelf.put(name, answer)
  }

  /** Forgets the answers made of a row, and what is being made of it. */
  forget(rowId: string): void {
    this.changes++
    this.shelf.forget(rowId)
  }

  clear(): void {
    this.changes++
    this.shelf = new ClockCache(this.maxBytes)
  }

  /** Looks for changes of other processes, at most once in 10 ms. A database in trouble answers for itself. */
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
