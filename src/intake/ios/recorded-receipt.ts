import type { Context } from '../../base/context'
import { findHolding, hasObservation } from '../../people/purchases/holding-queries'
import { assertLive, findByDevice, type SubscriberRow } from '../../people/subscribers/service'
import type { DecodedTransaction } from '../../stores/ios/decode'
import type { ReceiptInput } from '../receipts/receipt'
import { namesSale } from '../recording/fresh-observations'
import { bringsContext } from '../recording/record-observations'
import { listPurchasesOf, STORE, underKey } from './parties'

type HolderInput = Pick<ReceiptInput, 'deviceKey' | 'presentedContext'>

/**
 * The subscriber who submits a receipt that they own and that is recorded completely; else null. Devices post the same
 * receipt at each start, so this must be cheap.
 */
export async function findRecorded(
  ctx: Context,
  projectId: string,
  { deviceKey, presentedContext }: HolderInput,
  transaction: DecodedTransaction,
): Promise<SubscriberRow | null> {
  if (transaction.ownershipType === 'FAMILY_SHARED' || transaction.isLocal)
    return findRecordedShare(ctx, projectId, deviceKey, transaction)
  // The chain comes first: a receipt that is not recorded is mostly of a new chain, which one query shows.
  const ownerId = await findRecordedOwner(ctx, projectId, presentedContext, transaction)
  const row = ownerId === null ? null : await findByDevice(ctx, projectId, deviceKey)
  return row && assertLive(row).id === ownerId ? row : null
}

/** The owner's id when the recorded purchase has its product and every observation; else null. */
async function findRecordedOwner(
  ctx: Context,
  projectId: string,
  presentedContext: HolderInput['presentedContext'],
  { chainKey, observations: [first, ...others] }: DecodedTransaction,
): Promise<string | null> {
  const held = first ? await findHolding(ctx, projectId, STORE, chainKey, first) : null
  if (!held || held.productId === null || bringsContext(presentedContext, held)) return null
  if (first && namesSale(held.told, first)) return null
  for (const one of others) if (!(await hasObservation(ctx, held.id, one))) return null
  return held.subscriberId
}

async function findRecordedShare(
  ctx: Context,
  projectId: string,
  deviceKey: string,
  transaction: DecodedTransaction,
): Promise<SubscriberRow | null> {
  const row = await findByDevice(ctx, projectId, deviceKey)
  const shares = row ? await listPurchasesOf(ctx, transaction, assertLive(row)) : []
  for (const { id, subscriberId, productId, chainKey } of shares) {
    if (subscriberId !== row?.id || productId === null) return null
    for (const one of underKey(transaction, chainKey).observations)
      if (!(await hasObservation(ctx, id, one))) return null
  }
  return shares.length > 0 ? row : null
}
