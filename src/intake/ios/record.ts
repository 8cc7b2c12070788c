import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import { findByChain, listFamilyShares, type PurchaseRow } from '../../people/purchases/queries'
import { findStoreProduct } from '../../people/purchases/store-product'
import { ensureSynthetic, findSubscriber, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedTransaction } from '../../stores/ios/decode'
import type { ProductType } from '../../stores/observation'
import { ownerByAccount, ownerOf } from '../recording/held'
import { type PurchaseReport, present } from '../recording/model'
import { recordObservations } from '../recording/record-observations'
import { accountOf, newChainKey, STORE } from './parties'

/** Why the news of a store could not take full effect; `erased`: nobody is there any more whom it is about. */
export type NewsProblem = 'environment' | 'product' | 'erased'

/**
 * Records what an iOS notification says of a purchase, in the caller's transaction (wire 5.5). Whose it is: the owner
 * of the purchase; of an unknown one the subscriber for whom the store signed the same account token last; else a
 * synthetic subscriber, until somebody submits a receipt. A purchase of a product that the catalogue lacks is kept and
 * gives no access until the same is told again with the product there.
 */
export async function recordNotified(
  tx: Tx,
  project: ProjectState,
  transaction: DecodedTransaction,
  cause: EventCause,
): Promise<NewsProblem | null> {
  const { environment, originalTransactionId } = transaction
  await tx.lock(`purchase:${project.id}:${STORE}:${originalTransactionId}`)
  const holdings = await lockHoldings(tx, project.id, transaction)
  // What was bought in one environment stays there: a root for tests must never reach a purchase that was paid.
  if (holdings.some(({ purchase }) => purchase && purchase.environment !== environment)) return 'environment'
  const living = holdings.filter(({ owner }) => owner.erasedAt === null)
  if (living.length === 0) return 'erased'
  for (const [index, { owner, purchase }] of living.entries()) {
    const chainKey = purchase?.chainKey ?? newChainKey(transaction, owner)
    // As read under the locks, until the first of several has been told: one owner may hold two of them.
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

/** A purchase that the news is about, null while nobody has told of it, and whose it is. */
interface Holding {
  owner: SubscriberRow
  purchase: PurchaseRow | null
}

/** They stand as read under the locks of all owners: a merge may have come before. */
async function lockHoldings(tx: Tx, projectId: string, transaction: DecodedTransaction): Promise<Holding[]> {
  const first = await readHoldings(tx, projectId, transaction)
  if (!tx.needsLocks) return first
  const locked = first.map(({ owner }) => owner.id)
  for (const id of [...new Set(locked)].sort()) await tx.lock(`subscriber:${id}`)
  const holdings = await readHoldings(tx, projectId, transaction)
  return holdings.every(({ owner }) => locked.includes(owner.id)) ? holdings : lockHoldings(tx, projectId, transaction)
}

async function readHoldings(tx: Tx, projectId: string, transaction: DecodedTransaction): Promise<Holding[]> {
  const purchases = await listConcerned(tx, projectId, transaction)
  if (purchases.length === 0) return [{ owner: await newOwner(tx, projectId, transaction), purchase: null }]
  const holdings: Holding[] = []
  for (const purchase of purchases) holdings.push({ owner: await ownerOf(tx, purchase), purchase })
  return holdings
}

/** A family-shared chain has a purchase for each subscriber who submitted it; the store speaks of the chain. */
async function listConcerned(
  tx: Tx,
  projectId: string,
  { chainKey, originalTransactionId, ownershipType }: DecodedTransaction,
): Promise<PurchaseRow[]> {
  if (ownershipType === 'FAMILY_SHARED') return listFamilyShares(tx, projectId, STORE, originalTransactionId)
  const purchase = await findByChain(tx, projectId, STORE, chainKey)
  return purchase ? [purchase] : []
}

async function newOwner(tx: Tx, projectId: string, transaction: DecodedTransaction): Promise<SubscriberRow> {
  const known = await ownerByToken(tx, projectId, transaction)
  return known ?? ensureSynthetic(tx, projectId, syntheticKey(transaction))
}

/** A family member's copy is nobody's by itself: whoever submits it is not the buyer, and the buyer does not hold it. */
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
  chainKey,
  originalTransactionId: transaction.originalTransactionId,
  productType: findStoreProduct(catalog, transaction.storeProductId)?.type ?? likelyType(transaction, held),
  accountToken: accountOf(transaction),
  presentedContext: null,
  observations: transaction.observations,
})

/** The type of a product that the catalogue lacks, as far as its transaction tells. */
const likelyType = ({ isSubscription }: DecodedTransaction, held: PurchaseRow | null): ProductType =>
  held?.fold.productType ?? (isSubscription ? 'SUBSCRIPTION' : 'NON_CONSUMABLE')
