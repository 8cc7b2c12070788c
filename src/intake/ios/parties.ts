import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import { canHoldFamilyShare } from '../../people/purchases/ownership'
import { findByChain, listFamilyShares, listNotified, type PurchaseRow } from '../../people/purchases/queries'
import type { Creation } from '../../people/subscribers/creation'
import { assertLive, ensureSubscriber, findSubscriber, type SubscriberRow } from '../../people/subscribers/service'
import type { DecodedTransaction } from '../../stores/ios/decode'
import type { Observation } from '../../stores/observation'
import { lockRead, type Parties } from '../receipts/parties'
import { isUnowned } from '../recording/ownership-claim'

export const STORE = 'IOS_STORE'

/** A transaction in a receipt, and the device that submits it. */
export interface SubmittedTransaction {
  projectId: string
  deviceKey: string
  creation: Creation | null
  transaction: DecodedTransaction
}

/** Locks the submitter and the owners and reads both again: a merge or a move may be committed during the wait. */
export const lockParties = (tx: Tx, submitted: SubmittedTransaction): Promise<Parties> =>
  lockRead(tx, () => readParties(tx, submitted))

async function readParties(
  tx: Tx,
  { projectId, deviceKey, creation, transaction }: SubmittedTransaction,
): Promise<Parties> {
  const isShared = transaction.ownershipType === 'FAMILY_SHARED'
  const [{ row, isNew }, held] = await Promise.all([
    ensureSubscriber(tx, projectId, deviceKey, creation),
    // Does not depend on the subscriber, so PostgreSQL gets both at once.
    isShared ? null : findByChain(tx, projectId, STORE, transaction.chainKey),
  ])
  const subscriber = assertLive(row)
  if (isShared) return { subscriber, purchases: await listPurchasesOf(tx, transaction, subscriber), isNew }
  return { subscriber, purchases: held ? [held] : [], isNew }
}

/**
 * The recorded purchases of a transaction. A family-shared chain has one for each subscriber (wire 5.6), so only the
 * subscriber's own are returned. There are two when two merged rows of one person both had one. A subscriber without
 * one gets the purchase that a notification made and that belongs to no device yet.
 */
export async function listPurchasesOf(
  handle: Handle,
  { chainKey, originalTransactionId, ownershipType }: DecodedTransaction,
  { id, projectId }: SubscriberRow,
): Promise<PurchaseRow[]> {
  if (ownershipType !== 'FAMILY_SHARED') {
    const purchase = await findByChain(handle, projectId, STORE, chainKey)
    return purchase ? [purchase] : []
  }
  const shares = await listFamilyShares(handle, projectId, STORE, originalTransactionId)
  const own = shares.filter(({ subscriberId }) => subscriberId === id)
  return own.length > 0 ? own : unclaimedShares(handle, projectId, shares)
}

async function unclaimedShares(handle: Handle, projectId: string, shares: PurchaseRow[]): Promise<PurchaseRow[]> {
  for (const share of shares) {
    const owner = await findSubscriber(handle, projectId, share.subscriberId)
    if (owner && (await isUnowned(handle, owner))) return [share]
  }
  return []
}

/**
 * The observations from notifications about a family-shared chain. They also apply to a member who joins later with an
 * older receipt. Empty for any other purchase.
 */
export async function notifiedFamilyShares(
  tx: Tx,
  projectId: string,
  { originalTransactionId, ownershipType }: DecodedTransaction,
): Promise<Observation[]> {
  if (ownershipType !== 'FAMILY_SHARED') return []
  const shares = await listFamilyShares(tx, projectId, STORE, originalTransactionId)
  const notified = await listNotified(
    tx,
    shares.map(({ id }) => id),
  )
  return [...new Map(notified.map((one) => [`${one.kind}:${one.id}`, one])).values()]
}

/** Refuses a family member beyond the sixth. A revoked share does not count and is always recorded. */
export async function admitMember(
  tx: Tx,
  { projectId, transaction }: Pick<SubmittedTransaction, 'projectId' | 'transaction'>,
  { subscriber, purchases }: Parties,
): Promise<void> {
  if (transaction.observations.some(({ kind }) => kind === 'REVOCATION')) return
  const shares = await listFamilyShares(tx, projectId, STORE, transaction.originalTransactionId)
  const held = shares.filter(({ fold }) => fold.revokedAt === null)
  const holders = new Set(held.map(({ subscriberId }) => subscriberId))
  const takesOver = held.some(({ id }) => purchases.some((purchase) => purchase.id === id))
  if (!canHoldFamilyShare(holders.size, takesOver || holders.has(subscriber.id))) throw new AppError('RECEIPT_IN_USE')
}

/** The buyer's account token. Null for a family share, whose token may be the buyer's and not the holder's. */
export const accountOf = ({ appAccountToken, ownershipType }: DecodedTransaction): string | null =>
  ownershipType === 'FAMILY_SHARED' ? null : appAccountToken

/** The chain key of a purchase that is not recorded yet; that of a family share also contains its holder. */
export const newChainKey = (
  { chainKey, ownershipType }: DecodedTransaction,
  { id }: Pick<SubscriberRow, 'id'>,
): string => (ownershipType === 'FAMILY_SHARED' ? `${chainKey}:${id}` : chainKey)
