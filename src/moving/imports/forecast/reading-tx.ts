import type { Context, Tx } from '../../../base/context'

const nothing = (): void => {}

/** Reads what a transaction would find, without one: nothing is locked, and nothing may be written by it. */
export const readingTx = ({ db, tables, clock, ids, log, config, vault, state, hooks }: Context): Tx => ({
  ...{ db, tables, clock, ids, log, config, vault, state, hooks },
  needsLocks: false,
  lock: async () => {},
  afterCommit: nothing,
  wakeWorker: nothing,
})
