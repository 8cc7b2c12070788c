import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { findSubscriber, resolveRow, type SubscriberRow } from '../../people/subscribers/service'
import { findByCustomer, findCustomer, findMergedCustomer, insertCustomer, upsertCustomer } from './customer-queries'

// A mapping stays on the subscriber row for which it was made. A merge and its undo write nothing here: reads in both
// directions follow `mergedInto`. The survivor's own customer comes before that of a row merged into it.

type Owner = Pick<SubscriberRow, 'id' | 'projectId'>

/** The provider's customer of a live subscriber, or null. */
export async function customerOf(handle: Handle, { id, projectId }: Owner): Promise<string | null> {
  const row = (await findCustomer(handle, projectId, id)) ?? (await findMergedCustomer(handle, projectId, id))
  return row?.customerId ?? null
}

/** The subscriber of a provider's customer, the survivor after a merge, who may be erased; or null. */
export async function subscriberOfCustomer(
  handle: Handle,
  projectId: string,
  customerId: string,
): Promise<SubscriberRow | null> {
  const mapping = await findByCustomer(handle, projectId, customerId)
  const row = mapping && (await findSubscriber(handle, projectId, mapping.subscriberId))
  return row && resolveRow(handle, row)
}

/** Saves a customer that the provider reported. Writes nothing when the subscriber or the customer has a mapping. */
export const learnCustomer = (tx: Tx, { id, projectId }: Owner, customerId: string): Promise<void> =>
  insertCustomer(tx, { projectId, subscriberId: id, customerId, createdAt: tx.clock.now() })

/** Saves the customer that was created for the subscriber. Replaces one that no longer exists at the provider. */
export async function keepCustomer(tx: Tx, { id, projectId }: Owner, customerId: string): Promise<void> {
  const holder = await findByCustomer(tx, projectId, customerId)
  if (holder && holder.subscriberId !== id) return
  await upsertCustomer(tx, { projectId, subscriberId: id, customerId, createdAt: tx.clock.now() })
}
