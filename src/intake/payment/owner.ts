import type { Tx } from '../../base/context'
import { findByChain } from '../../people/purchases/queries'
import { isDeviceKey } from '../../people/subscribers/device-key'
import {
  ensureSynthetic,
  findByDevice,
  findSubscriber,
  isOfAnotherProject,
  isSubscriberId,
  resolveRow,
  type SubscriberRow,
} from '../../people/subscribers/service'
import type { DecodedPayment } from '../../stores/payment/decode'
import { subscriberOfCustomer } from './customer-customers'

export const PAYMENT = 'PAYMENT'

/**
 * Whether checkout of another project made it. Projects may sell through one account of the provider, which tells of
 * all its sales wherever it is asked to; a purchase that is held here all the same goes on here.
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

/** Who gets a purchase that nobody owns yet: a live row, or an erased one, which gets nothing. */
export async function buyerOf(tx: Tx, projectId: string, payment: DecodedPayment): Promise<SubscriberRow> {
  const { customerId, chainKey } = payment
  const known =
    (await namedOwner(tx, projectId, payment)) ??
    (customerId === null ? null : await subscriberOfCustomer(tx, projectId, customerId))
  // A guest has no customer: only what was bought names them.
  return known ?? ensureSynthetic(tx, projectId, `payment:${customerId ?? chainKey}`)
}

/** Whose checkout it was, whoever they were merged into. What nobody here is called names nobody. */
async function namedOwner(tx: Tx, projectId: string, { owner }: DecodedPayment): Promise<SubscriberRow | null> {
  const { subscriberId, deviceKey } = owner
  const isNamed = subscriberId !== null && isSubscriberId(subscriberId)
  const row = isNamed ? await findSubscriber(tx, projectId, subscriberId) : null
  if (row) return resolveRow(tx, row)
  return deviceKey !== null && isDeviceKey(deviceKey) ? findByDevice(tx, projectId, deviceKey) : null
}
