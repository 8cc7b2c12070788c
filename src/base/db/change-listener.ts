/** Hears what this process writes: each statement that may change rows, and the end of each transaction. */
export interface ChangeListener {
  /** Before the statement runs; its transaction is open. */
  changing(sql: string, args: readonly unknown[]): void
  /** After the commit and before anybody is told of it; also after a roll back, when nothing has changed after all. */
  ended(): void
}

/** How whoever keeps rows in memory learns that they are not true any more. */
export interface ChangeSource {
  listen(listener: ChangeListener): void
  /** Moves with every commit of another process, and with none of this one. */
  foreignVersion(): number
}

const READS = /^\s*(select|pragma|explain|begin|commit|rollback|savepoint|release)\b/i

/** Whether a statement may change rows, as far as its first word tells. */
export const mayChange = (sql: string): boolean => !READS.test(sql)
