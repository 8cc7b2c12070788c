import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { foldObservations } from '../../people/purchases/fold'
import { rewriteObservation } from '../../people/purchases/join-queries'
import { lockChain } from '../../people/purchases/lock'
import { listObservationsOf } from '../../people/purchases/many-queries'
import { listTransactions, type ObservationRow, type PurchaseRow, updatePurchase } from '../../people/purchases/queries'
import { findSubscriber } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { heldReport } from '../recording/held'
import { changedColumns, toPurchaseRow } from '../recording/purchase-row'
import { recordChange } from '../recording/record-change'
import { projectIn } from '../relink/current-project'
import { doubledOf } from './credits'
import { namedCopies } from './former-charges'
import { isChain } from './is-chain'
import type { Joined } from './join'
import { lockOwners } from './lock-owners'
import { tellOwner } from './tell'

export const STORE = 'IOS_STORE'

/**
 * Joins the charges of the subscriptions of one original transaction id that an earlier release recorded twice: one money
 * line stays, and one event says which went. The events of before stay, and grants of currency are not touched.
 */
export async function joinCharges(tx: Tx, known: ProjectState, original: string, cause: EventCause): Promise<Joined[]> {
  await lockChain(tx, known.id, STORE, original)
  const rows = (await lockOwners(tx, known.id, original)).filter(isChain)
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
  { own, copies }: { own: readonly ObservationRow[]; copies: readonly ObservationRow[] },
  cause: EventCause,
): Promise<Joined> {
  const owner = await findSubscriber(tx, project.id, held.subscriberId)
  if (!owner) throw new Error(`purchase ${held.id} has no owner`)
  for (const copy of copies) await rewriteObservation(tx, copy, copy.payload)
  const known = own.map(({ payload }) => payload)
  const named = new Map(copies.map((copy) => [nameOf(copy), copy]))
  const observations = own.map((one) => (named.get(nameOf(one)) ?? one).payload)
  const fold = foldObservations(observations, held.fold.productType)
  if (!fold) throw new Error(`purchase ${held.id} has no report`)
  const before = await listTransactions(tx, held.id)
  const row = toPurchaseRow(tx, project, owner, heldReport(held, []), held, fold, 'KEEPS')
  await updatePurchase(tx, held.id, changedColumns(held, row))
  const nothing = { isNew: false, fresh: [], linking: 'KEEPS' } as const
  await recordChange(tx, { project, owner, purchase: row, observations, known, ...nothing })
  const after = new Set((await listTransactions(tx, held.id)).map(({ id }) => id))
  const linesRemoved = before.flatMap(({ id }) => (after.has(id) ? [] : [id])).sort()
  await tellOwner(tx, project, owner, { held, row, mergedIds: [], linesRemoved, cause })
  return { purchaseId: held.id, merged: [], linesRemoved, lost: [], credits: await doubledOf(tx, project, [held.id]) }
}

const nameOf = ({ kind, id }: Pick<ObservationRow, 'kind' | 'id'>): string => `${kind}:${id}`
