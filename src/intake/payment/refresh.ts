import type { Context } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import type { PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import type { Subject } from '../../stores/payment/event'
import { fetchPayment } from './fetch'
import { recordPayment } from './record'
import { environmentOf } from './report'

/**
 * Fetches a purchase again and records it for its owner. Used by a restore without receipts and by the reconciler. Does
 * nothing for a purchase of a mode in which the project does not sell now, because its key cannot read that mode.
 */
export async function refreshPaymentPurchase(
  ctx: Context,
  project: ProjectState,
  { chainKey, environment }: PurchaseRow,
  cause: EventCause,
): Promise<void> {
  if (environment !== environmentOf(project, chainKey)) return
  const news = await fetchPayment(ctx, project, { subject: subjectOf(chainKey), eventAt: ctx.clock.now() })
  if (news.kind === 'found') await ctx.write((tx) => recordPayment(tx, project, news.purchase, cause))
}

/** The chain key is the id of the sale: a subscription, a payment, an invoice, or a checkout that cost nothing. */
function subjectOf(chainKey: string): Subject {
  if (chainKey.startsWith('sub_')) return { kind: 'SUBSCRIPTION', subscriptionId: chainKey }
  if (chainKey.startsWith('cs_')) return { kind: 'SESSION', sessionId: chainKey }
  if (chainKey.startsWith('in_')) return { kind: 'HELD_INVOICE', invoiceId: chainKey }
  return { kind: 'HELD_PAYMENT', paymentIntentId: chainKey }
}
