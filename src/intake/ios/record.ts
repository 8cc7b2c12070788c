import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import type { PurchaseRow } from '../../people/purchases/queries'
import { findStoreProduct } from '../../people/purchases/store-product'
import { ensureSynthetic, findSubscriber, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedTransaction } from '../../stores/ios/decode'
import type { ProductType } from '../../stores/observation'
import { ownerByAccount, ownerOf, readAgain } from '../recording/held'
import { type PurchaseReport, present, soldType } from '../recording/model'
import { recordObservations } from '../recording/record-observations'
import {
  accountOf,
  findRecordedPurchase,
  listSubscriberKeyed,
  lockOriginal,
  newChainKey,
  STORE,
  underKey,
} from './parties'

/** Why a notification could not take full effect; `erased`: every owner of the purchase was erased. */
export type NewsProblem = 'environment' | 'product' | 'erased'

/**
 * Records what an iOS notification states about a purchase, in the caller's transaction (wire 5.5). A recorded purchase
 * keeps its owner. The owner of a new one is the owner of the newest purchase with the same account token; else a
 * synthetic subscriber, until a device submits a receipt. A purchase whose product is not in the catalogue is recorded,
 * but gives no access until it is recorded again after the product was added. `buyer` is the owner of a new purchase, or
 * of a further share of a family, when the caller knows them.
 */
export async function recordNotified(
  tx: Tx,
  project: ProjectState,
  transaction: DecodedTransaction,
  cause: EventCause,
  buyer: SubscriberRow | null = null,
): Promise<NewsProblem | null> {
  const { environment } = transaction
  await lockOriginal(tx, project.id, transaction)
  const holdings = await lockHoldings(tx, project.id, transaction, buyer)
  // A purchase keeps its environment: a test certificate must never change a purchase that was paid.
  if (holdings.some(({ purchase }) => purchase && purchase.environment !== environment)) return 'environment'
  const living = holdings.filter(({ owner }) => owner.erasedAt === null)
  if (living.length === 0) return 'erased'
  for (const [index, { owner, purchase }] of living.entries()) {
    const chainKey = purchase?.chainKey ?? newChainKey(transaction, owner)
    // From the second purchase on, the owner is read again: one owner may have two, and the first changed the row.
    const row = index === 0 ? owner : ((await findSubscriber(tx, project.id, owner.id)) ?? owner)
    await recordObservations(
      tx,
      project,
      present(row),
      purchase,
      toReport(project, transaction, purchase, chainKey),
      cause,
    )
  }
  return findStoreProduct(project.catalog, transaction.storeProductId) ? null : 'product'
}

/** A purchase of the notification, null when it is not recorded yet, and its owner. */
interface Holding {
  owner: SubscriberRow
  purchase: PurchaseRow | null
}

/** Locks all owners and reads again. Repeats when a merge during the wait has changed an owner. */
async function lockHoldings(
  tx: Tx,
  projectId: string,
  transaction: DecodedTransaction,
  buyer: SubscriberRow | null,
): Promise<Holding[]> {
  const first = await readHoldings(tx, projectId, transaction, buyer)
  if (!tx.needsLocks) return first
  const locked = first.map(({ owner }) => owner.id)
  for (const id of [...new Set(locked)].sort()) await tx.lock(`subscriber:${id}`)
  const holdings = await readHoldings(tx, projectId, transaction, buyer)
  return holdings.every(({ owner }) => locked.includes(owner.id))
    ? holdings
    : lockHoldings(tx, projectId, transaction, buyer)
}

async function readHoldings(
  tx: Tx,
  projectId: string,
  transaction: DecodedTransaction,
  buyer: SubscriberRow | null,
): Promise<Holding[]> {
  const purchases = await listConcerned(tx, projectId, transaction)
  if (purchases.length === 0) {
    const owner = buyer ? await readAgain(tx, buyer) : await newOwner(tx, projectId, transaction)
    return [{ owner, purchase: null }]
  }
  const holdings: Holding[] = []
  for (const purchase of purchases) holdings.push({ owner: await ownerOf(tx, purchase), purchase })
  const isMember = holdings.some(({ owner }) => owner.id === buyer?.id)
  if (buyer && !isMember && transaction.ownershipType === 'FAMILY_SHARED')
    holdings.push({ owner: await readAgain(tx, buyer), purchase: null })
  return holdings
}

/** A family-shared chain has a purchase for each subscriber who submitted it. A notification is about all of them. */
function listConcerned(tx: Tx, projectId: string, transaction: DecodedTransaction): Promise<PurchaseRow[]> {
  const isOfSubscriber = transaction.ownershipType === 'FAMILY_SHARED' || transaction.isLocal
  return isOfSubscriber
    ? listSubscriberKeyed(tx, projectId, transaction)
    : findRecordedPurchase(tx, projectId, transaction)
}

async function newOwner(tx: Tx, projectId: string, transaction: DecodedTransaction): Promise<SubscriberRow> {
  const known = await ownerByToken(tx, projectId, transaction)
  return known ?? ensureSynthetic(tx, projectId, syntheticKey(transaction))
}

/** Names a synthetic owner. A family share gets one of its own, because its holder is not the buyer. */
const syntheticKey = ({ originalTransactionId, transactionId, ownershipType }: DecodedTransaction): string =>
  `ios:${ownershipType === 'FAMILY_SHARED' ? transactionId : originalTransactionId}`

async function ownerByToken(tx: Tx, projectId: string, transaction: DecodedTransaction): Promise<SubscriberRow | null> {
  const token = accountOf(transaction)
  if (token === null) return null
  return ownerByAccount(tx, projectId, { store: STORE, environment: transaction.environment, token })
}

const toReport = (
  { catalog }: ProjectState,
  transaction: DecodedTransaction,
  held: PurchaseRow | null,
  chainKey: string,
): PurchaseReport => ({
  store: STORE,
  environment: transaction.environment,
  ...underKey(transaction, chainKey),
  originalTransactionId: transaction.originalTransactionId,
  productType: soldType(
    transaction.isNonRenewing,
    findStoreProduct(catalog, transaction.storeProductId)?.type ?? likelyType(transaction, held),
  ),
  accountToken: accountOf(transaction),
  presentedContext: null,
})

/** The type of a product that the catalogue lacks, derived from its transaction. */
const likelyType = ({ isSubscription }: DecodedTransaction, held: PurchaseRow | null): ProductType =>
  held?.fold.productType ?? (isSubscription ? 'SUBSCRIPTION' : 'NON_CONSUMABLE')
