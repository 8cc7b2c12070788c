import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { findLiveOwner, lockHeld, recordHeldObservations } from '../../intake/recording/held'
import { chargeOf, type TransactionRow } from '../../people/purchases/charges'
import type { PurchaseRow } from '../../people/purchases/holdings'
import { recordAudit } from '../../projects/audit/audit'
import type { ProjectState } from '../../projects/project/state'
import { refundMarker } from '../../stores/android/voided'
import type { Marker } from '../../stores/observation'
import { type ActionOrigin, causeOfAction, checkReason } from './actor'
import { type Preview, preview } from './preview'
import { refundAtStore, requireStoreAccess } from './refund-store'
import { getRefundable, idsOf, linesBeside, notPossible, type Refundable, type RefundReference } from './refundable'

/** What to refund: the current charge of a purchase, by the purchase's id; or one charge, by its transaction's id. */
export type RefundOrder = RefundReference & { reason: string | null; origin: ActionOrigin }

export interface Refunded {
  purchase: PurchaseRow
  /** The transaction that records the refund; the charge itself when no such transaction exists. */
  transaction: TransactionRow
  /** All lines that the refund concerns, the named one first. */
  purchaseIds: string[]
}

/**
 * Asks the store to refund a charge and records the refund at once (wire 5.13). The store's own notification of it is
 * then a duplicate. A refund of an earlier period ends no access. 422 or 409 `REFUND_NOT_POSSIBLE`; 502
 * `STORE_API_ERROR` when the store fails, and then nothing was recorded. A call can be repeated after any failure: a
 * charge is refunded only once.
 */
export async function refundPurchase(ctx: Context, project: ProjectState, order: RefundOrder): Promise<Refunded> {
  const reason = checkReason(order.reason)
  const refundable = await getRefundable(ctx, project, order)
  const markers = await giveBack(ctx, project, refundable)
  return ctx.write((tx) => record(tx, project, refundable, markers, { reason, origin: order.origin }))
}

/**
 * What `refundPurchase` would do, with the same refusals as far as they are known without the store, which is not
 * called. Nothing is written.
 */
export async function previewRefund(
  ctx: Context,
  project: ProjectState,
  order: RefundOrder,
): Promise<Preview<Refunded>> {
  const reason = checkReason(order.reason)
  const refundable = await getRefundable(ctx, project, order)
  const { charge, plan } = refundable
  await requireStoreAccess(ctx, project, charge, plan)
  return preview(ctx, project, async (tx) => {
    const held = await lockHeld(tx, charge.purchase)
    const subscriber = await findLiveOwner(tx, project.id, held.subscriberId)
    if (!subscriber) throw new AppError('SUBSCRIBER_UNRESOLVABLE')
    const markers = [refundMarker(charge.storeTransactionId, tx.clock.now())]
    return { subscriber, run: () => record(tx, project, refundable, markers, { reason, origin: order.origin }) }
  })
}

async function giveBack(ctx: Context, project: ProjectState, { charge, plan }: Refundable): Promise<Marker[]> {
  const result = await refundAtStore(ctx, project, charge, plan)
  if (result.kind === 'refunded') return result.markers
  if (result.kind === 'refused') throw notPossible(result.reason)
  // Another request may have refunded the same charge in the meantime.
  const now = await chargeOf(ctx, charge.purchase, charge.storeTransactionId)
  throw now.isGivenBack
    ? notPossible('already_refunded')
    : new AppError('STORE_API_ERROR', undefined, { cause: result.cause })
}

async function record(
  tx: Tx,
  project: ProjectState,
  { charge, plan }: Refundable,
  markers: readonly Marker[],
  { reason, origin }: Pick<RefundOrder, 'reason' | 'origin'>,
): Promise<Refunded> {
  const { purchase, storeTransactionId } = charge
  const held = await lockHeld(tx, purchase)
  const others = await linesBeside(tx, { charge: { ...charge, purchase: held }, plan }, tx.clock.now())
  const cause = causeOfAction(origin, held.store, reason)
  const observed = await recordHeldObservations(tx, project, held, markers, cause)
  if (!observed?.purchase) throw new AppError('SUBSCRIBER_UNRESOLVABLE')
  for (const { purchase: line, marker } of others) await recordHeldObservations(tx, project, line, [marker], cause)
  const after = await chargeOf(tx, observed.purchase, storeTransactionId)
  const transaction = after.returned ?? after.line
  // The provider waits for the customer, or returned an earlier refund request that failed.
  if (!transaction || (observed.image === null && !after.isGivenBack)) throw notMoved()
  if (observed.image !== null) await recordAudit(tx, project.id, origin.actor, [auditOf(transaction, reason)])
  return { purchase: observed.purchase, transaction, purchaseIds: idsOf([charge, ...others]) }
}

const auditOf = (
  { id, purchaseId, storeTransactionId, amountMicros, currency }: TransactionRow,
  reason: string | null,
) => ({
  action: 'purchase.refund',
  target: { type: 'purchase', id: purchaseId },
  before: null,
  after: { transactionId: id, storeTransactionId, amountMicros, currency, reason },
})

const notMoved = (): AppError =>
  new AppError('STORE_API_ERROR', undefined, {
    message: 'The provider took the order and has moved no money yet; look there before you ask again',
  })
