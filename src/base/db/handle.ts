import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { ChangeSource } from './change-listener'
import type { TableReader, TableWriter } from './dump'
import type { Migration } from './migrations'
import type { Tables } from './tables'
import type { ReadTurn } from './turn-queue'

/** The query builder type of all application code, for both dialects. */
export type Db = BaseSQLiteDatabase<'async', unknown, Record<string, never>>

/** What a query needs: a connection (or an open transaction) and the tables of its dialect. */
export interface Handle {
  readonly db: Db
  readonly tables: Tables
  /** The rows are those that were copied to ClickHouse, which understands some statements only when written otherwise. */
  readonly isClickhouse?: true
}

/** An open transaction. */
export interface TransactionHandle extends Handle {
  /** False where the database allows one writer: rows that the transaction has read cannot change before it ends. */
  readonly needsLocks: boolean
  /**
   * Waits until no other transaction holds the lock of this name. Does nothing where the database allows one writer.
   */
  lock(name: string): Promise<void>
}

export type Driver = 'file' | 'remote' | 'replica' | 'postgres'

/** One open database. Only `db/` and `context.ts` use it; all other code uses `ctx.db` and `ctx.write`. */
export interface Storage extends Handle {
  readonly driver: Driver
  /** The migrations that this program applies. */
  readonly migrations: readonly Migration[]
  /**
   * Reports writes to code that keeps rows in memory. Null for drivers where not every write can be noticed at once.
   */
  readonly changes: ChangeSource | null
  /**
   * Runs one transaction: commits when `work` returns, rolls back when it throws. `isRepeated`: on a local file its commit
   * may reach the disk with a later one.
   */
  transaction<Result>(work: (tx: TransactionHandle) => Promise<Result>, isRepeated?: boolean): Promise<Result>
  /** Runs `work` in a savepoint of an open transaction, so that a failure undoes only the changes of `work`. */
  savepoint<Result>(tx: TransactionHandle, work: (tx: TransactionHandle) => Promise<Result>): Promise<Result>
  /**
   * How many statements of transactions may have changed rows so far. Absent where each writer of a group needs its own
   * savepoint.
   */
  countChanges?(): number
  /** Runs statements in one transaction under the migration lock. */
  runScript(statements: readonly string[]): Promise<void>
  /** Reads one consistent state of every table without a time limit, while other connections write. */
  snapshot<Result>(work: (reader: TableReader) => Promise<Result>): Promise<Result>
  /**
   * Runs a long read, over one consistent state where the database supports it. On a local file the read runs in its
   * own thread, so that the event loop does not wait for it. Only one such read of a project runs at a time, and projects
   * take turns. When the signal of the turn is aborted, the read ends at its next statement; on PostgreSQL the running
   * statement is ended too.
   */
  readInThread<Result>(work: (handle: Handle) => Promise<Result>, turn?: ReadTurn): Promise<Result>
  /** One transaction without a time limit, under the migration lock, for filling a database. The reader sees its rows. */
  bulk<Result>(work: (writer: TableWriter, reader: TableReader) => Promise<Result>): Promise<Result>
  /**
   * Removes from the files of the database what deleted and changed rows have left behind, while it is in use. `tables`
   * are those whose rows are about people: where a table has files of its own, only theirs are gone through.
   */
  removeRemains(tables: readonly string[]): Promise<void>
  /** Whatever is read after it is at least as new as this call: a local file reads one state in a turn of the event loop. */
  refresh(): void
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  /** Throws when the database is no longer where it was opened: the file was moved or replaced. */
  assertPresent(): void
  close(): Promise<void>
}
