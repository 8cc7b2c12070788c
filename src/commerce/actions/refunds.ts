import type { Context, Tx } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { findLiveOwner, lockHeld, recordHeldObservations } from '../../intake/recording/held'
import {
  type Charge,
  type ChargeReference,
  chargeOf,
  findCharge,
  type TransactionRow,
} from '../../people/purchases/charges'
import type { PurchaseRow } from '../../people/purchases/holdings'
import { recordAudit } from '../../projects/audit/audit'
import type { ProjectState } from '../../projects/project/state'
import { refundMarker } from '../../stores/android/voided'
import type { Marker } from '../../stores/observation'
import { type ActionOrigin, causeOfAction } from './actor'
import { type Preview, preview } from './preview'
import { checkReason } from './reason'
import { planRefund, type RefundPlan } from './refund-plan'
import { refundAtStore, requireStoreAccess } from './refund-store'

/** What to refund: the current charge of a purchase, by the purchase's id; or one charge, by its transaction's id. */
export type RefundOrder = ChargeReference & { reason: string | null; origin: ActionOrigin }

export interface Refunded {
  purchase: PurchaseRow
  /** The transaction that records the refund; the charge itself when no such transaction exists. */
  transaction: TransactionRow
}

/**
 * Asks the store to refund a charge and records the refund at once (wire 5.13). The store's own notification of it is
 * then a duplicate. A refund of an earlier period ends no access. 422 or 409 `REFUND_NOT_POSSIBLE`; 502
 * `STORE_API_ERROR` when the store fails, and then nothing was recorded. A call can be repeated after any failure: a
 * charge is refunded only once.
 */
export async function refundPurchase(ctx: Context, project: ProjectState, order: RefundOrder): Promise<Refunded> {
  const reason = checkReason(order.reason)
  const { charge, plan } = await getRefundable(ctx, project, order)
  const markers = await giveBack(ctx, project, { charge, plan })
  return ctx.write((tx) => record(tx, project, charge, markers, { reason, origin: order.origin }))
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
  const { charge, plan } = await getRefundable(ctx, project, order)
  await requireStoreAccess(ctx, project, charge, plan)
  return preview(ctx, project, async (tx) => {
    const held = await lockHeld(tx, charge.purchase)
    const subscriber = await findLiveOwner(tx, project.id, held.subscriberId)
    if (!subscriber) throw new AppError('SUBSCRIBER_UNRESOLVABLE')
    const markers = [refundMarker(charge.storeTransactionId, tx.clock.now())]
    return { subscriber, run: () => record(tx, project, charge, markers, { reason, origin: order.origin }) }
  })
}

export interface Refundable {
  charge: Charge
  plan: Extract<RefundPlan, { ok: true }>
}

/** The charge that the reference names, and how to refund it. Throws when the stored data rules the refund out. */
export async function getRefundable(
  ctx: Context,
  project: ProjectState,
  reference: ChargeReference,
): Promise<Refundable> {
  const charge = await findCharge(ctx, project.id, reference)
  if (!charge) throw noCharge(reference)
  const plan = planRefund({ ...charge.purchase, ...charge })
  if (!plan.ok) throw notPossible(plan.reason)
  // Without a live owner the refund could not be recorded on any subscriber.
  if (!(await findLiveOwner(ctx, project.id, charge.purchase.subscriberId)))
    throw new AppError('SUBSCRIBER_UNRESOLVABLE')
  return { charge, plan }
}

const noCharge = (reference: ChargeReference): AppError =>
  'transactionId' in reference
    ? notFound('transaction', reference.transactionId)
    : notFound('purchase', reference.purchaseId)

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
  { purchase, storeTransactionId }: Charge,
  markers: readonly Marker[],
  { reason, origin }: Pick<RefundOrder, 'reason' | 'origin'>,
): Promise<Refunded> {
  const held = await lockHeld(tx, purchase)
  const observed = await recordHeldObservations(tx, project, held, markers, causeOfAction(origin, held.store, reason))
  if (!observed?.purchase) throw new AppError('SUBSCRIBER_UNRESOLVABLE')
  const after = await chargeOf(tx, observed.purchase, storeTransactionId)
  const transaction = after.returned ?? after.line
  // The provider waits for the customer, or returned an earlier refund request that failed.
  if (!transaction || (observed.image === null && !after.isGivenBack)) throw notMoved()
  if (observed.image !== null) await recordAudit(tx, project.id, origin.actor, [auditOf(transaction, reason)])
  return { purchase: observed.purchase, transaction }
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

const MESSAGES = {
  ios_unsupported: 'Only the iOS store refunds its purchases; the customer asks at reportaproblem.apple.com',
  missing_store_ref: 'No store has a charge that could be given back here; nothing was sent',
  already_refunded: 'The charge was given back already; nothing was sent to the store',
}

const notPossible = (reason: keyof typeof MESSAGES): AppError =>
  new AppError(
    'REFUND_NOT_POSSIBLE',
    { reason },
    {
      status: reason === 'already_refunded' ? 409 : 422,
      message: MESSAGES[reason],
    },
  )
