import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { EventCause } from '../../people/events/model'
import { findPurchaseById, listByToken, type PurchaseRow } from '../../people/purchases/queries'
import { findSubscriber, resolveRow, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { Observation, PurchaseEnvironment, Store } from '../../stores/observation'
import { type PurchaseReport, present, type RecordedObservations } from './model'
import { recordObservations } from './record-observations'

/**
 * Adds words about a purchase that is known here; null when nobody is there to own it. The caller holds the locks of
 * the purchase and of its owner, and has read `held` under them.
 */
export async function recordHeldObservations(
  tx: Tx,
  project: ProjectState,
  held: PurchaseRow,
  words: readonly Observation[],
  cause: EventCause,
): Promise<RecordedObservations | null> {
  const owner = await findLiveOwner(tx, project.id, held.subscriberId)
  return owner && recordObservations(tx, project, present(owner), held, heldReport(held, words), cause)
}

/** The purchase as it stands under the lock of whoever owns it then: it may move while this waits. */
export async function lockWithOwner(tx: Tx, { id, projectId, subscriberId }: PurchaseRow): Promise<PurchaseRow | null> {
  await tx.lock(`subscriber:${subscriberId}`)
  const row = await findPurchaseById(tx, projectId, id)
  return row && row.subscriberId !== subscriberId ? lockWithOwner(tx, row) : row
}

/** A purchase with both its locks, so that words can be added to it. */
export async function lockHeld(tx: Tx, purchase: PurchaseRow): Promise<PurchaseRow> {
  const { id, projectId, store, chainKey } = purchase
  await tx.lock(`purchase:${projectId}:${store}:${chainKey}`)
  const held = await lockWithOwner(tx, purchase)
  if (!held) throw new Error(`purchase ${id} vanished under its lock`)
  return held
}

/** A subscriber who was not erased. */
export async function findLiveOwner(handle: Handle, projectId: string, id: string): Promise<SubscriberRow | null> {
  const row = await findSubscriber(handle, projectId, id)
  return row?.erasedAt === null ? row : null
}

/** The live subscriber behind a purchase, whoever was merged away. */
export async function ownerOf(handle: Handle, { id, projectId, subscriberId }: PurchaseRow): Promise<SubscriberRow> {
  const row = await findSubscriber(handle, projectId, subscriberId)
  if (!row) throw new Error(`purchase ${id} has no owner`)
  return resolveRow(handle, row)
}

/** An account as a store keeps it with a purchase. */
export interface StoreAccount {
  store: Store
  environment: PurchaseEnvironment
  token: string
}

/** For whom the store kept the account last; an erased subscriber gets nothing more. */
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

const heldReport = (held: PurchaseRow, observations: readonly Observation[]): PurchaseReport => ({
  store: held.store,
  environment: held.environment,
  chainKey: held.chainKey,
  originalTransactionId: held.originalTransactionId,
  productType: held.fold.productType,
  accountToken: null,
  presentedContext: null,
  observations,
})
