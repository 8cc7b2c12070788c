import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import { recordSubscriberEvents, transferred } from '../../people/entitlements/subscriber-events'
import type { EventCause } from '../../people/events/model'
import { mergeSubscribers } from '../../people/identity/merge'
import { listPurchases } from '../../people/purchases/holdings'
import { givePurchases } from '../../people/purchases/move'
import { decideOwnership } from '../../people/purchases/ownership'
import { hasPurchaseWithToken, type PurchaseRow } from '../../people/purchases/queries'
import { findSubscriber, hasMergedDevice, recordMove, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'

export interface OwnershipClaim {
  claimant: SubscriberRow
  purchase: PurchaseRow
  /** The account token that the store signed into the receipt at hand. */
  signedToken: string | null
  /** Tokens that the caller can be believed to know: of a call with a secret key, or of an Android account. */
  vouchedTokens: readonly string[]
  cause: EventCause
  transferCause: 'RECEIPT' | 'RESTORE'
}

/**
 * Settles who owns a purchase that a receipt is about (wire 5.6): the claimant already, or it moves to them, or 409
 * `RECEIPT_IN_USE`. Submitting a receipt proves nothing by itself, because a receipt can be passed on. The caller holds
 * the locks of the claimant and of the owner.
 */
export async function claimOwnership(tx: Tx, project: ProjectState, claim: OwnershipClaim): Promise<void> {
  const { claimant, purchase } = claim
  if (purchase.subscriberId === claimant.id) return
  const owner = await findSubscriber(tx, project.id, purchase.subscriberId)
  if (!owner) throw new Error(`purchase ${purchase.id} has no owner`)
  const ownerIsSynthetic = await isNobodys(tx, owner)
  const decision = decideOwnership({
    setting: project.settings.purchaseTransfer,
    ownerIsSynthetic,
    ownerHasLabel: owner.appUserId !== null,
    provesAccount: await provesAccount(tx, claim),
    sameSubscriber: false,
  })
  if (decision.result === 'IN_USE') throw new AppError('RECEIPT_IN_USE')
  await moveTo(tx, project, { owner, ownerIsSynthetic }, claim)
}

/**
 * Made by a store notification, and no device leads to it. An imported row is synthetic too, but its label says whose
 * it is.
 */
export const isNobodys = async (handle: Handle, { id, isSynthetic, appUserId }: SubscriberRow): Promise<boolean> =>
  isSynthetic && appUserId === null && !(await hasMergedDevice(handle, id))

/** A sandbox purchase, which costs nothing and can be made with any token, proves nothing about one that was paid. */
async function provesAccount(
  tx: Tx,
  { claimant, purchase, signedToken, vouchedTokens }: OwnershipClaim,
): Promise<boolean> {
  const token = purchase.accountToken ?? signedToken
  if (token === null) return false
  return vouchedTokens.includes(token) || hasPurchaseWithToken(tx, purchase, claimant.id, token)
}

interface CurrentOwner {
  owner: SubscriberRow
  ownerIsSynthetic: boolean
}

async function moveTo(
  tx: Tx,
  project: ProjectState,
  { owner, ownerIsSynthetic }: CurrentOwner,
  claim: OwnershipClaim,
): Promise<void> {
  const { purchase, cause, transferCause } = claim
  // Read again: of several purchases submitted at once the one before has moved, and was told.
  const claimant = (await findSubscriber(tx, project.id, claim.claimant.id)) ?? claim.claimant
  const owned = await listPurchases(tx, owner.id)
  if (ownerIsSynthetic && owned.length === 1) {
    await mergeSubscribers(tx, project, { from: owner, into: claimant, cause, transferCause, takesLabel: false })
    return
  }
  await givePurchases(tx, owner.id, claimant.id, [purchase.id])
  const ids = { from: owner.id, to: claimant.id, purchaseIds: [purchase.id] }
  const transferId = await recordMove(tx, { projectId: project.id, cause: transferCause, ...ids })
  const sides = { fromSubscriberId: owner.id, toSubscriberId: claimant.id }
  const data = { transferId, ...sides, purchaseIds: [purchase.id], credits: {} }
  await recordSubscriberEvents(tx, project, owner, { cause, drafts: [transferred(tx, 'FROM', data)] })
  await recordSubscriberEvents(tx, project, claimant, { cause, drafts: [transferred(tx, 'TO', data)] })
}
