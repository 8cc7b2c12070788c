import type { Tx } from '../../base/context'
import { lockChain } from '../../people/purchases/lock'
import { findByChain } from '../../people/purchases/queries'
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

/** What identifies the buyer. */
export type Buyer = Pick<DecodedPayment, 'customerId' | 'chainKey' | 'owner'>

/** The owner of a purchase that is not recorded yet. It may be an erased row; the caller must then record nothing. */
export const buyerOf = async (tx: Tx, projectId: string, buyer: Buyer): Promise<SubscriberRow> =>
  (await knownBuyer(tx, projectId, buyer)) ?? ensureSynthetic(tx, projectId, syntheticKey(buyer))

/** Whether the buyer of a sale was erased. Makes no subscriber. */
export async function isErasedBuyer(tx: Tx, projectId: string, buyer: Buyer): Promise<boolean> {
  const known = await knownBuyer(tx, projectId, buyer)
  if (known) return known.erasedAt !== null
  return (await findErased(tx, projectId, { kind: 'DEVICE', value: syntheticKey(buyer) })) !== null
}

/** A guest has no customer id, so the chain key identifies them. */
const syntheticKey = ({ customerId, chainKey }: Buyer): string => `payment:${customerId ?? chainKey}`

const knownBuyer = async (tx: Tx, projectId: string, buyer: Buyer): Promise<SubscriberRow | null> =>
  (await namedOwner(tx, projectId, buyer)) ??
  (buyer.customerId === null ? null : await subscriberOfCustomer(tx, projectId, buyer.customerId))

/** The subscriber in the metadata of checkout, the survivor after a merge; null when the ids are unknown here. */
async function namedOwner(tx: Tx, projectId: string, { owner }: Buyer): Promise<SubscriberRow | null> {
  const { subscriberId, deviceKey } = owner
  const isNamed = subscriberId !== null && isSubscriberId(subscriberId)
  const row = isNamed ? await findSubscriber(tx, projectId, subscriberId) : null
  if (row) return resolveRow(tx, row)
  if (deviceKey === null || !isDeviceKey(deviceKey)) return null
  const known = await findByDevice(tx, projectId, deviceKey)
  return known ?? findErased(tx, projectId, { kind: 'DEVICE', value: deviceKey })
}
