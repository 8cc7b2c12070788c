import type { Tx } from '../context'
import { balancesByCode } from '../currencies/service'
import { accessChange } from '../entitlements/service'
import { AppError } from '../errors'
import type { EventCause } from '../events/model'
import { type EventDraft, recordEvents } from '../events/service'
import type { ProjectState } from '../projects/state'
import { mergeSubscribers } from '../subscribers/merge'
import { findSubscriber, recordMove, type SubscriberRow, saveToldAccess } from '../subscribers/service'
import { listPurchases } from './holdings'
import { givePurchases } from './move'
import { decideOwnership } from './ownership'
import { hasPurchaseWithToken, type PurchaseRow } from './queries'

export interface OwnershipClaim {
  claimant: SubscriberRow
  purchase: PurchaseRow
  /** The account token that the store signed into the receipt at hand. */
  signedToken: string | null
  /** A token that the customer's server vouches for: from a call with a secret key. */
  vouchedToken: string | null
  cause: EventCause
  transferCause: 'RECEIPT' | 'RESTORE'
}

/**
 * Settles who owns a purchase that a receipt shows (wire 5.6): the claimant already, or it moves to them, or 409
 * `RECEIPT_IN_USE`. Showing a receipt proves nothing by itself, because a receipt can be passed on.
 */
export async function claimOwnership(tx: Tx, project: ProjectState, claim: OwnershipClaim): Promise<void> {
  const { claimant, purchase } = claim
  if (purchase.subscriberId === claimant.id) return
  const owner = await findSubscriber(tx, project.id, purchase.subscriberId)
  if (!owner) throw new Error(`purchase ${purchase.id} has no owner`)
  const decision = decideOwnership({
    setting: project.settings.purchaseTransfer,
    ownerIsSynthetic: owner.isSynthetic,
    ownerHasLabel: owner.appUserId !== null,
    provesAccount: await provesAccount(tx, project.id, claim),
    sameSubscriber: false,
  })
  if (decision.result === 'IN_USE') throw new AppError('RECEIPT_IN_USE')
  await moveTo(tx, project, owner, claim)
}

async function provesAccount(
  tx: Tx,
  projectId: string,
  { claimant, purchase, signedToken, vouchedToken }: OwnershipClaim,
): Promise<boolean> {
  const token = purchase.accountToken ?? signedToken
  if (token === null) return false
  return token === vouchedToken || hasPurchaseWithToken(tx, projectId, claimant.id, token, purchase.id)
}

async function moveTo(tx: Tx, project: ProjectState, owner: SubscriberRow, claim: OwnershipClaim): Promise<void> {
  const { claimant, purchase, cause, transferCause } = claim
  const owned = await listPurchases(tx, owner.id)
  if (owner.isSynthetic && owned.length === 1) {
    await mergeSubscribers(tx, project, { from: owner, into: claimant, cause, transferCause, takesLabel: false })
    return
  }
  for (const id of [owner.id, claimant.id].sort()) await tx.lock(`subscriber:${id}`)
  await givePurchases(tx, owner.id, claimant.id, [purchase.id])
  const transferId = await recordMove(tx, {
    projectId: project.id,
    cause: transferCause,
    from: owner.id,
    to: claimant.id,
    purchaseIds: [purchase.id],
  })
  const data = {
    transferId,
    fromSubscriberId: owner.id,
    toSubscriberId: claimant.id,
    purchaseIds: [purchase.id],
    credits: {},
  }
  await tellMove(tx, project, owner, cause, { ...data, role: 'FROM' })
  await tellMove(tx, project, claimant, cause, { ...data, role: 'TO' })
}

/** One side of a move: access recomputed from what it owns now. */
async function tellMove(
  tx: Tx,
  project: ProjectState,
  row: SubscriberRow,
  cause: EventCause,
  data: Record<string, unknown>,
): Promise<void> {
  const { before, after, drafts } = accessChange(tx, project, row, await listPurchases(tx, row.id))
  const balances = await balancesByCode(tx, project, row.id)
  const transferred: EventDraft = {
    type: 'subscriber.transferred',
    occurredAt: tx.clock.now(),
    environment: 'PRODUCTION',
    data,
  }
  await saveToldAccess(tx, row, after)
  const subject = { id: row.id, projectId: project.id, appUserId: row.appUserId }
  await recordEvents(tx, { subject, cause, before: { access: before, balances }, after: { access: after, balances } }, [
    ...drafts,
    transferred,
  ])
}
