import { findIosProduct, type Product } from '../catalog/snapshot'
import type { Context, Tx } from '../context'
import { balancesByCode } from '../currencies/service'
import { currentAccess } from '../entitlements/service'
import type { AccessMap } from '../entitlements/wire'
import { AppError } from '../errors'
import { causeOf, type EventCause } from '../events/model'
import type { KeyState, ProjectState } from '../projects/state'
import { type DecodedTransaction, decodeTransaction } from '../stores/ios/decode'
import { assertLive, ensureSubscriber, findByDevice, type Platform, type SubscriberRow } from '../subscribers/service'
import { observe, type Sighting } from './observe'
import { canHoldFamilyShare } from './ownership'
import { claimOwnership } from './ownership-claim'
import { findByChain, hasObservation, listHolders } from './queries'

export interface ReceiptInput {
  receipt: string
  /** The device key. */
  deviceKey: string
  /** Our identifier or the store's product id. */
  productId: string
  presentedContext: Record<string, unknown> | null
  /** Unsigned; believed only with a secret key. */
  appAccountToken: string | null
  platform: Platform | null
  requestId: string
}

/** Which half of a key the caller showed: a server may vouch for an account token, an app may not. */
type Presenter = Pick<KeyState, 'presented'>

export interface ReceiptResult {
  subscriber: SubscriberRow
  access: AccessMap
  balances: Record<string, number>
}

/** Verifies an iOS signed transaction without calling the store, and records what it says (wire 2.7). */
export async function submitIosReceipt(
  ctx: Context,
  project: ProjectState,
  key: Presenter,
  input: ReceiptInput,
): Promise<ReceiptResult> {
  const transaction = await verifyIosReceipt(ctx, project, input.receipt)
  const product = matchProduct(project, transaction, input.productId)
  const known = await findKnown(ctx, project, input.deviceKey, transaction)
  const subscriber = known ?? (await ctx.write((tx) => record(tx, project, key, input, transaction, product)))
  return resultFor(ctx, project, subscriber)
}

/** Access and balances as they are now: the answer to a receipt, and to its repetition. */
export async function resultFor(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
): Promise<ReceiptResult> {
  return {
    subscriber,
    access: await currentAccess(ctx, project, subscriber),
    balances: await balancesByCode(ctx, project, subscriber.id),
  }
}

async function verifyIosReceipt(ctx: Context, project: ProjectState, receipt: string): Promise<DecodedTransaction> {
  if (!ctx.ios.isReady) throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'ios_receipt_verifier' })
  if (!project.ios) throw new AppError('STORE_NOT_CONFIGURED')
  const signed = await ctx.ios.verify(receipt, { allowLocal: project.settings.allowLocalStoreTesting })
  if (!signed.ok) throw refused(`signature check failed: ${signed.reason}`)
  const decoded = decodeTransaction(signed.payload)
  if (!decoded.ok) throw refused(`${decoded.field} is missing or malformed`)
  if (decoded.transaction.bundleId !== project.ios.bundleId) throw refused('it is for another app')
  return decoded.transaction
}

const refused = (reason: string): AppError =>
  new AppError('RECEIPT_INVALID', undefined, {
    message: `The receipt did not pass verification (${reason}); do not send it again`,
  })

function matchProduct({ catalog }: ProjectState, transaction: DecodedTransaction, productId: string): Product {
  const product = findIosProduct(catalog, productId)
  if (!product) throw new AppError('RECEIPT_PRODUCT_UNKNOWN', { productId })
  if ((product.iosId ?? product.identifier) !== transaction.storeProductId) throw refused('it is for another product')
  return product
}

/** The subscriber when all of it is recorded already: devices post the same receipt at each start, and that must be cheap. */
async function findKnown(
  ctx: Context,
  project: ProjectState,
  deviceKey: string,
  transaction: DecodedTransaction,
): Promise<SubscriberRow | null> {
  const subscriber = await findByDevice(ctx, project.id, deviceKey)
  if (!subscriber) return null
  assertLive(subscriber)
  const purchase = await findByChain(ctx, project.id, 'IOS_STORE', chainKeyFor(transaction, subscriber))
  if (purchase?.subscriberId !== subscriber.id) return null
  for (const observation of transaction.observations)
    if (!(await hasObservation(ctx, purchase.id, observation))) return null
  ctx.presence.see(subscriber.id, ctx.clock.now())
  return subscriber
}

/** Family-shared chains have one purchase for each subscriber (wire 5.6). */
const chainKeyFor = ({ chainKey, ownershipType }: DecodedTransaction, subscriber: SubscriberRow): string =>
  ownershipType === 'FAMILY_SHARED' ? `${chainKey}:${subscriber.id}` : chainKey

async function record(
  tx: Tx,
  project: ProjectState,
  key: Presenter,
  input: ReceiptInput,
  transaction: DecodedTransaction,
  product: Product,
): Promise<SubscriberRow> {
  await tx.lock(`purchase:${project.id}:IOS_STORE:${transaction.originalTransactionId}`)
  const subscriber = assertLive(await ensureSubscriber(tx, project.id, input.deviceKey, input.platform))
  await tx.lock(`subscriber:${subscriber.id}`)
  const cause = causeOf('RECEIPT', input.requestId, 'IOS_STORE')
  const sighting = toSighting(transaction, product, subscriber, input)
  if (transaction.ownershipType === 'FAMILY_SHARED') await admitFamilyMember(tx, project, subscriber, transaction)
  else await claim(tx, project, key, subscriber, sighting, input, cause)
  await observe(tx, project, await current(tx, subscriber), sighting, cause)
  return current(tx, subscriber)
}

/** The row as this transaction has left it: moves and merges write to it. */
const current = async (tx: Tx, subscriber: SubscriberRow): Promise<SubscriberRow> =>
  (await findByDevice(tx, subscriber.projectId, subscriber.deviceKey)) ?? subscriber

async function claim(
  tx: Tx,
  project: ProjectState,
  key: Presenter,
  claimant: SubscriberRow,
  sighting: Sighting,
  input: ReceiptInput,
  cause: EventCause,
): Promise<void> {
  const purchase = await findByChain(tx, project.id, 'IOS_STORE', sighting.chainKey)
  if (!purchase) return
  const vouchedToken = key.presented === 'secret' ? (input.appAccountToken?.toLowerCase() ?? null) : null
  const { accountToken: signedToken } = sighting
  await claimOwnership(tx, project, { claimant, purchase, signedToken, vouchedToken, cause, transferCause: 'RECEIPT' })
}

async function admitFamilyMember(
  tx: Tx,
  project: ProjectState,
  subscriber: SubscriberRow,
  { originalTransactionId }: DecodedTransaction,
): Promise<void> {
  const holders = new Set(await listHolders(tx, project.id, 'IOS_STORE', originalTransactionId))
  if (!canHoldFamilyShare(holders.size, holders.has(subscriber.id))) throw new AppError('RECEIPT_IN_USE')
}

function toSighting(
  transaction: DecodedTransaction,
  product: Product,
  subscriber: SubscriberRow,
  input: ReceiptInput,
): Sighting {
  return {
    store: 'IOS_STORE',
    environment: transaction.environment,
    chainKey: chainKeyFor(transaction, subscriber),
    originalTransactionId: transaction.originalTransactionId,
    productType: product.type,
    accountToken: transaction.appAccountToken,
    presentedContext: input.presentedContext,
    observations: transaction.observations,
  }
}
