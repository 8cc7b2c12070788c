import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { listObservationsOf } from '../../people/purchases/many-queries'
import type { ObservationRow, PurchaseRow } from '../../people/purchases/queries'
import { findSubscriber } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { projectIn } from '../relink/current-project'
import { writeCopies } from './copied-rows'
import { doubledOf } from './credits'
import { isChain, namedCopies } from './former-charges'
import type { Joined } from './join'
import { lockSale } from './lock-owners'
import { tellOwner } from './tell'

/**
 * Joins the charges of the subscriptions of one original transaction id that an earlier release recorded twice: one money
 * line stays, and one event says which went. The events of before stay, and grants of currency are not touched.
 */
export async function joinCharges(tx: Tx, known: ProjectState, original: string, cause: EventCause): Promise<Joined[]> {
  const rows = (await lockSale(tx, known.id, original)).filter(isChain)
  const project = await projectIn(tx, known)
  if (!project) return []
  const observations = await listObservationsOf(
    tx,
    rows.map(({ id }) => id),
  )
  const joined: Joined[] = []
  for (const row of rows) {
    const own = observations.get(row.id) ?? []
    const copies = namedCopies(own)
    if (copies.length > 0) joined.push(await joinCopiesOf(tx, project, row, { own, copies }, cause))
  }
  return joined
}

async function joinCopiesOf(
  tx: Tx,
  project: ProjectState,
  held: PurchaseRow,
  charges: { own: readonly ObservationRow[]; copies: readonly ObservationRow[] },
  cause: EventCause,
): Promise<Joined> {
  const owner = await findSubscriber(tx, project.id, held.subscriberId)
  if (!owner) throw new Error(`purchase ${held.id} has no owner`)
  const { row, linesRemoved } = await writeCopies(tx, project, owner, held, charges)
  await tellOwner(tx, project, owner, { held, row, mergedIds: [], linesRemoved, cause })
  return { purchaseId: held.id, merged: [], linesRemoved, lost: [], credits: await doubledOf(tx, project, [held.id]) }
}
