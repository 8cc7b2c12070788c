import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import { recordSubscriberEvents, transferred } from '../../people/entitlements/subscriber-events'
import type { EventCause } from '../../people/events/model'
import { mergeSubscribers } from '../../people/identity/merge'
import { listPurchases } from '../../people/purchases/holdings'
import { chainOf, givePurchases } from '../../people/purchases/move'
import { decideOwnership } from '../../people/purchases/ownership'
import { hasPurchaseWithToken, type PurchaseRow } from '../../people/purchases/queries'
import { findSubscriber, hasMergedDevice, recordMove, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { accountTokenOf } from '../../stores/account-token'

export interface OwnershipClaim {
  claimant: SubscriberRow
  purchase: PurchaseRow
  /** The account token that the store signed into the submitted receipt. */
  signedToken: string | null
  /** Account tokens that are trusted although unsigned: from a call with a secret key, or of an Android account. */
  vouchedTokens: readonly string[]
  cause: EventCause
  transferCause: 'RECEIPT' | 'RESTORE' | 'API'
}

/**
 * Decides who owns the purchase in a receipt (wire 5.6). The claimant owns it already, or the purchase moves to the
 * claimant, or the call ends with 409 `RECEIPT_IN_USE`. A receipt alone does not prove ownership, because it can be
 * copied to another device. The caller holds the locks of the claimant and of the owner.
 */
export async function claimOwnership(tx: Tx, project: ProjectState, claim: OwnershipClaim): Promise<void> {
  const { claimant, purchase } = claim
  if (purchase.subscriberId === claimant.id) return
  const owner = await findSubscriber(tx, project.id, purchase.subscriberId)
  if (!owner) throw new Error(`purchase ${purchase.id} has no owner`)
  const ownerIsSynthetic = await isUnowned(tx, owner)
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

/** Gives the claimant a purchase whose owner `isUnowned`. The caller holds the locks of both. */
export const takeUnowned = (
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  claim: OwnershipClaim,
): Promise<void> => moveTo(tx, project, { owner, ownerIsSynthetic: true }, claim)

/**
 * Whether a store notification made the subscriber and no device belongs to it. An imported row is synthetic too, but
 * its `appUserId` identifies a person.
 */
export const isUnowned = async (handle: Handle, { id, isSynthetic, appUserId }: SubscriberRow): Promise<boolean> =>
  isSynthetic && appUserId === null && !(await hasMergedDevice(handle, id))

/**
 * Whether the claimant is proven to own the store account of the purchase. A sandbox purchase is free and can be made
 * with any token, so it proves nothing about a paid purchase.
 */
async function provesAccount(
  tx: Tx,
  { claimant, purchase, signedToken, vouchedTokens }: OwnershipClaim,
): Promise<boolean> {
  const token = accountTokenOf(purchase.accountToken) ?? signedToken
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
  // Read again: when several purchases are claimed in one transaction, moving the one before has changed this row.
  const claimant = (await findSubscriber(tx, project.id, claim.claimant.id)) ?? claim.claimant
  const owned = await listPurchases(tx, owner.id)
  if (ownerIsSynthetic && owned.every((one) => chainOf(one) === chainOf(purchase))) {
    await mergeSubscribers(tx, project, { from: owner, into: claimant, cause, transferCause, takesLabel: false })
    return
  }
  const purchaseIds = await givePurchases(tx, owner.id, claimant.id, [purchase.id])
  const ids = { from: owner.id, to: claimant.id, purchaseIds }
  const transferId = await recordMove(tx, { projectId: project.id, cause: transferCause, ...ids })
  const sides = { fromSubscriberId: owner.id, toSubscriberId: claimant.id }
  const data = { transferId, ...sides, purchaseIds, credits: {} }
  await recordSubscriberEvents(tx, project, owner, { cause, drafts: [transferred(tx, 'FROM', data)] })
  await recordSubscriberEvents(tx, project, claimant, { cause, drafts: [transferred(tx, 'TO', data)] })
}
