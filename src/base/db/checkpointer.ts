import { monotonicMs } from '../lib/clock'
import { WalLength } from './wal-length'

/** A checkpoint starts when the write-ahead log has this many pages: 32 MiB. */
export const CHECKPOINT_PAGES = 8192
/**
 * From here on SQLite itself makes the checkpoint within a commit, in case that the thread makes none. This many pages
 * also bound the file: a log that a long read made longer is cut when it starts again.
 */
export const LIMIT_PAGES = 4 * CHECKPOINT_PAGES

const RETRY_MS = 60_000

export interface CheckpointParts {
  /** Runs a pragma in the thread and returns its row. */
  inThread(pragma: string): Promise<unknown[]>
  /** Runs work while no transaction is open. */
  betweenWrites<Result>(work: () => Promise<Result>): Promise<Result>
  /** Sets from how many pages on SQLite makes the checkpoint within a commit. */
  setLimit(pages: number): void
}

/**
 * Copies the write-ahead log into the database in another thread, because the copy takes some hundredths of a second,
 * during which no request would be answered. SQLite syncs the log before the copy and the database before the log
 * starts again, so that nothing committed is lost.
 */
export class Checkpointer {
  private readonly length: WalLength
  private dueAt = CHECKPOINT_PAGES
  private restsUntil = 0
  private running: Promise<void> | null = null
  private isClosed = false

  constructor(
    path: string,
    private readonly parts: CheckpointParts,
  ) {
    this.length = new WalLength(path)
  }

  /** Called after each commit. Never throws, because the commit cannot be undone. */
  committed(): void {
    if (this.running || this.isClosed || monotonicMs() < this.restsUntil) return
    try {
      if (this.isDue()) this.running = this.run().finally(() => this.ended())
    } catch {
      this.rest()
    }
  }

  /** Waits for the checkpoint that runs, and makes no other. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.running
    this.length.close()
  }

  private isDue(): boolean {
    const pages = this.length.read()
    if (pages < CHECKPOINT_PAGES) this.dueAt = CHECKPOINT_PAGES
    return pages >= this.dueAt
  }

  private async run(): Promise<void> {
    try {
      await this.parts.inThread('PRAGMA wal_checkpoint(PASSIVE)')
      // Commits have meanwhile made the log longer. The log can only start again when all of it is copied, so the
      // writers wait for the small rest.
      const [isBusy] = await this.parts.betweenWrites(() => this.parts.inThread('PRAGMA wal_checkpoint(RESTART)'))
      // When a reader still needs the log, another attempt is worth it as soon as there is again something to copy.
      this.dueAt = isBusy === 0 ? CHECKPOINT_PAGES : this.length.read() + CHECKPOINT_PAGES / 2
      this.parts.setLimit(LIMIT_PAGES)
    } catch {
      this.rest()
    }
  }

  /** SQLite makes the checkpoints within commits for a while. */
  private rest(): void {
    this.parts.setLimit(CHECKPOINT_PAGES)
    this.restsUntil = monotonicMs() + RETRY_MS
  }

  private ended(): void {
    this.running = null
  }
}
