/** Which rows a statement may change, for code that keeps rows: none of interest, any, or those with these ids. */
export type RowChange = 'NOBODY' | 'ANYBODY' | readonly string[]

/**
 * Is called for the writes of this process: for each statement that may change rows, and at the end of each
 * transaction.
 */
export interface ChangeListener {
  /** Called before the statement runs, while its transaction is open. */
  changing(sql: string, args: readonly unknown[]): void
  /**
   * Called after the commit and before any caller gets its result. Also called after a rollback, when nothing has
   * changed.
   */
  ended(): void
}

/** What a database with several writers at a time needs of the code that keeps rows. */
export interface RowListener {
  /** Names of the tables whose rows are of interest. */
  readonly tables: readonly string[]
  changeOf(sql: string, args: readonly unknown[]): RowChange
  /** Called after the commit of this process, before any caller gets its result, and for changes by others. */
  changed(change: RowChange): void
}

/** Tells code that keeps rows in memory when these rows may have changed. */
export interface ChangeSource {
  listen(listener: ChangeListener & RowListener): void
  /** Changes with every commit of another process, and never with a commit of this one. */
  foreignVersion(): number
  /**
   * Only where changes by others are reported by `changed`: whether they are at present. While they are not, rows may
   * have changed unnoticed.
   */
  isWatching?(): boolean
}

const READS = /^\s*(select|pragma|explain|begin|commit|rollback|savepoint|release)\b/i

/** Whether a statement may change rows, judged by its first word. */
export const mayChange = (sql: string): boolean => !READS.test(sql)
