import type { Tx } from '../../base/context'
import { causeOf, type EventCause } from '../../people/events/model'
import { findPurchaseById, type PurchaseRow } from '../../people/purchases/queries'
import { assertLive, ensureSubscriber, type SubscriberRow } from '../../people/subscribers/service'
import type { KeyState, ProjectState } from '../../projects/project/state'
import { lockRead, type Parties } from '../receipts/parties'
import { type ReceiptInput, type ReceiptResult, resultFor } from '../receipts/receipt'
import { CommitNews } from '../recording/commit-news'
import { claimOwnership } from '../recording/ownership-claim'
import { queueAcknowledgement } from './acknowledge'
import type { AndroidLook } from './fetch'
import { recordLooks } from './record'
import { tellLooks } from './tell-looks'
import { ANDROID, adoptOrders, listByTokens, lockTokens, tokensOf } from './tokens'

export interface AndroidReceiptInput extends ReceiptInput {
  /** The buyer's id as the app gave it to Google. It is trusted, because only the selling app can know it. */
  obfuscatedAccountId: string | null
}

/** A submitted token, with the key of the call. */
export interface AndroidSubmission {
  key: Pick<KeyState, 'presented'>
  input: AndroidReceiptInput
}

/** Decides who owns the purchase of a token and records what Google reported about it, in the caller's transaction. */
export async function recordReceipt(
  tx: Tx,
  project: ProjectState,
  submission: AndroidSubmission,
  looks: readonly AndroidLook[],
): Promise<ReceiptResult> {
  const { input } = submission
  const tokens = tokensOf(looks)
  await lockTokens(tx, project.id, tokens)
  await adoptOrders(tx, project.id, looks)
  const { subscriber, purchases } = await lockRead(tx, () => readParties(tx, project.id, input, tokens))
  const cause = causeOf(input.causeKind ?? 'RECEIPT', input.requestId, ANDROID)
  for (const { id } of toClaim(purchases, input.receipt))
    await claim(tx, project, submission, looks, subscriber, id, cause)
  const { presentedContext } = input
  const news = new CommitNews()
  await recordLooks(tx, project, looks, { ownerId: subscriber.id, presentedContext, cause }, news)
  await tellLooks(tx, project, looks, cause, news)
  const look = looks.at(-1)
  if (look) await queueAcknowledgement(tx, project, look)
  const { row } = await ensureSubscriber(tx, project.id, input.deviceKey, input.creation)
  return resultFor(tx, project, row)
}

async function readParties(
  tx: Tx,
  projectId: string,
  { deviceKey, creation }: AndroidReceiptInput,
  tokens: readonly string[],
): Promise<Parties> {
  const { row, isNew } = await ensureSubscriber(tx, projectId, deviceKey, creation)
  return { subscriber: assertLive(row), purchases: await listByTokens(tx, projectId, tokens), isNew }
}

/**
 * The purchases to claim: the submitted one and those of the same owner that it replaced. When the submitted one is not
 * recorded yet, all those that it replaces, because it inherits their owner.
 */
function toClaim(purchases: readonly PurchaseRow[], purchaseToken: string): PurchaseRow[] {
  const submitted = purchases.filter(({ chainKey }) => chainKey === purchaseToken)
  const [first] = submitted
  if (!first) return [...purchases]
  const others = purchases.filter((one) => !submitted.includes(one) && one.subscriberId === first.subscriberId)
  return [...submitted, ...others]
}

async function claim(
  tx: Tx,
  project: ProjectState,
  { key, input }: AndroidSubmission,
  looks: readonly AndroidLook[],
  claimant: SubscriberRow,
  purchaseId: string,
  cause: EventCause,
): Promise<void> {
  // Read again: the claim of the purchase before may have merged the owner of this one.
  const purchase = await findPurchaseById(tx, project.id, purchaseId)
  if (!purchase) return
  const trusted = [input.obfuscatedAccountId, key.presented === 'secret' ? input.appAccountToken : null]
  const vouchedTokens = trusted.filter((token) => token !== null)
  const signedToken = looks.at(-1)?.account ?? null
  const transferCause = input.causeKind ?? 'RECEIPT'
  await claimOwnership(tx, project, { claimant, purchase, signedToken, vouchedTokens, cause, transferCause })
}
