import type Stripe from 'stripe'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { isSimulatedPayment } from '../../stores/test-keys/ids'
import { paymentClient } from '../connections/payment-store'
import type { ProjectState } from '../project/state'
import type { StoreCatalog, StoreProduct } from './model'
import { paymentFault, projectAccountClient } from './payment-credentials'

/** Prices of the payment account, each with the name of its product. */
export const paymentCatalog: StoreCatalog = { store: 'payment', list: listPrices }

async function listPrices(ctx: Context, project: ProjectState): Promise<StoreProduct[]> {
  const client = await projectAccountClient(ctx, project)
  if (!client) throw new AppError('STORE_NOT_CONFIGURED', undefined, { message: 'Save the payment account first' })
  const prices = await client.listPrices()
  if (!prices.ok) throw paymentFault(prices)
  return prices.value.map(ofPrice)
}

function ofPrice({ id, active, nickname, product, recurring }: Stripe.Price): StoreProduct {
  const of = typeof product === 'object' && product !== null && 'name' in product ? product : null
  const name = [of?.name, nickname].filter((part) => typeof part === 'string' && part !== '').join(', ')
  return {
    storeId: id,
    name: name === '' ? id : name,
    type: recurring ? 'SUBSCRIPTION' : 'ONE_TIME',
    basePlans: [],
    status: active && of?.active !== false ? 'ACTIVE' : 'ARCHIVED',
    period: recurring ? periodOf(recurring) : null,
  }
}

const UNITS: Readonly<Record<string, string>> = { day: 'D', week: 'W', month: 'M', year: 'Y' }

function periodOf({ interval, interval_count }: Stripe.Price.Recurring): string | null {
  const unit = UNITS[interval]
  return unit !== undefined && Number.isInteger(interval_count) && interval_count > 0
    ? `P${interval_count}${unit}`
    : null
}

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
