import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { ChangeSource } from './change-listener'
import type { TableReader, TableWriter } from './dump'
import type { Tables } from './tables'

/** The query builder that all application code is typed against, whatever the dialect below it. */
export type Db = BaseSQLiteDatabase<'async', unknown, Record<string, never>>

/** What a query needs: a connection (or an open transaction) and the tables of its dialect. */
export interface Handle {
  readonly db: Db
  readonly tables: Tables
}

/** An open transaction. */
export interface TransactionHandle extends Handle {
  /** False where the database has one writer: what was read in the transaction cannot change before its end. */
  readonly needsLocks: boolean
  /** Waits until no other transaction holds the name; needless where the database has one writer. */
  lock(name: string): Promise<void>
}

export type Driver = 'file' | 'remote' | 'replica' | 'postgres'

/** One open database. Only `db/` and `context.ts` hold it; everybody else sees `ctx.db` and `ctx.write`. */
export interface Storage extends Handle {
  readonly driver: Driver
  /** Null where what this process writes is not all that can be told of at once. */
  readonly changes: ChangeSource | null
  /** One transaction; commits when the work returns, rolls back when it throws. */
  transaction<Result>(work: (tx: TransactionHandle) => Promise<Result>): Promise<Result>
  /** Runs work in a savepoint of an open transaction, so that its failure takes back only its own changes. */
  savepoint<Result>(tx: TransactionHandle, work: (tx: TransactionHandle) => Promise<Result>): Promise<Result>
  /** Statements in one transaction under the migration lock. */
  runScript(statements: readonly string[]): Promise<void>
  /** Reads one consistent state of every table, for as long as it takes, while others write. */
  snapshot<Result>(work: (reader: TableReader) => Promise<Result>): Promise<Result>
  /**
   * Reads that take long, of one state where the database can give it. On a local file in a thread of their own, so that
   * they hold up nobody; they come one after the other.
   */
  readInThread<Result>(work: (handle: Handle) => Promise<Result>): Promise<Result>
  /** One transaction without a time limit, under the migration lock: for filling a database. */
  bulk<Result>(work: (writer: TableWriter) => Promise<Result>): Promise<Result>
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  /** Throws when the database is not where it was when it was opened (a file that was moved or replaced). */
  assertPresent(): void
  close(): Promise<void>
}
