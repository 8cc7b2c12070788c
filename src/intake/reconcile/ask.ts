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

/** What came of asking about one purchase; `recheckAt`: when to ask again. */
export type Reply =
  /** `savedAt`: when to ask again by what the answer wrote, which goes by the store's clock; null when nothing was. */
  | { kind: 'ANSWERED'; compared: StoreComparison; recheckAt: number | null; savedAt: number | null }
  /** Nobody can answer, or nobody is there to ask for: the test store sold it, or its owner was erased. */
  | { kind: 'PASSED'; recheckAt: null }
  /** The store did not answer, or not so that it could be used. */
  | { kind: 'FAILED'; error: unknown }

/** Asks the store about a purchase and keeps what differs. Only faults of the database are thrown. */
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
