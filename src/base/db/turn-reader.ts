import type { Manner } from './compiled-query'
import type { Connection, Row } from './connection'

/**
 * Reads what is committed, over the writing connection while no transaction is open on it. SQLite drops the pages that
 * a connection has cached when another one commits, so only the writing connection still has them after each commit of
 * this process. While a transaction is open, the other connection reads, which does not see what is not committed.
 *
 * All reads of one turn of the event loop share one read transaction, because its locks are half the time of a small
 * read. It ends before each transaction of this process starts, so that every reader sees what was committed before. A
 * commit of another process is seen from the next turn on, and by each call that arrives later: several calls can arrive
 * in one turn, and a turn can last long, so each starts with `end`. A read that runs `ALONE` starts no read transaction.
 */
export class TurnReader {
  private isWriting = false
  private isReading = false

  constructor(
    private readonly writer: Connection,
    private readonly beside: Connection,
  ) {}

  run(sql: string, args: unknown[], manner?: Manner): Row[] {
    // Only a SELECT runs in the read transaction. A pragma may not run in a transaction.
    if (this.isWriting || !sql.startsWith('select ')) return this.beside.run(sql, args)
    if (!this.isReading && manner !== 'ALONE') this.begin()
    return this.writer.run(sql, args, manner === 'ONE')
  }

  async execute({ sql, args }: { sql: string; args: unknown[] }): Promise<{ rows: Row[] }> {
    return { rows: this.run(sql, args) }
  }

  /** Called before a transaction of the writer starts. */
  writing(): void {
    this.end()
    this.isWriting = true
  }

  /** Called when the transaction of the writer has ended. */
  written(): void {
    this.isWriting = false
  }

  /** Ends the read transaction of this turn, if there is one. */
  end(): void {
    if (!this.isReading) return
    this.isReading = false
    try {
      this.writer.command('ROLLBACK')
    } catch {
      // After an I/O error the transaction has already ended.
    }
  }

  private begin(): void {
    this.writer.command('BEGIN')
    this.isReading = true
    setImmediate(() => this.end())
  }
}
