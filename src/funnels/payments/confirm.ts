import type { Context } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { MINUTE } from '../../base/lib/clock'
import { fetchPayment } from '../../intake/payment/fetch'
import { causeOf } from '../../people/events/model'
import type { ProjectState } from '../../projects/project/state'
import type { Subject } from '../../stores/payment/event'
import { type OpenUrls, openUrls, paidToken } from '../claims/service'
import { lockedSession, type PresentedSession } from '../sessions/service'
import { withLease } from './lease'
import { findPayment, type PaymentRow, updatePayment } from './queries'
import type { SaleState } from './seller'
import { settlePayment } from './settle'
import { isUnsettled, stateOf } from './state-at-provider'

export type Confirmed = { alreadyIssued: true } | ({ alreadyIssued: false; token: string } & OpenUrls)

/** How long the session that paid may ask for its token again: the answer may have been lost on its way. */
const LOST_ANSWER_MS = 15 * MINUTE

/**
 * Asks the provider about a payment. When it has come in, everything that follows from it is written at once, and the
 * session gets its token (funnels 3 and 11). Refusals: 404; 409 `PAYMENT_IN_FLIGHT`, `PAYMENT_NOT_SETTLED_YET` with the
 * status, or `PAYMENT_UNVERIFIABLE`; 503 `PAYMENT_TEMPORARILY_UNAVAILABLE`.
 */
export async function confirmPayment(
  ctx: Context,
  { session }: PresentedSession,
  paymentId: string,
): Promise<Confirmed> {
  const project = await ctx.state.projects.get(session.projectId)
  const payment = await findPayment(ctx, paymentId)
  if (payment?.sessionId !== session.id) throw notFound('funnel payment', paymentId)
  if (payment.paidAt !== null) return withPaidToken(ctx, project, payment)
  return withLease(ctx, session.id, async () => {
    const state = await stateOf(ctx, project, payment)
    if (state !== 'settled') return refuseUnsettled(ctx, payment, state)
    const token = await finishPayment(ctx, project, payment)
    return token === null ? withPaidToken(ctx, project, payment) : withUrls(ctx, project, token)
  })
}

async function refuseUnsettled(ctx: Context, { id }: PaymentRow, state: SaleState): Promise<never> {
  if (state === 'unavailable') throw new AppError('PAYMENT_TEMPORARILY_UNAVAILABLE', undefined, { retryAfter: 5 })
  if (!isUnsettled(state)) throw new AppError('PAYMENT_UNVERIFIABLE')
  await ctx.write((tx) => updatePayment(tx, id, { unsettled: state }))
  throw new AppError('PAYMENT_NOT_SETTLED_YET', { status: state })
}

/**
 * Writes what follows from a payment that has come in. Returns the token; null where a notification of the provider was
 * faster.
 */
export async function finishPayment(ctx: Context, project: ProjectState, payment: PaymentRow): Promise<string | null> {
  const news = await fetchPayment(ctx, project, { subject: subjectOf(payment), eventAt: ctx.clock.now() }).catch(
    (cause: unknown) => {
      throw new AppError('PAYMENT_TEMPORARILY_UNAVAILABLE', undefined, { cause, retryAfter: 5 })
    },
  )
  if (news.kind !== 'found') throw new AppError('PAYMENT_UNVERIFIABLE')
  const cause = causeOf('FUNNEL', payment.sessionId, 'PAYMENT')
  const { token } = await ctx.write((tx) => settlePayment(tx, project, payment, news.purchase, cause))
  if (token === null && (await findPayment(ctx, payment.id))?.paidAt == null) throw new AppError('PAYMENT_UNVERIFIABLE')
  return token
}

const subjectOf = ({ objects: { subscriptionId }, reference }: PaymentRow): Subject =>
  subscriptionId === null ? { kind: 'PAYMENT', paymentIntentId: reference } : { kind: 'SUBSCRIPTION', subscriptionId }

async function withPaidToken(ctx: Context, project: ProjectState, { id, sessionId }: PaymentRow): Promise<Confirmed> {
  const token = await ctx.write(async (tx) => {
    const { state } = await lockedSession(tx, sessionId)
    const payment = await findPayment(tx, id)
    const isRecent = tx.clock.now() - (payment?.paidAt ?? 0) < LOST_ANSWER_MS
    if (state !== 'PAID' || payment?.status !== 'PAID' || !isRecent) return null
    return paidToken(tx, { projectId: project.id, sessionId })
  })
  return token === null ? { alreadyIssued: true } : withUrls(ctx, project, token)
}

const withUrls = async (ctx: Context, project: ProjectState, token: string): Promise<Confirmed> => ({
  ...{ alreadyIssued: false, token },
  ...(await openUrls(ctx, project, token)),
})
