import type { Client, InStatement, ResultSet, Transaction } from '@libsql/client'
import { returnsNothing } from './returns-nothing'

interface Entry {
  statement: InStatement
  /** Null for a statement whose result is not read. */
  settle: PromiseWithResolvers<ResultSet> | null
}

const NOTHING = { rows: [], columns: [], columnTypes: [], rowsAffected: 0, lastInsertRowid: undefined }

/**
 * A write transaction on a libSQL server that makes few requests. A statement that changes rows and returns none is
 * sent together with the next statement that is read, or with the commit. Reads that are made at once share a request.
 * When a statement fails, the statements behind it in its request do not run, and whoever waits for one of them, or for
 * the commit, gets the error.
 */
export class RemoteTransaction {
  private entries: Entry[] = []
  private isScheduled = false
  private hasSent = false
  private depth = 0

  private constructor(private readonly tx: Transaction) {}

  static async begin(client: Client): Promise<RemoteTransaction> {
    return new RemoteTransaction(await client.transaction('write'))
  }

  /** What Drizzle calls. */
  async execute(statement: InStatement): Promise<ResultSet> {
    if (returnsNothing(textOf(statement))) return this.defer(statement)
    const settle = Promise.withResolvers<ResultSet>()
    this.entries.push({ statement, settle })
    if (!this.isScheduled) queueMicrotask(() => void this.send())
    this.isScheduled = true
    return settle.promise
  }

  /** Runs `work` so that a failure undoes only its changes. Nothing of it stays unsent. */
  async savepoint<Result>(work: () => Promise<Result>): Promise<Result> {
    const name = `s${++this.depth}`
    const start: Entry = { statement: `SAVEPOINT ${name}`, settle: null }
    this.entries.push(start)
    try {
      const result = await work()
      if (this.entries.at(-1) === start) this.entries.pop()
      else {
        this.defer(`RELEASE ${name}`)
        await this.send()
      }
      return result
    } catch (error) {
      this.abandon(start, name)
      throw error
    } finally {
      this.depth--
    }
  }

  /** The commit is sent with what was not sent before, and runs only when all of that succeeds. */
  async commit(): Promise<void> {
    if (!this.hasSent && this.entries.length === 0) return this.tx.close()
    this.defer('COMMIT')
    const sent = this.send()
    // The client takes one microtask before it queues the statements. The rollback behind them goes into the same
    // request and closes the stream. After a commit it does nothing.
    await null
    const closed = this.rollBack()
    await sent
    await closed
  }

  async rollBack(): Promise<void> {
    await this.tx.rollback().catch(() => {}) // Without a connection, the server rolls back by itself.
  }

  private defer(statement: InStatement): ResultSet {
    this.entries.push({ statement, settle: null })
    return NOTHING as unknown as ResultSet
  }

  /** Drops what was not sent since the start of a savepoint, and undoes what was. */
  private abandon(start: Entry, name: string): void {
    const index = this.entries.indexOf(start)
    this.entries = index === -1 ? [] : this.entries.slice(0, index)
    if (index !== -1) return
    this.defer(`ROLLBACK TO ${name}`)
    this.defer(`RELEASE ${name}`)
  }

  private async send(): Promise<void> {
    this.isScheduled = false
    const entries = this.entries.splice(0)
    if (entries.length === 0) return
    this.hasSent = true
    const sent = this.tx.batch(entries.map(({ statement }) => statement))
    const hasReader = entries.some(({ settle }) => settle !== null)
    try {
      const results = await sent
      for (const [index, { settle }] of entries.entries()) settle?.resolve(results[index] as ResultSet)
    } catch (error) {
      for (const { settle } of entries) settle?.reject(error)
      if (!hasReader) throw error
    }
  }
}

const textOf = (statement: InStatement): string => (typeof statement === 'string' ? statement : statement.sql)
