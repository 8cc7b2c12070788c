import { monotonicMs } from '../lib/clock'
import type { Connection } from './connection'
import { isBusy } from './errors'
import { readFree, readPage } from './page-reader'
import { wipedPage } from './page-wipe'
import { ThreadConnection } from './thread-connection'

export interface WiperParts {
  writer: Connection
  /** Runs work in a write transaction. */
  alone(work: () => Promise<void>): Promise<void>
  /** Runs work while no transaction of this process is open. */
  betweenWrites<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Pages that a thread reads at a time: 64 MiB. */
const SCANNED = 16_384
/** Pages that one transaction overwrites. Others wait for it for a few milliseconds at most. */
const WRITTEN = 64
const PATIENCE_MS = 600_000
const PAUSE_MS = 50

/**
 * Overwrites, in their place, the bytes of a database file that no row uses, and empties the write-ahead log. Rows that
 * moved to another page leave a copy behind although `secure_delete` is on; the pages of a file that is older than this
 * setting have more. Every page is read, in a thread of its own, and those with remains are written by short
 * transactions, so that no write has to wait as for a VACUUM.
 */
export class FileWiper {
  private running: Promise<void> | null = null
  private isClosed = false

  constructor(
    private readonly path: string,
    private readonly parts: WiperParts,
  ) {}

  async run(): Promise<void> {
    await this.running?.catch(() => {})
    const run = this.wipe()
    this.running = run
    await run
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.running?.catch(() => {})
  }

  private async wipe(): Promise<void> {
    const thread = new ThreadConnection(this.path)
    try {
      for (let from = 1, count = 1; from <= count; from += SCANNED) {
        this.assertOpen()
        const scanned = await thread.scan({ from, to: from + SCANNED - 1 })
        count = scanned.count
        for (let at = 0; at < scanned.pages.length; at += WRITTEN)
          await this.patiently(() => this.wipePages(scanned.pages.slice(at, at + WRITTEN)))
      }
      if ((await thread.scanOverflow()).length > 0) await this.patiently(() => this.wipeOverflow(thread))
      await this.emptyLog(thread)
    } finally {
      await thread.close()
    }
  }

  private wipePages(pages: readonly number[]): Promise<void> {
    const { writer, alone } = this.parts
    return alone(async () => {
      // Read again: since the search pages may have been freed, taken or changed.
      const { usable, free } = readFree(writer)
      const count = writer.pragma('page_count')
      for (const number of pages.filter((one) => one <= count)) {
        const wiped = wipedPage(readPage(writer, number), number, usable, free)
        if (wiped) writePage(writer, number, wiped)
      }
    })
  }

  /** Writers wait while the thread looks for pages, so that no page changes before it is overwritten. */
  private wipeOverflow(thread: ThreadConnection): Promise<void> {
    const { writer, alone } = this.parts
    return alone(async () => {
      for (const [number, used] of await thread.scanOverflow())
        writePage(writer, number, Buffer.from(readPage(writer, number)).fill(0, used))
    })
  }

  /** The log is cut to nothing when no reader needs it any more. */
  private emptyLog(thread: ThreadConnection): Promise<void> {
    return this.patiently(async () => {
      const statement = { sql: 'PRAGMA wal_checkpoint(TRUNCATE)', args: [] }
      const { rows } = await this.parts.betweenWrites(() => thread.execute(statement))
      if (rows[0]?.[0] !== 0) throw Object.assign(new Error('a reader needs the log'), { code: 'SQLITE_BUSY' })
    })
  }

  private async patiently(work: () => Promise<void>): Promise<void> {
    for (const until = monotonicMs() + PATIENCE_MS; ; ) {
      this.assertOpen()
      try {
        return await work()
      } catch (error) {
        if (!isBusy(error) || monotonicMs() > until) throw error
        await Bun.sleep(PAUSE_MS)
      }
    }
  }

  private assertOpen(): void {
    if (this.isClosed) throw new Error('the database was closed before its files were gone through')
  }
}

const writePage = (writer: Connection, number: number, page: Buffer): void =>
  writer.quietly('update sqlite_dbpage set data = ? where pgno = ?', [page, number])
