import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { sha256Hex } from '../../base/lib/hash'
import type { Money } from '../../base/lib/money'
import type { ProjectState } from '../../projects/project/state'
import type { OfferedPayment, OfferedPrice } from '../sessions/service'
import { emailHash, sealed } from './email'
import { fencedSession, type HeldLease } from './lease'
import type { FunnelPaymentKind } from './model'
import { insertPayment, type PaymentRow } from './queries'
import type { Discount, OpenSale, Seller } from './seller'
import type { FunnelPackage } from './terms'

/** What a visitor asks to pay. */
export interface IntentOrder {
  packageIdentifier: string
  pageId: string
  email: string
  /** The price that the visitor saw; null = whatever it is. */
  expectedAmountMicros: number | null
  promotionCode: string | null
}

/** A payment that the page can collect. */
export interface PaymentIntent {
  kind: FunnelPaymentKind
  clientSecret: string
  account: OfferedPayment
  amount: Money
  paymentId: string
  expiresAt: number
}

/** A payment that starts, under the lease of its session. */
export interface Beginning {
  project: ProjectState
  seller: Seller
  sold: FunnelPackage
  price: OfferedPrice
  discount: Discount | null
  order: IntentOrder
  lease: HeldLease
}

/** Starts the payment at the provider, and saves it. */
export async function openPayment(ctx: Context, beginning: Beginning): Promise<PaymentIntent> {
  const { seller, sold, price, discount, order, lease } = beginning
  const { session, fence } = lease
  const key = sha256Hex(`${session.id}:${sold.packageIdentifier}:${fence}`)
  const made = await seller.open({
    ...{ sessionId: session.id, package: sold, price, discount, key },
    email: order.email.trim(),
  })
  if (!made.ok && made.reason === 'rejected')
    throw new AppError('PAYMENT_PROVIDER_REJECTED', undefined, made.message === null ? {} : { message: made.message })
  if (!made.ok) throw new AppError('PAYMENT_TEMPORARILY_UNAVAILABLE', undefined, { retryAfter: 5 })
  const row = rowOf(ctx, beginning, made.sale)
  try {
    await ctx.write(async (tx) => {
      const now = await fencedSession(tx, session.id, fence)
      if (now.paidAt !== null) throw new AppError('PAYMENT_ALREADY_RECORDED')
      await insertPayment(tx, row)
    })
  } catch (error) {
    if (error instanceof AppError) await seller.abandon(row.objects)
    throw error
  }
  return toIntent(seller, row, made.sale.clientSecret)
}

function rowOf(ctx: Context, { project, seller, sold, price, discount, order, lease }: Beginning, sale: OpenSale) {
  const id = ctx.ids.next('fpy')
  const { kind, objects, due } = sale
  const row: PaymentRow = {
    id,
    projectId: project.id,
    sessionId: lease.session.id,
    pageId: order.pageId,
    provider: seller.account.provider,
    kind,
    status: 'PENDING',
    unsettled: 'requires_payment',
    packageIdentifier: sold.packageIdentifier,
    productId: sold.product.id,
    amountMicros: due.amountMicros,
    currency: due.currency,
    priceMicros: price.price.amountMicros,
    discountId: discount?.id ?? null,
    clientSecret: sealed(ctx, id, sale.clientSecret),
    objects,
    reference: objects.subscriptionId ?? objects.intentId ?? id,
    ...addressColumns(ctx, project.id, id, order.email),
    fence: lease.fence,
    purchaseId: null,
    createdAt: ctx.clock.now(),
    expiresAt: sale.expiresAt,
    paidAt: null,
    refundedAt: null,
  }
  return row
}

export const toIntent = ({ account }: Seller, row: PaymentRow, clientSecret: string): PaymentIntent => ({
  ...{ kind: row.kind, clientSecret, account, paymentId: row.id, expiresAt: row.expiresAt },
  amount: { amountMicros: row.amountMicros, currency: row.currency },
})

/** The columns of the address that a payment is made with. */
export const addressColumns = (ctx: Context, projectId: string, id: string, email: string) => ({
  email: sealed(ctx, id, email.trim()),
  emailHash: emailHash(ctx, projectId, email),
})
