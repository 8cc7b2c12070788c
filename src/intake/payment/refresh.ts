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
 * Fetches a purchase anew and records it for its owner: for restore without receipts, and for the reconciler. Nothing
 * for a purchase of the mode that the project does not sell in (now), which its key cannot see.
 */
export async function refreshPaymentPurchase(
  ctx: Context,
  project: ProjectState,
  { id, chainKey, environment }: PurchaseRow,
  cause: EventCause,
): Promise<void> {
  if (environment !== environmentOf(project, chainKey)) return
  const now = ctx.clock.now()
  // The provider dates by the second; of an event within the same one this must count as the earlier word.
  const eventAt = now - (now % SECOND)
  const news = await fetchPayment(ctx, project, { subject: subjectOf(chainKey), eventId: 'asked', eventAt })
  if (news.kind !== 'found') return
  await ctx.write(async (tx) => {
    const observations = newsOf(news.purchase.observations, await listObservations(tx, id))
    await recordPayment(tx, project, { ...news.purchase, observations }, cause)
  })
}

/** A chain is named by what was bought: a subscription, a payment, or a checkout that cost nothing. */
function subjectOf(chainKey: string): Subject {
  if (chainKey.startsWith('sub_')) return { kind: 'SUBSCRIPTION', subscriptionId: chainKey }
  if (chainKey.startsWith('cs_')) return { kind: 'SESSION', sessionId: chainKey }
  return { kind: 'HELD_PAYMENT', paymentIntentId: chainKey }
}

function newsOf(told: readonly Observation[], known: readonly Observation[]): Observation[] {
  const newest = known.filter(isState).toSorted((a, b) => b.eventAt - a.eventAt || (b.id < a.id ? -1 : 1))[0]
  return told.filter((one) => {
    if (!newest || !isState(one)) return true
    return stateOf(one) !== stateOf(newest) || one.eventAt - newest.eventAt >= REPEAT_KEPT_MS
  })
}

/** A report of what a subscription is; those of payments are dated by themselves, and told once. */
const isState = ({ kind, id }: Observation): boolean => kind === 'REPORT' && id.includes('@')

const stateOf = ({ id }: Observation): string => id.slice(id.lastIndexOf(':'))
