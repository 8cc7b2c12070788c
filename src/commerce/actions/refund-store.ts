import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { Charge } from '../../people/purchases/charges'
import { androidClient } from '../../projects/connections/android-store'
import { paymentClient } from '../../projects/connections/payment-store'
import type { ProjectState } from '../../projects/project/state'
import { refundMarker } from '../../stores/android/voided'
import type { Marker } from '../../stores/observation'
import { refundTransaction } from '../../stores/payment/refund'
import type { RefundPlan } from './refund-plan'

/** What a store did. After `failed`, the refund may have happened nevertheless; the call can be repeated. */
export type StoreRefund =
  | { kind: 'refunded'; markers: Marker[] }
  | { kind: 'refused'; reason: 'missing_store_ref' | 'already_refunded' }
  | { kind: 'failed'; cause: Error }

/** Asks the store to refund a charge. No transaction may be open. After two calls, the store has refunded once. */
export const refundAtStore = (
  ctx: Context,
  project: ProjectState,
  charge: Charge,
  plan: Refundable,
): Promise<StoreRefund> =>
  plan.store === 'PAYMENT'
    ? refundPayment(ctx, project, charge, plan.isSubscription)
    : refundAndroid(ctx, project, charge, plan)

type Refundable = Extract<RefundPlan, { ok: true }>

/** Refuses when the project cannot call the store that would refund the charge. Does not call it. */
export async function requireStoreAccess(
  ctx: Context,
  project: ProjectState,
  { storeTransactionId }: Charge,
  { store }: Refundable,
): Promise<void> {
  if (store === 'PAYMENT') await requirePaymentClient(ctx, project, storeTransactionId)
  else await androidClient(ctx, project, storeTransactionId)
}

async function requirePaymentClient(ctx: Context, project: ProjectState, storeTransactionId: string) {
  const client = await paymentClient(ctx, project, storeTransactionId)
  if (!client) throw new AppError('PAYMENT_NOT_CONNECTED', undefined, { status: 409 })
  return client
}

async function refundAndroid(
  ctx: Context,
  project: ProjectState,
  { purchase, storeTransactionId }: Charge,
  { revoke, item }: Extract<Refundable, { store: 'ANDROID_STORE' }>,
): Promise<StoreRefund> {
  const client = await androidClient(ctx, project, storeTransactionId)
  const answer =
    item === null
      ? await client.refundOrder(storeTransactionId, revoke)
      : await client.refundItem({ token: purchase.chainKey, orderId: storeTransactionId, productId: item })
  if (answer.kind !== 'ok') return failed(`Google Play: ${answer.kind} (${answer.status ?? 'no answer'})`)
  return { kind: 'refunded', markers: [refundMarker(storeTransactionId, ctx.clock.now())] }
}

async function refundPayment(
  ctx: Context,
  project: ProjectState,
  { purchase, storeTransactionId, line }: Charge,
  isSubscription: boolean,
): Promise<StoreRefund> {
  const client = await requirePaymentClient(ctx, project, storeTransactionId)
  if (!line) throw new Error('a refund was planned of a charge without a line')
  const ids = { purchaseId: purchase.id, transactionId: line.id }
  const order = { storeTransactionId, isSubscription, ...ids, now: ctx.clock.now() }
  const result = await refundTransaction(client, order)
  if (result.ok) return { kind: 'refunded', markers: result.markers }
  switch (result.reason) {
    case 'no_payment':
      return { kind: 'refused', reason: 'missing_store_ref' }
    case 'malformed':
      return failed(`the payment provider's answer is unreadable at ${result.field}`)
    case 'unavailable':
      return failed('the payment provider does not answer')
    case 'rejected':
      return result.providerErrorCode === 'charge_already_refunded'
        ? { kind: 'refused', reason: 'already_refunded' }
        : failed(`the payment provider refused (${result.status} ${result.providerErrorCode ?? ''})`)
  }
}

const failed = (message: string): StoreRefund => ({ kind: 'failed', cause: new Error(message) })
