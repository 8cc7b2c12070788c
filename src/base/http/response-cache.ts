import type { ChangeSource } from '../db/change-listener'
import { monotonicMs } from '../lib/clock'
import { type CachedResponse, ClockCache } from './clock-cache'

/** 32 MiB are room for 40,000 answers made of one row, 27,000 of a few. */
const MAX_BYTES = 32 * 1024 * 1024
const MAX_NAME = 1000
/** Room for the changes of the last moments. An answer whose making started before them is not kept. */
const MAX_RECENT = 10_000
/** A check takes 3 µs. It is frequent, so that a change by an `svc` command beside the server is seen at once. */
const CHECK_MS = 10

/**
 * Answers that depend only on their request, their project's configuration and rows with known ids, and that do not
 * change with the time between two known instants. Within this process they are never out of date, because every change
 * of a row drops the answers made from it. On a file, a change by another process drops all answers within 10 ms. On
 * PostgreSQL it drops the answers made from its rows, as soon as its notification arrives; while notifications may be
 * missing, no answer is used.
 */
export class ResponseCache {
  private entries: ClockCache
  private seenVersion = Number.NaN
  private checkedAt = Number.NEGATIVE_INFINITY
  /** Counts changes. An answer whose making started before a change of one of its rows is not kept after it. */
  private changes = 0
  /** The number of the last change of each row since `forgottenAt`. */
  private recent = new Map<string, number>()
  /** Up to this change it is not known which rows have changed. */
  private forgottenAt = 0

  /** Without a source, changes of rows are not reported, so nothing is kept. */
  constructor(
    private readonly source: ChangeSource | null,
    /** Whether changes of the row with this id are reported. An answer made from other rows is not kept. */
    private readonly isRowId: (id: string) => boolean,
    private readonly maxBytes = MAX_BYTES,
    /** Another process also changes rows while the clock of the context is stopped, so the pauses are measured. */
    private readonly elapsedMs = monotonicMs,
  ) {
    this.entries = new ClockCache(maxBytes)
  }

  get bytes(): number {
    return this.entries.bytes
  }

  find(name: string, now: number): CachedResponse | undefined {
    if (!this.isCurrent()) return undefined
    const found = this.entries.find(name)
    return found && holdsAt(found, now) ? found : undefined
  }

  /** Call this before reading anything for an answer that may be kept, and pass the result to `keep`. */
  mark(): number {
    return this.isCurrent() ? this.changes : Number.NaN
  }

  /** Keeps an answer unless one of its rows has changed since its mark. */
  keep(name: string, answer: CachedResponse, mark: number): void {
    if (name.length <= MAX_NAME && answer.rowIds.every(this.isRowId) && this.isUnchanged(answer, mark))
      this.entries.put(name, answer)
  }

  /** Drops the answers made from a row. Answers that are being made from it now will not be kept. */
  forget(rowId: string): void {
    if (this.recent.size >= MAX_RECENT) this.forgetRecent()
    this.recent.set(rowId, ++this.changes)
    this.entries.forget(rowId)
  }

  clear(): void {
    this.changes++
    this.forgetRecent()
    this.entries = new ClockCache(this.maxBytes)
  }

  /** From now on, an answer with an earlier mark is not kept. */
  private forgetRecent(): void {
    this.forgottenAt = this.changes
    this.recent.clear()
  }

  private isUnchanged({ rowIds }: CachedResponse, mark: number): boolean {
    return mark >= this.forgottenAt && rowIds.every((id) => (this.recent.get(id) ?? 0) <= mark)
  }

  /** Checks for changes by other processes, at most once in 10 ms. A failing database is reported by the next read. */
  private isCurrent(): boolean {
    if (this.source === null) return false
    if (this.source.isWatching) return this.source.isWatching()
    const now = this.elapsedMs()
    if (now - this.checkedAt < CHECK_MS) return true
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
