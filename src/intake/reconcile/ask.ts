import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { causeOf } from '../../people/events/model'
import type { PurchaseRow } from '../../people/purchases/queries'
import { findSubscriber } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { recheckAt } from '../recording/recheck-at'
import { compareWithStore, type StoreComparison } from './compare-with-store'
import type { ReconciledStore } from './stores'

export interface Question {
  project: ProjectState
  store: ReconciledStore
  purchase: PurchaseRow
  isDryRun: boolean
}

/** The result of querying the store about one purchase; `recheckAt`: when to query again. */
export type Reply =
  /** `savedAt`: the `recheckAt` that recording the answer saved in the row; null when nothing was saved. */
  | { kind: 'ANSWERED'; compared: StoreComparison; recheckAt: number | null; savedAt: number | null }
  /** The store is not queried: the test store sold the purchase, or its owner was erased. */
  | { kind: 'PASSED'; recheckAt: null }
  /** The store did not answer, or its answer could not be used. */
  | { kind: 'FAILED'; error: unknown }

/** Queries the store about a purchase and saves what differs. Throws only faults of the database. */
export async function askStore(ctx: Context, question: Question): Promise<Reply> {
  const { project, store, purchase, isDryRun } = question
  if (await isPassed(ctx, question)) return { kind: 'PASSED', recheckAt: null }
  try {
    const cause = causeOf('RECONCILE', null, purchase.store)
    const compared = await compareWithStore(ctx, store.refresh, { project, purchase, cause, isDryRun })
    const { fold } = compared.after ?? purchase
    const savedAt = compared.comparison === 'SAME' ? null : (compared.after?.recheckAt ?? null)
    return { kind: 'ANSWERED', compared, recheckAt: recheckAt(fold, ctx.clock.now()), savedAt }
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'DATABASE_UNAVAILABLE') throw error
    return { kind: 'FAILED', error }
  }
}

async function isPassed(ctx: Context, { project, store, purchase }: Question): Promise<boolean> {
  const owner = await findSubscriber(ctx, project.id, purchase.subscriberId)
  return owner?.erasedAt !== null || store.isSimulated(purchase)
}
