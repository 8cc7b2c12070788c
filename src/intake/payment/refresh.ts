import type { Context } from '../../base/context'
import { SECOND } from '../../base/lib/clock'
import type { EventCause } from '../../people/events/model'
import { listObservations, type PurchaseRow } from '../../people/purchases/queries'
import type { ProjectState } from '../../projects/project/state'
import type { Observation } from '../../stores/observation'
import type { Subject } from '../../stores/payment/event'
import { REPEAT_KEPT_MS } from '../recording/recording'
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
  { id, chainKey, environment }: PurchaseRow,
  cause: EventCause,
): Promise<void> {
  if (environment !== environmentOf(project, chainKey)) return
  const now = ctx.clock.now()
  // The provider dates events by the second. An event within this second must count as later than this answer.
  const eventAt = now - (now % SECOND)
  const news = await fetchPayment(ctx, project, { subject: subjectOf(chainKey), eventId: 'asked', eventAt })
  if (news.kind !== 'found') return
  await ctx.write(async (tx) => {
    const observations = newsOf(news.purchase.observations, await listObservations(tx, id))
    await recordPayment(tx, project, { ...news.purchase, observations }, cause)
  })
}

/** The chain key is the id of what was bought: a subscription, a payment, or a checkout session that cost nothing. */
function subjectOf(chainKey: string): Subject {
  if (chainKey.startsWith('sub_')) return { kind: 'SUBSCRIPTION', subscriptionId: chainKey }
  if (chainKey.startsWith('cs_')) return { kind: 'SESSION', sessionId: chainKey }
  return { kind: 'HELD_PAYMENT', paymentIntentId: chainKey }
}

/** Without a report of a state that is recorded already and not old. */
export function newsOf(fetched: readonly Observation[], known: readonly Observation[]): Observation[] {
  const newest = known.filter(isState).toSorted((a, b) => b.eventAt - a.eventAt || (b.id < a.id ? -1 : 1))[0]
  return fetched.filter((one) => {
    if (!newest || !isState(one)) return true
    return stateOf(one) !== stateOf(newest) || one.eventAt - newest.eventAt >= REPEAT_KEPT_MS
  })
}

/** Whether a report is about the state of a subscription. A report of a payment has its own date and comes once. */
const isState = ({ kind, id }: Observation): boolean => kind === 'REPORT' && id.includes('@')

const stateOf = ({ id }: Observation): string => id.slice(id.lastIndexOf(':'))
