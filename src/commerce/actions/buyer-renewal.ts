import type { Context, Tx } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { isOver } from '../../core/purchase/status'
import { lockHeld, recordHeldObservations } from '../../intake/recording/held'
import { causeOf } from '../../people/events/model'
import { findPurchase, type PurchaseRow } from '../../people/purchases/holdings'
import { statusAt, willRenew } from '../../people/purchases/status'
import { paymentClient } from '../../projects/connections/payment-store'
import type { ProjectState } from '../../projects/project/state'
import { cancelledLines } from './cancel-reports'

export interface RenewalOrder {
  purchaseId: string
  /** False cancels at the end of the paid period; true undoes that. */
  renews: boolean
  /** The id of the request, which the events name as their cause. */
  requestId: string
}

/**
 * Ends or continues the renewal of a subscription, at once and by its buyer. It is cancelled or continued at the payment
 * provider first. 409 `STORE_CANCEL_UNSUPPORTED` for a purchase of another store, 409 `CONFLICT` for one that does not
 * renew or has ended, 502 `STORE_API_ERROR` when the provider does not do it.
 */
export async function setRenewal(ctx: Context, project: ProjectState, order: RenewalOrder): Promise<void> {
  const purchase = await findPurchase(ctx, project.id, order.purchaseId)
  if (!purchase) throw notFound('purchase', order.purchaseId)
  refuseEnded(purchase, ctx.clock.now())
  if (purchase.fold.autoRenews === order.renews) return
  await askProvider(ctx, project, purchase, order)
  await ctx.write(async (tx) => {
    await tx.lock(`actions:${purchase.id}`)
    const held = await lockHeld(tx, purchase)
    if (held.fold.autoRenews !== order.renews) await record(tx, project, held, order)
  })
}

function refuseEnded({ store, fold }: PurchaseRow, now: number): void {
  if (store !== 'PAYMENT') throw new AppError('STORE_CANCEL_UNSUPPORTED')
  const { status, productType } = statusAt(fold, now)
  if (productType !== 'SUBSCRIPTION' || (isOver(status) && !willRenew(fold, now)))
    throw new AppError('CONFLICT', undefined, { message: 'The purchase does not renew, so there is nothing to change' })
}

async function askProvider(
  ctx: Context,
  project: ProjectState,
  { chainKey }: PurchaseRow,
  { renews }: RenewalOrder,
): Promise<void> {
  const client = await paymentClient(ctx, project, chainKey)
  const result = await (renews ? client?.keepRenewing(chainKey) : client?.cancelAtPeriodEnd(chainKey))
  if (!result?.ok) throw new AppError('STORE_API_ERROR')
}

/** Of a subscription with several products, all lines renew together. */
async function record(
  tx: Tx,
  project: ProjectState,
  held: PurchaseRow,
  { renews, requestId }: RenewalOrder,
): Promise<void> {
  const cause = causeOf('FUNNEL', requestId, held.store, 'BUYER')
  const eventAt = tx.clock.now()
  const report = { kind: 'REPORT', id: `buyer:${requestId}`, eventAt, renewal: { autoRenews: renews } } as const
  for (const line of await cancelledLines(tx, held)) await recordHeldObservations(tx, project, line, [report], cause)
}
