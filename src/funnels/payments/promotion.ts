import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { ReducedPrice } from '../../core/funnel/render/checkout'
import type { PresentedSession } from '../sessions/service'
import { reducedPrice } from './seller'
import { sellerOf } from './sellers'
import { offeredPrice, packagesOf } from './terms'

/** The longest promotion code that a visitor can type. */
const LONGEST_CODE = 100

/** The promotion code of a form or an address; empty where there is none. */
export const promotionCodeIn = (given: Pick<URLSearchParams, 'get'>, name: string): string =>
  (given.get(name) ?? '').trim().slice(0, LONGEST_CODE)

/**
 * What the packages of a funnel cost with a promotion code, only those that it makes cheaper. Nothing is made at the
 * provider. 503 `PAYMENT_TEMPORARILY_UNAVAILABLE` while the provider does not answer.
 */
export async function reductionsOf(
  ctx: Context,
  { session, document }: Pick<PresentedSession, 'session' | 'document'>,
  code: string,
): Promise<ReducedPrice[]> {
  const project = await ctx.state.projects.get(session.projectId)
  const seller = code === '' ? null : await sellerOf(ctx, project)
  if (!seller) return []
  const reductions: ReducedPrice[] = []
  for (const sold of packagesOf(project, document)) {
    const terms = await seller.priceOf(sold, false)
    const price = terms && offeredPrice(sold, terms)
    const discount = price ? await seller.findDiscount(code, sold, price.price) : null
    if (discount === 'unavailable') throw new AppError('PAYMENT_TEMPORARILY_UNAVAILABLE', undefined, { retryAfter: 5 })
    if (!price || !discount) continue
    const [reduced, dueNow] = [reducedPrice(price.price, discount), reducedPrice(price.dueNow, discount)]
    const { packageIdentifier, name, price: full } = price
    reductions.push({ packageIdentifier, name, full, reduced, dueNow })
  }
  return reductions
}
