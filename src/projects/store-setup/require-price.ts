import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { isSimulatedPayment } from '../../stores/test-keys/ids'
import { paymentClient } from '../connections/payment-store'
import { paymentFault } from './payment-credentials'

/**
 * 400 `PAYMENT_PRICE_NOT_FOUND` when the project's payment account has no such price. Without an account, and for
 * prices of the test store, nothing can be asked. Calls the provider: never within a transaction.
 */
export async function requirePrice(ctx: Context, projectId: string, priceId: string): Promise<void> {
  if (ctx.config.isSimulatorOn && isSimulatedPayment(priceId)) return
  const project = await ctx.state.projects.find(projectId)
  const client = project && (await paymentClient(ctx, project))
  if (!client) return
  const price = await client.getPrice(priceId)
  if (price.ok) return
  if (price.reason === 'rejected' && price.status === 404) throw new AppError('PAYMENT_PRICE_NOT_FOUND')
  throw paymentFault(price)
}
