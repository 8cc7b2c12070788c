import type { Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { isTakenBack } from '../../core/purchase/status'
import { reasonText } from '../../core/reason/reasons'
import type { PaymentWatch } from '../../intake/payment/hooks'
import type { RecordedPurchase } from '../../intake/recording/on-recorded'
import { SESSION_KEY } from './model'
import { findByReference, markRefunded } from './queries'
import { settlePayment } from './settle'
import { stateOf } from './state-at-provider'

/**
 * What a notification of the provider does about a sale of a funnel: the same as the confirmation of the visitor, unless
 * that was faster. Once the payment is settled, its purchase is one like all others.
 */
export const watchFunnelSales: PaymentWatch = async (ctx, project, purchase) => {
  if (purchase.metadata[SESSION_KEY] === undefined) return null
  const payment = await findByReference(ctx, project.id, purchase.chainKey)
  if (!payment) return { ignored: reasonText('FUNNEL_ELSEWHERE') }
  if (payment.paidAt !== null) return null
  const state = await stateOf(ctx, project, payment)
  if (state === 'unavailable') throw new AppError('STORE_UNAVAILABLE')
  if (state !== 'settled') return { ignored: reasonText('FUNNEL_UNSETTLED') }
  return { record: async (tx, cause) => (await settlePayment(tx, project, payment, purchase, cause)).recording }
}

/** A payment whose purchase was taken back is refunded. */
export async function noteRefund(tx: Tx, { purchase }: Pick<RecordedPurchase, 'purchase'>): Promise<void> {
  if (purchase.store === 'PAYMENT' && isTakenBack(purchase.status))
    await markRefunded(tx, [purchase.id], tx.clock.now())
}

export async function noteRefunds(tx: Tx, recorded: readonly Pick<RecordedPurchase, 'purchase'>[]): Promise<void> {
  for (const one of recorded) await noteRefund(tx, one)
}
