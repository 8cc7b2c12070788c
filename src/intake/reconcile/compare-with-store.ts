import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { EventCause } from '../../people/events/model'
import { findPurchaseById, listTransactions, type PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import type { Refresh } from '../recording/model'
import { type ComparedPurchase, type Comparison, compare } from './plan'

/** A purchase before and after an answer of the store; both rows are null when nothing was recorded. */
export interface StoreComparison {
  comparison: Comparison
  before: PurchaseRow | null
  after: PurchaseRow | null
}

interface Order {
  project: ProjectState
  purchase: PurchaseRow
  cause: EventCause
  /** Compares, but saves nothing. */
  isDryRun: boolean
}

/**
 * Refreshes a purchase with the code that every other caller uses, and commits only if that changes anything. Otherwise
 * each day would add an observation that repeats what is known.
 */
export async function compareWithStore(ctx: Context, refresh: Refresh, order: Order): Promise<StoreComparison> {
  const { project, purchase, cause } = order
  let compared: StoreComparison = { comparison: 'SAME', before: null, after: null }
  const comparing: Context = {
    ...ctx,
    write: (work) =>
      writeIfNews(ctx, order, work, (found) => {
        compared = found
      }),
  }
  await refresh(comparing, project, purchase, cause)
  return compared
}

/** Rolls a transaction back and returns its result to the caller. */
class NotKept<Result> extends Error {
  constructor(readonly result: Result) {
    super('the transaction is not kept')
  }
}

async function writeIfNews<Result>(
  ctx: Context,
  { purchase, isDryRun }: Order,
  work: (tx: Tx) => Promise<Result>,
  report: (compared: StoreComparison) => void,
): Promise<Result> {
  try {
    return await ctx.write(async (tx) => {
      const before = await readCompared(tx, purchase)
      const result = await work(tx)
      const after = await readCompared(tx, purchase)
      const comparison = before && after ? compare(before, after, tx.clock.now()) : 'SAME'
      report({ comparison, before: before?.row ?? null, after: after?.row ?? null })
      if (comparison === 'SAME' || isDryRun) throw new NotKept(result)
      return result
    })
  } catch (error) {
    if (error instanceof NotKept) return error.result as Result // Thrown just above, with this work's result.
    throw error
  }
}

async function readCompared(
  handle: Handle,
  { id, projectId }: PurchaseRow,
): Promise<(ComparedPurchase & { row: PurchaseRow }) | null> {
  const row = await findPurchaseById(handle, projectId, id)
  return row && { row, fold: row.fold, productId: row.productId, lines: await listTransactions(handle, id) }
}
