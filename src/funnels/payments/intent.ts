import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { pageById } from '../../core/funnel/way'
import { isMailAddress } from '../../core/text/addresses'
import type { OfferedPrice, PresentedSession } from '../sessions/service'
import { finishPayment } from './confirm'
import { opened } from './email'
import { fencedSession, withLease } from './lease'
import {
  addressColumns,
  type Beginning,
  type IntentOrder,
  openPayment,
  type PaymentIntent,
  toIntent,
} from './open-payment'
import { findLatest, type PaymentRow, updatePayment } from './queries'
import type { Discount, Seller } from './seller'
import { sellerOf } from './sellers'
import { isUnsettled, stateOf } from './state-at-provider'
import { type FunnelPackage, offeredPrice, packagesOf } from './terms'

/**
 * Starts the payment of a session, or continues with the one that was started for the same package (funnels 3). Refusals: 400
 * `VALIDATION_ERROR`; 409 `PAYMENT_NOT_CONNECTED`, `PAYMENT_ALREADY_RECORDED`, `PAYMENT_IN_FLIGHT`, or `CONFLICT` where the
 * price has changed or the page is not the current one; 422 `PAYMENT_PROVIDER_REJECTED`; 503
 * `PAYMENT_TEMPORARILY_UNAVAILABLE`.
 */
export async function beginPayment(
  ctx: Context,
  { session, document }: PresentedSession,
  order: IntentOrder,
): Promise<PaymentIntent> {
  const project = await ctx.state.projects.get(session.projectId)
  if (session.paidAt !== null) throw new AppError('PAYMENT_ALREADY_RECORDED')
  if (!isMailAddress(order.email.trim())) throw refusedMember('email', 'is no mail address')
  refuseOtherPage(order.pageId, session, document)
  const seller = await sellerOf(ctx, project)
  if (!seller) throw new AppError('PAYMENT_NOT_CONNECTED', undefined, { status: 409 })
  const sold = packagesOf(project, document).find((one) => one.packageIdentifier === order.packageIdentifier)
  if (!sold) throw refusedMember('package_identifier', 'is no package of this funnel')
  return withLease(ctx, session.id, async (lease) => {
    if (lease.session.paidAt !== null) throw new AppError('PAYMENT_ALREADY_RECORDED')
    const price = await priceToday(seller, sold, order)
    const discount = await discountOf(seller, sold, price, order.promotionCode)
    return begin(ctx, { project, seller, sold, price, discount, order, lease })
  })
}

function refuseOtherPage(
  pageId: string,
  { path }: PresentedSession['session'],
  { pages }: PresentedSession['document'],
): void {
  if (pageById(pages, pageId)?.type !== 'payment') throw refusedMember('page_id', 'is no payment page of this funnel')
  const current = path.at(-1) ?? null
  if (pageId !== current) throw new AppError('CONFLICT', { current_page_id: current })
}

export const refusedMember = (field: string, why: string): AppError =>
  new AppError('VALIDATION_ERROR', { field }, { message: `body/${field}: ${field} ${why}` })

async function priceToday(seller: Seller, sold: FunnelPackage, order: IntentOrder): Promise<OfferedPrice> {
  const terms = await seller.priceOf(sold, true)
  if (!terms) throw new AppError('PAYMENT_TEMPORARILY_UNAVAILABLE', undefined, { retryAfter: 5 })
  const price = offeredPrice(sold, terms)
  const { expectedAmountMicros: expected } = order
  if (expected !== null && expected !== price.price.amountMicros)
    throw new AppError('CONFLICT', { reason: 'price_changed', amount: price.price }, { message: PRICE_CHANGED })
  return price
}

const PRICE_CHANGED = 'The price has changed; show the new one and ask again'

async function discountOf(
  seller: Seller,
  sold: FunnelPackage,
  { price }: OfferedPrice,
  code: string | null,
): Promise<Discount | null> {
  if (code === null) return null
  const found = await seller.findDiscount(code, sold, price)
  if (found === 'unavailable') throw new AppError('PAYMENT_TEMPORARILY_UNAVAILABLE', undefined, { retryAfter: 5 })
  if (!found) throw refusedMember('promotion_code', 'is no code that can be used here')
  return found
}

async function begin(ctx: Context, beginning: Beginning): Promise<PaymentIntent> {
  const { session } = beginning.lease
  const latest = await findLatest(ctx, session.id)
  const isLeft = latest?.status === 'PENDING' && !(await endOrKeep(ctx, beginning, latest))
  if (latest && isLeft) return goOnWith(ctx, beginning, latest)
  return openPayment(ctx, beginning)
}

/** Whether the previous payment has ended, or was ended for another one. False = it is still open. */
async function endOrKeep(ctx: Context, beginning: Beginning, latest: PaymentRow): Promise<boolean> {
  const { project, seller, lease } = beginning
  const state = await stateOf(ctx, project, latest)
  if (state === 'unavailable') throw new AppError('PAYMENT_TEMPORARILY_UNAVAILABLE', undefined, { retryAfter: 5 })
  if (state === 'processing') throw new AppError('PAYMENT_IN_FLIGHT')
  if (state === 'settled') {
    await finishPayment(ctx, project, latest)
    throw new AppError('PAYMENT_ALREADY_RECORDED')
  }
  if (isUnsettled(state) && isSameSale(ctx, beginning, latest)) return false
  if (isUnsettled(state)) await seller.abandon(latest.objects)
  await ctx.write(async (tx) => {
    await fencedSession(tx, lease.session.id, lease.fence)
    await updatePayment(tx, latest.id, { status: 'FAILED', unsettled: null, clientSecret: null })
  })
  return true
}

const isSameSale = (ctx: Context, { seller, sold, price, discount }: Beginning, latest: PaymentRow): boolean =>
  latest.provider === seller.account.provider &&
  latest.packageIdentifier === sold.packageIdentifier &&
  latest.productId === sold.product.id &&
  latest.priceMicros === price.price.amountMicros &&
  latest.currency === price.price.currency &&
  latest.discountId === (discount?.id ?? null) &&
  latest.expiresAt > ctx.clock.now() &&
  opened(ctx, latest.id, latest.clientSecret) !== null

async function goOnWith(ctx: Context, { seller, order, project, lease }: Beginning, latest: PaymentRow) {
  const { id } = latest
  await ctx.write(async (tx) => {
    await fencedSession(tx, lease.session.id, lease.fence)
    await updatePayment(tx, id, addressColumns(ctx, project.id, id, order.email))
  })
  return toIntent(seller, latest, opened(ctx, id, latest.clientSecret) ?? '')
}
