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

/** Tells code that keeps rows in memory when these rows may have changed. */
export interface ChangeSource {
  listen(listener: ChangeListener): void
  /** Changes with every commit of another process, and never with a commit of this one. */
  foreignVersion(): number
}

const READS = /^\s*(select|pragma|explain|begin|commit|rollback|savepoint|release)\b/i

/** Whether a statement may change rows, judged by its first word. */
export const mayChange = (sql: string): boolean => !READS.test(sql)
