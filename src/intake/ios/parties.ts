import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import { findByNames } from '../../people/purchases/alias-queries'
import { chainLockName, lockChain } from '../../people/purchases/lock'
import { canHoldFamilyShare } from '../../people/purchases/ownership'
import { listByOriginal, listFamilyShares, listNotified, type PurchaseRow } from '../../people/purchases/queries'
import type { Creation } from '../../people/subscribers/creation'
import {
  assertLive,
  ensureSubscriber,
  findSubscriber,
  lockWithDevice,
  type SubscriberRow,
} from '../../people/subscribers/service'
import type { DecodedTransaction } from '../../stores/ios/decode'
import type { Observation } from '../../stores/observation'
import { lockRead, type Parties } from '../receipts/parties'
import type { PurchaseReport } from '../recording/model'
import { isUnowned } from '../recording/ownership-claim'

export const STORE = 'IOS_STORE'

/** A transaction in a receipt, and the device that submits it. */
export interface SubmittedTransaction {
  projectId: string
  deviceKey: string
  creation: Creation | null
  transaction: DecodedTransaction
}

/** Locks all purchases of the original transaction. */
export const lockOriginal = (tx: Tx, projectId: string, { originalTransactionId }: DecodedTransaction): Promise<void> =>
  lockChain(tx, projectId, STORE, originalTransactionId)

/**
 * Locks all purchases of the original transaction, the submitter and the owners, and reads both. Mostly the submitter is
 * or becomes the owner: then one statement has taken all locks. Another owner is locked after the submitter, whatever the
 * order of their ids: when two receipts should wait for each other, PostgreSQL ends one of them, and it runs again.
 */
export async function lockAll(tx: Tx, submitted: SubmittedTransaction): Promise<Parties> {
  const { projectId, deviceKey, transaction } = submitted
  const key = chainLockName(projectId, STORE, transaction.originalTransactionId)
  const lockedId = tx.needsLocks ? await lockWithDevice(tx, key, projectId, deviceKey) : null
  return lockRead(tx, () => readParties(tx, submitted), [lockedId])
}

/** Locks the submitter and the owners and reads both again: a merge or a move may be committed during the wait. */
export const lockParties = (tx: Tx, submitted: SubmittedTransaction): Promise<Parties> =>
  lockRead(tx, () => readParties(tx, submitted))

async function readParties(
  tx: Tx,
  { projectId, deviceKey, creation, transaction }: SubmittedTransaction,
): Promise<Parties> {
  const isOfSubscriber = needsSubscriber(transaction)
  const [{ row, isNew }, held] = await Promise.all([
    ensureSubscriber(tx, projectId, deviceKey, creation),
    // Does not depend on the subscriber, so PostgreSQL gets both at once.
    isOfSubscriber ? [] : findRecordedPurchase(tx, projectId, transaction),
  ])
  const subscriber = assertLive(row)
  const purchases = isOfSubscriber ? await listPurchasesOf(tx, transaction, subscriber) : held
  return { subscriber, purchases, isNew }
}

/** Whether the key of the purchase contains its subscriber. */
const needsSubscriber = ({ ownershipType, isLocal }: DecodedTransaction): boolean =>
  ownershipType === 'FAMILY_SHARED' || isLocal

/** The purchase that has the key of the transaction, or any id of it; empty when there is none. */
export const findRecordedPurchase = async (
  handle: Handle,
  projectId: string,
  { chainKey, transactionId }: DecodedTransaction,
): Promise<PurchaseRow[]> => {
  const found = await findByNames(handle, projectId, STORE, { chainKey, transactionId })
  return found ? [found] : []
}

/**
 * The recorded purchases of a transaction. A family-shared chain has one for each subscriber (wire 5.6), so only the
 * subscriber's own are returned. There are two when two merged rows of one person both had one. A subscriber without
 * one gets the purchase that a notification made and that belongs to no device yet. So it is with a chain of Xcode, which
 * gives the same ids to many devices.
 */
export async function listPurchasesOf(
  handle: Handle,
  transaction: DecodedTransaction,
  { id, projectId }: SubscriberRow,
): Promise<PurchaseRow[]> {
  if (!needsSubscriber(transaction)) return findRecordedPurchase(handle, projectId, transaction)
  const rows = await listSubscriberKeyed(handle, projectId, transaction)
  const own = rows.filter(({ subscriberId }) => subscriberId === id)
  return own.length > 0 ? own : unclaimedShares(handle, projectId, rows)
}

/** The purchases of all subscribers that a transaction with the subscriber in its key can be about. */
export async function listSubscriberKeyed(
  handle: Handle,
  projectId: string,
  { chainKey, originalTransactionId, ownershipType, isLocal }: DecodedTransaction,
): Promise<PurchaseRow[]> {
  const rows = await (ownershipType === 'FAMILY_SHARED' ? listFamilyShares : listByOriginal)(
    handle,
    projectId,
    STORE,
    originalTransactionId,
  )
  return isLocal ? rows.filter((row) => row.chainKey.startsWith(`${chainKey}:`)) : rows
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
export const newChainKey = (transaction: DecodedTransaction, { id }: Pick<SubscriberRow, 'id'>): string =>
  needsSubscriber(transaction) ? `${transaction.chainKey}:${id}` : transaction.chainKey

/**
 * The transaction as the purchase with this key names it: the names that the purchase did not have yet, and the
 * observations. Xcode gives the same ids to many devices, so there the ids of the charges also contain the subscriber in
 * the key.
 */
export function underKey(
  transaction: DecodedTransaction,
  key: string,
): Pick<PurchaseReport, 'chainKey' | 'aliases' | 'observations'> {
  const { chainKey, observations } = transaction
  if (!needsSubscriber(transaction))
    return key === chainKey ? { chainKey, observations } : { chainKey: key, aliases: [chainKey], observations }
  const holder = key.slice(chainKey.length)
  return {
    chainKey: key,
    observations: transaction.isLocal ? observations.map((one) => named(one, holder)) : observations,
  }
}

function named(one: Observation, holder: string): Observation {
  if (one.kind !== 'REPORT') return { ...one, id: one.id + holder, transactionId: one.transactionId + holder }
  const { transaction } = one
  return transaction
    ? { ...one, transaction: { ...transaction, transactionId: transaction.transactionId + holder } }
    : one
}
