import type { Tx } from '../../base/context'
import { subscriberOfCustomer } from '../../intake/payment/customers'
import { recordPayment } from '../../intake/payment/record'
import type { Recording } from '../../intake/recording/recording'
import { recordSubscriberEvents } from '../../people/entitlements/subscriber-events'
import type { EventCause } from '../../people/events/model'
import { ensureSynthetic, getSubscriber, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { DecodedPayment } from '../../stores/payment/decode'
import { mailPaid } from '../claims/claim-link'
import { issueToken } from '../claims/service'
import { lockedSession, markPaid, type SessionRow } from '../sessions/service'
import { findPayment, findPurchaseOf, type PaymentRow, updatePayment } from './queries'

/** What a settled payment has brought. */
export interface Settled {
  recording: Recording
  /** Null where the payment was settled before, or where another payment of the session was. */
  token: string | null
}

const ALREADY: Settled = { recording: { kind: 'recorded' }, token: null }

/**
 * Writes everything that follows from a payment that has come in, in the caller's transaction: the purchase with its
 * access, the session, the token of the claim and the events. The confirmation and the notification of the provider do
 * the same; whichever is second does nothing.
 */
export async function settlePayment(
  tx: Tx,
  project: ProjectState,
  payment: PaymentRow,
  purchase: DecodedPayment,
  cause: EventCause,
): Promise<Settled> {
  const session = await lockedSession(tx, payment.sessionId)
  const current = await findPayment(tx, payment.id)
  if (!current || current.paidAt !== null) return ALREADY
  const buyer = await buyerOf(tx, project.id, purchase)
  const recording = await recordPayment(tx, project, purchase, cause, buyer)
  const recorded = await findPurchaseOf(tx, project.id, purchase.chainKey)
  if (!recorded) return { recording, token: null }
  const at = tx.clock.now()
  await updatePayment(tx, current.id, {
    ...{ status: 'PAID', unsettled: null, purchaseId: recorded.id, paidAt: at },
    clientSecret: null,
  })
  if (session.paidAt !== null) return { recording, token: null }
  await completeSession(tx, project, {
    ...{ session, payment: current, cause, subscriberId: recorded.subscriberId },
    environment: purchase.environment,
  })
  const token = await issueToken(tx, { projectId: project.id, sessionId: session.id }, 'PAID')
  // The visitor of a payment that took days has gone.
  if (current.unsettled === 'processing') await mailPaid(tx, project, session.id)
  return { recording, token }
}

/** The subscriber of the customer who paid; a new one who has no device yet (wire 5.6). */
async function buyerOf(tx: Tx, projectId: string, { customerId, chainKey }: DecodedPayment): Promise<SubscriberRow> {
  const known = customerId === null ? null : await subscriberOfCustomer(tx, projectId, customerId)
  return known ?? ensureSynthetic(tx, projectId, `payment:${customerId ?? chainKey}`)
}

interface PaidSession {
  session: SessionRow
  payment: PaymentRow
  cause: EventCause
  subscriberId: string
  environment: DecodedPayment['environment']
}

async function completeSession(tx: Tx, project: ProjectState, paid: PaidSession): Promise<void> {
  const { session, payment, cause, subscriberId, environment } = paid
  const buyer = await getSubscriber(tx, project.id, subscriberId)
  const at = tx.clock.now()
  const { amountMicros, currency, packageIdentifier } = payment
  const price = { amountMicros, currency }
  const data = { sessionId: session.id, funnelId: session.funnelId, packageIdentifier, price }
  const drafts = [{ type: 'funnel.paid' as const, occurredAt: at, environment, data }]
  await recordSubscriberEvents(tx, project, buyer, { cause, drafts })
  await markPaid(tx, session, { subscriberId, at, pageId: payment.pageId })
}
