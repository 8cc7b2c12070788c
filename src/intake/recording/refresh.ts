import type { Context } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'

/** Asks the store about a purchase, outside of any transaction, and records what it answers in one write. */
export type Refresh = (
  ctx: Context,
  project: ProjectState,
  purchase: PurchaseRow,
  cause: EventCause,
) => Promise<unknown>

/** News that a store listed of itself, and how they are recorded. */
export interface Untold {
  purchase: PurchaseRow
  refresh: Refresh
}
