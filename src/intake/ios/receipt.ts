import type { Context, Tx } from '../../base/context'
import { causeOf, type EventCause } from '../../people/events/model'
import { findSubscriber, type SubscriberRow } from '../../people/subscribers/service'
import type { Product } from '../../projects/catalog/snapshot'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedTransaction } from '../../stores/ios/decode'
import type { Parties } from '../receipts/parties'
import {
  type Presenter,
  type ReceiptInput,
  type ReceiptResult,
  recordKeepingDevice,
  resultFor,
} from '../receipts/receipt'
import { type Owner, type PurchaseReport, soldType } from '../recording/model'
import { claimOwnership } from '../recording/ownership-claim'
import { recordObservations } from '../recording/record-observations'
import {
  accountOf,
  admitMember,
  lockAll,
  lockParties,
  newChainKey,
  notifiedFamilyShares,
  STORE,
  type SubmittedTransaction,
  underKey,
} from './parties'
import { findRecorded } from './recorded-receipt'
import { checkEnvironment, matchProduct, verifyIosReceipt } from './verify'

/** Verifies a signed iOS transaction without calling the store, and records it (wire 2.7). */
export async function submitIosReceipt(
  ctx: Context,
  project: ProjectState,
  key: Presenter,
  input: ReceiptInput,
): Promise<ReceiptResult> {
  const transaction = await verifyIosReceipt(ctx, project, input.receipt)
  const product = matchProduct(project, transaction.storeProductId, input.productId)
  const submission = { key, input, transaction, product }
  const holder = await findRecorded(ctx, project.id, input, transaction)
  const result = holder
    ? await resultFor(ctx, project, holder)
    : await recordKeepingDevice(ctx, project, input, () => ctx.write((tx) => record(tx, project, submission)))
  ctx.state.presence.see(result.subscriber.id, ctx.clock.now())
  return result
}

/** A receipt whose signature and product are verified. */
interface Submission {
  key: Presenter
  input: ReceiptInput
  transaction: DecodedTransaction
  product: Product
}

async function record(tx: Tx, project: ProjectState, submission: Submission): Promise<ReceiptResult> {
  const { input, transaction } = submission
  const submitted = { ...input, projectId: project.id, transaction }
  const parties = await lockAll(tx, submitted)
  const cause = causeOf(input.causeKind ?? 'RECEIPT', input.requestId, STORE)
  if (transaction.ownershipType === 'FAMILY_SHARED') await admitMember(tx, submitted, parties)
  for (const purchase of parties.purchases) await claim(tx, project, submission, parties.subscriber, purchase, cause)
  checkEnvironment(transaction, parties.purchases)
  return recordAll(tx, project, submission, await afterClaims(tx, submitted, parties), cause)
}

/** The parties after the claims; read again when a purchase moved or its owner was merged. */
async function afterClaims(tx: Tx, submitted: SubmittedTransaction, parties: Parties): Promise<Parties> {
  const { subscriber, purchases } = parties
  return purchases.every(({ subscriberId }) => subscriberId === subscriber.id) ? parties : lockParties(tx, submitted)
}

/** Adds the observations to each purchase. There are two when two merged rows of a family member both had one. */
async function recordAll(
  tx: Tx,
  project: ProjectState,
  submission: Submission,
  { subscriber, purchases, isNew }: Parties,
  cause: EventCause,
): Promise<ReceiptResult> {
  const [first = null, ...others] = purchases
  const chainKey = first?.chainKey ?? newChainKey(submission.transaction, subscriber)
  const notified = first ? [] : await notifiedFamilyShares(tx, project.id, submission.transaction)
  const report = toReport(submission, chainKey, notified)
  const { image } = await recordObservations(tx, project, { subscriber, isNew }, first, report, cause)
  for (const other of others)
    await recordObservations(
      tx,
      project,
      await reload(tx, subscriber),
      other,
      toReport(submission, other.chainKey),
      cause,
    )
  return image && others.length === 0 ? { subscriber, ...image } : resultFor(tx, project, subscriber)
}

/** Reads the subscriber again, because moves and merges in this transaction change the row. */
const reload = async (tx: Tx, subscriber: SubscriberRow): Promise<Owner> => ({
  subscriber: (await findSubscriber(tx, subscriber.projectId, subscriber.id)) ?? subscriber,
  isNew: false,
})

async function claim(
  tx: Tx,
  project: ProjectState,
  { key, input, transaction }: Submission,
  claimant: SubscriberRow,
  purchase: Parties['purchases'][number],
  cause: EventCause,
): Promise<void> {
  const vouchedTokens = key.presented === 'secret' && input.appAccountToken ? [input.appAccountToken.toLowerCase()] : []
  const { appAccountToken: signedToken } = transaction
  const transferCause = input.causeKind ?? 'RECEIPT'
  await claimOwnership(tx, project, { claimant, purchase, signedToken, vouchedTokens, cause, transferCause })
}

function toReport(
  { transaction, product, input }: Submission,
  chainKey: string,
  notified: PurchaseReport['observations'] = [],
): PurchaseReport {
  const said = underKey(transaction, chainKey)
  return {
    store: STORE,
    environment: transaction.environment,
    ...said,
    originalTransactionId: transaction.originalTransactionId,
    productType: soldType(transaction.isNonRenewing, product.type),
    accountToken: accountOf(transaction),
    presentedContext: input.presentedContext,
    observations: [...said.observations, ...notified],
  }
}
