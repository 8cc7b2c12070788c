import type { Context } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'

/** Fetches a purchase from the store, outside of any transaction, and records the answer in one transaction. */
export type Refresh = (
  ctx: Context,
  project: ProjectState,
  purchase: PurchaseRow,
  cause: EventCause,
) => Promise<unknown>

/** A change that a store's list contains and that is not recorded here, and the function that records it. */
export interface UnreportedRefund {
  purchase: PurchaseRow
  refresh: Refresh
}
