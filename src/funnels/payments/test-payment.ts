import type { Context } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import type { TestAttempt } from '../../stores/in-process'
import type { PresentedSession } from '../sessions/service'
import type { UnsettledStatus } from './model'
import { findPayment, updatePayment } from './queries'
import { isUnsettled, stateOf } from './state-at-provider'

export type TestStatus = UnsettledStatus | 'succeeded' | 'failed'

/**
 * What the visitor does on the sheet of the test store (funnels 11). 404 for a payment that is not of the test store, 409
 * `CONFLICT` where the payment is not in the state for it.
 */
export async function attemptTestPayment(
  ctx: Context,
  { session }: PresentedSession,
  paymentId: string,
  outcome: TestAttempt,
): Promise<TestStatus> {
  const payment = await findPayment(ctx, paymentId)
  const sales = ctx.state.testStores.sales(session.projectId)
  if (payment?.sessionId !== session.id || payment.provider !== 'test' || !sales)
    throw notFound('funnel payment', paymentId)
  if (payment.paidAt !== null) throw new AppError('PAYMENT_ALREADY_RECORDED')
  const attempted = await sales.attempt(payment.reference, outcome)
  if (!attempted.ok) throw new AppError('CONFLICT', undefined, { message: attempted.why })
  const state = await stateOf(ctx, await ctx.state.projects.get(session.projectId), payment)
  if (state === 'unavailable' || state === 'unknown')
    throw new AppError('PAYMENT_TEMPORARILY_UNAVAILABLE', undefined, { retryAfter: 5 })
  if (isUnsettled(state)) await ctx.write((tx) => updatePayment(tx, payment.id, { unsettled: state }))
  return state === 'settled' ? 'succeeded' : state
}
