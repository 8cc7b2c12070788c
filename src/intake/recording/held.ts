import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { EventCause } from '../../people/events/model'
import { lockPurchaseOf } from '../../people/purchases/lock'
import { findPurchaseById, listByToken, type PurchaseRow } from '../../people/purchases/queries'
import { findSubscriber, resolveRow, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { Observation, PurchaseEnvironment, Store } from '../../stores/observation'
import { type ChangeTaker, type PurchaseReport, present, type RecordedObservations } from './model'
import { recordObservations } from './record-observations'

/**
 * Adds observations to a purchase that is stored already. Returns null when its owner was erased or no longer exists.
 * The caller holds the locks of the purchase and of its owner, and has read `held` under them. `news`: see `Owner`.
 */
export async function recordHeldObservations(
  tx: Tx,
  project: ProjectState,
  held: PurchaseRow,
  observations: readonly Observation[],
  cause: EventCause,
  news?: ChangeTaker,
): Promise<RecordedObservations | null> {
  const owner = await findLiveOwner(tx, project.id, held.subscriberId)
  return owner && recordObservations(tx, project, present(owner, news), held, heldReport(held, observations), cause)
}

/** Locks the owner of a purchase and reads the purchase again. Repeats when it got another owner during the wait. */
export async function lockWithOwner(tx: Tx, { id, projectId, subscriberId }: PurchaseRow): Promise<PurchaseRow | null> {
  await tx.lock(`subscriber:${subscriberId}`)
  const row = await findPurchaseById(tx, projectId, id)
  return row && row.subscriberId !== subscriberId ? lockWithOwner(tx, row) : row
}

/** Takes both locks of a purchase, so that observations can be added to it, and reads it again. */
export async function lockHeld(tx: Tx, purchase: PurchaseRow): Promise<PurchaseRow> {
  const held = await lockStored(tx, purchase)
  if (!held) throw new Error(`purchase ${purchase.id} vanished under its lock`)
  return held
}

/** Like `lockHeld`; null when the purchase is gone by then. */
export async function lockStored(tx: Tx, purchase: PurchaseRow): Promise<PurchaseRow | null> {
  await lockPurchaseOf(tx, purchase)
  return lockWithOwner(tx, purchase)
}

/** The subscriber with this id; null when there is none or they were erased. */
export async function findLiveOwner(handle: Handle, projectId: string, id: string): Promise<SubscriberRow | null> {
  const row = await findSubscriber(handle, projectId, id)
  return row?.erasedAt === null ? row : null
}

/** The row of a subscriber as it is now, for example under their lock. When they were merged, the survivor's. */
export async function readAgain(handle: Handle, { id, projectId }: SubscriberRow): Promise<SubscriberRow> {
  const row = await findSubscriber(handle, projectId, id)
  if (!row) throw new Error(`subscriber ${id} vanished`)
  return resolveRow(handle, row)
}

/** The owner of a purchase. When that subscriber was merged into another one, the survivor. */
export async function ownerOf(handle: Handle, { id, projectId, subscriberId }: PurchaseRow): Promise<SubscriberRow> {
  const row = await findSubscriber(handle, projectId, subscriberId)
  if (!row) throw new Error(`purchase ${id} has no owner`)
  return resolveRow(handle, row)
}

/** The account token that a store keeps with a purchase. */
export interface StoreAccount {
  store: Store
  environment: PurchaseEnvironment
  token: string
}

/** The owner of the newest purchase with this account token; null when there is none or they were erased. */
export async function ownerByAccount(
  tx: Tx,
  projectId: string,
  { store, environment, token }: StoreAccount,
): Promise<SubscriberRow | null> {
  const purchases = await listByToken(tx, projectId, store, environment, token)
  const [last] = purchases.toSorted((a, b) => b.fold.storeEventAt - a.fold.storeEventAt)
  const owner = last ? await ownerOf(tx, last) : null
  return owner?.erasedAt === null ? owner : null
}

/** A report of further observations about a purchase that is stored. */
export const heldReport = (held: PurchaseRow, observations: readonly Observation[]): PurchaseReport => ({
  store: held.store,
  environment: held.environment,
  chainKey: held.chainKey,
  originalTransactionId: held.originalTransactionId,
  productType: held.fold.productType,
  accountToken: null,
  presentedContext: null,
  observations,
})
