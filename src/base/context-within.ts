import type { Context, Tx } from './context'

/**
 * A context that works inside an open transaction: it reads what the transaction reads, and what it writes is a
 * part of it. What the slices keep in memory is the same, and is not changed before the commit.
 */
export function contextWithin(ctx: Context, tx: Tx): Context {
  const write: Context['write'] = (work) => ctx.storage.savepoint(tx, (handle) => work({ ...tx, ...handle }))
  return Object.create(ctx, { db: { value: tx.db }, write: { value: write } }) as Context
}
