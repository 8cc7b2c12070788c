import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { findSubscriber, resolveRow, type SubscriberRow } from '../../people/subscribers/service'
import { findByCustomer, findCustomer, findMergedCustomer, insertCustomer, upsertCustomer } from './customer-queries'

// A mapping stays on the row that it was made for. A merge needs no write here, nor does its undo: both directions are
// read along `mergedInto`, and the survivor's own customer stands before that of a row merged into it.

type Whose = Pick<SubscriberRow, 'id' | 'projectId'>

/** The provider's customer of a live subscriber, or null. */
export async function customerOf(handle: Handle, { id, projectId }: Whose): Promise<string | null> {
  const row = (await findCustomer(handle, projectId, id)) ?? (await findMergedCustomer(handle, projectId, id))
  return row?.customerId ?? null
}

/** Whom a customer of the provider stands for, or null: the live (or erased) row. */
export async function subscriberOfCustomer(
  handle: Handle,
  projectId: string,
  customerId: string,
): Promise<SubscriberRow | null> {
  const mapping = await findByCustomer(handle, projectId, customerId)
  const row = mapping && (await findSubscriber(handle, projectId, mapping.subscriberId))
  return row && resolveRow(handle, row)
}

/** Keeps what the provider told; nothing when the subscriber has a customer, or the customer a subscriber. */
export const learnCustomer = (tx: Tx, { id, projectId }: Whose, customerId: string): Promise<void> =>
  insertCustomer(tx, { projectId, subscriberId: id, customerId, createdAt: tx.clock.now() })

/** Keeps the customer that was made for the subscriber, in the place of one that the provider has no more. */
export async function keepCustomer(tx: Tx, { id, projectId }: Whose, customerId: string): Promise<void> {
  const holder = await findByCustomer(tx, projectId, customerId)
  if (holder && holder.subscriberId !== id) return
  await upsertCustomer(tx, { projectId, subscriberId: id, customerId, createdAt: tx.clock.now() })
}
