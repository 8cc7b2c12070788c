import type { Tx } from './tx'
import type { Write } from './write'

/** Ends the transaction of a dry run, so that nothing of it is written. */
class DryRunEnd extends Error {
  constructor(readonly result: unknown) {
    super('the end of a dry run')
  }
}

/**
 * Runs work in a transaction as `ctx.write` does. With `dryRun` it has the same checks, refusals and result, but
 * nothing is written: the transaction is rolled back (wire 7.1).
 */
export async function writeOrTry<Result>(
  { write }: { write: Write<Tx> },
  dryRun: boolean,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  if (!dryRun) return write(work)
  try {
    return await write(async (tx): Promise<Result> => {
      throw new DryRunEnd(await work(tx))
    })
  } catch (error) {
    if (error instanceof DryRunEnd) return error.result as Result // Only the line above makes one, of this work.
    throw error
  }
}
