import type { Tx } from '../../base/context'
import { lockChain } from '../../people/purchases/lock'
import { findByChain } from '../../people/purchases/queries'
import { findStoreProduct } from '../../people/purchases/store-product'
import { isDeviceKey } from '../../people/subscribers/device-key'
import {
  ensureSynthetic,
  findByDevice,
  findErased,
  findSubscriber,
  isOfAnotherProject,
  isSubscriberId,
  resolveRow,
  type SubscriberRow,
} from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedPayment } from '../../stores/payment/decode'
import { subscriberOfCustomer } from './customers'

export const PAYMENT = 'PAYMENT'

/** Locks all lines of a subscription, or a payment. */
export const lockPayment = (tx: Tx, projectId: string, chainKey: string): Promise<void> =>
  lockChain(tx, projectId, PAYMENT, chainKey)

/**
 * Whether the checkout of another project made the purchase. Several projects may sell through one account, and the
 * provider sends all events of the account to each of them. A purchase that this project has recorded stays with it.
 */
export async function isSoldElsewhere(
  tx: Tx,
  projectId: string,
  { chainKey, owner: { subscriberId } }: DecodedPayment,
): Promise<boolean> {
  if (subscriberId === null || !isSubscriberId(subscriberId)) return false
  if (!(await isOfAnotherProject(tx, projectId, subscriberId))) return false
  return (await findByChain(tx, projectId, PAYMENT, chainKey)) === null
}

/**
 * Whether it is an invoice of no subscription that sells none of the project's products: sellers also bill other work. One
 * that is recorded stays.
 */
export async function isUnlistedInvoice(
  tx: Tx,
  { id, catalog }: ProjectState,
  { chainKey, lines }: DecodedPayment,
): Promise<boolean> {
  const isListed = lines.some(({ storeProductId }) => findStoreProduct(catalog, storeProductId, PAYMENT) !== null)
  if (isListed || !chainKey.startsWith('in_')) return false
  return (await findByChain(tx, id, PAYMENT, chainKey)) === null
}

/** The owner of a purchase that is not recorded yet. It may be an erased row; the caller must then record nothing. */
export async function buyerOf(tx: Tx, projectId: string, payment: DecodedPayment): Promise<SubscriberRow> {
  const { customerId, chainKey } = payment
  const known =
    (await namedOwner(tx, projectId, payment)) ??
    (customerId === null ? null : await subscriberOfCustomer(tx, projectId, customerId))
  // A guest has no customer id, so the chain key identifies them.
  return known ?? ensureSynthetic(tx, projectId, `payment:${customerId ?? chainKey}`)
}

/** The subscriber in the metadata of checkout, the survivor after a merge; null when the ids are unknown here. */
async function namedOwner(tx: Tx, projectId: string, { owner }: DecodedPayment): Promise<SubscriberRow | null> {
  const { subscriberId, deviceKey } = owner
  const isNamed = subscriberId !== null && isSubscriberId(subscriberId)
  const row = isNamed ? await findSubscriber(tx, projectId, subscriberId) : null
  if (row) return resolveRow(tx, row)
  if (deviceKey === null || !isDeviceKey(deviceKey)) return null
  const known = await findByDevice(tx, projectId, deviceKey)
  return known ?? findErased(tx, projectId, { kind: 'DEVICE', value: deviceKey })
}
