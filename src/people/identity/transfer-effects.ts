import type { Tx } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import { visibleBalances } from '../currencies/service'
import { currentAccess } from '../entitlements/service'
import { listEventTypesAfter } from '../events/service'
import type { AccessMap } from '../subscribers/access-map'
import type { SubscriberRow } from '../subscribers/service'
import type { Sides } from './transfer-move'
import type { Amounts } from './transferred'

/** What a transfer changes on each side, besides access (wire 7.1, `dryRun`). */
export interface TransferEffects {
  balancesBefore: Sides<Amounts>
  balancesAfter: Sides<Amounts>
  /** Types of the events that would be written, in their order. */
  eventTypes: Sides<string[]>
}

type Rows = Sides<SubscriberRow>

/** The access of both sides now. */
export const accessOf = async (tx: Tx, project: ProjectState, { from, to }: Rows): Promise<Sides<AccessMap>> => ({
  from: await currentAccess(tx, project, from),
  to: await currentAccess(tx, project, to),
})

/** Reads both sides before a transfer. The function that it returns compares them with the rows after it. */
export async function watchTransfer(
  tx: Tx,
  project: ProjectState,
  before: Rows,
): Promise<(after: Rows) => Promise<TransferEffects>> {
  const balancesOf = async ({ from, to }: Rows) => ({
    from: await visibleBalances(tx, project, from),
    to: await visibleBalances(tx, project, to),
  })
  const balancesBefore = await balancesOf(before)
  return async (after) => ({
    balancesBefore,
    balancesAfter: await balancesOf(after),
    eventTypes: {
      from: await listEventTypesAfter(tx, before.from.id, before.from.seq),
      to: await listEventTypesAfter(tx, before.to.id, before.to.seq),
    },
  })
}
