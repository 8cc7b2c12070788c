import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { listTransactionsOf } from '../../people/purchases/many-queries'
import { findSubscriber } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { doubledOf } from './credits'
import type { DoubledCredit } from './doubled-charges'
import { moveRows, rowOf, type Sale } from './move-rows'
import type { JoinPlan } from './plan'
import { type LostAccess, tellOther, tellOwner } from './tell'

/** What a join has changed. */
export interface Joined {
  purchaseId: string
  merged: string[]
  /** Ids of the money lines that counted a charge a second time. */
  linesRemoved: string[]
  lost: LostAccess[]
  /** Currency that the rows have granted beside the first grant. It stays with those who got it. */
  credits: DoubledCredit[]
}

/**
 * Makes the rows of a plan one purchase: its observations, money lines, figures and names. The events of before stay.
 * Grants of currency are not touched. The caller holds the locks of the sale and of all owners.
 */
export async function joinRows(
  tx: Tx,
  project: ProjectState,
  plan: JoinPlan,
  sale: Sale,
  cause: EventCause,
): Promise<Joined> {
  const { survivorId, mergedIds } = plan
  const held = rowOf(sale, survivorId)
  const owner = await findSubscriber(tx, project.id, held.subscriberId)
  if (!owner) throw new Error(`purchase ${survivorId} has no owner`)
  const ids = [survivorId, ...mergedIds]
  const before = await lineIds(tx, ids)
  const row = await moveRows(tx, project, owner, plan, sale)
  const after = new Set(await lineIds(tx, ids))
  const linesRemoved = before.filter((id) => !after.has(id)).sort()
  if (mergedIds.length > 0) await tellOwner(tx, project, owner, { held, row, mergedIds, linesRemoved, cause })
  const others = mergedIds.map((id) => rowOf(sale, id).subscriberId).filter((id) => id !== owner.id)
  const lost: LostAccess[] = []
  for (const id of new Set(others)) lost.push(...(await tellOther(tx, project, id, cause)))
  const credits = await doubledOf(tx, project, [survivorId])
  return { purchaseId: survivorId, merged: mergedIds, linesRemoved, lost, credits }
}

const lineIds = async (tx: Tx, purchaseIds: readonly string[]): Promise<string[]> =>
  [...(await listTransactionsOf(tx, purchaseIds)).values()].flat().map(({ id }) => id)
