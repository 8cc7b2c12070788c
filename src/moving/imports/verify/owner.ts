import type { Tx } from '../../../base/context'
import { lockRead } from '../../../intake/receipts/parties'
import { ownerOf, readAgain } from '../../../intake/recording/held'
import { claimOwnership, isUnowned } from '../../../intake/recording/ownership-claim'
import { causeOf, type EventCause } from '../../../people/events/model'
import { listSources, type PurchaseRow } from '../../../people/purchases/queries'
import type { SubscriberRow } from '../../../people/subscribers/service'
import type { ProjectState } from '../../../projects/project/state'
import type { Store } from '../../../stores/observation'
import type { ImportJobRow } from '../queries'

/** The subscriber of an anchor and the recorded purchase, under their locks. */
export interface Settled {
  person: SubscriberRow
  held: PurchaseRow | null
  cause: EventCause
  /** Names the owner when the purchase belongs to another person. */
  note: string | null
}

/**
 * Decides whose purchase an anchor names. A purchase that a notification of the store has made, and that no device has
 * shown yet, goes to the person of the import. One that somebody else owns stays with them: a file is no proof. The
 * caller holds the lock of the chain.
 */
export async function settleOwner(
  tx: Tx,
  project: ProjectState,
  job: ImportJobRow,
  store: Store,
  named: SubscriberRow,
  find: () => Promise<PurchaseRow | null>,
): Promise<Settled> {
  const { subscriber: person, purchases } = await lockRead(tx, async () => {
    const held = await find()
    return { subscriber: await readAgain(tx, named), purchases: held ? [held] : [], isNew: false }
  })
  const [held = null] = purchases
  const cause = await causeFor(tx, job, store, held)
  if (!held) return { person, held, cause, note: null }
  const owner = await ownerOf(tx, held)
  if (owner.id === person.id) return { person, held, cause, note: null }
  if (owner.erasedAt !== null || !(await isUnowned(tx, owner)))
    return { person, held, cause, note: `purchase ${held.id} belongs to ${owner.id} and stays there` }
  const claim = { claimant: person, purchase: held, signedToken: null, vouchedTokens: [] }
  await claimOwnership(tx, project, { ...claim, cause, transferCause: 'API' })
  return { person: await readAgain(tx, person), held: await find(), cause, note: null }
}

/**
 * Why the answer is recorded. A purchase that only imports have reported is history: what the store adds has no event of
 * a purchase and grants nothing (wire 5.16). One that the store or a device has reported as well is live, and a
 * difference is a repair like those of the reconciler.
 */
async function causeFor(tx: Tx, job: ImportJobRow, store: Store, held: PurchaseRow | null): Promise<EventCause> {
  const sources = held ? await listSources(tx, held.id) : []
  const isLive = sources.some(({ cause }) => cause.kind !== 'IMPORT')
  return causeOf(isLive ? 'RECONCILE' : 'IMPORT', job.id, store)
}
