import type Stripe from 'stripe'
import { HOUR } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import type { Money } from '../../base/lib/money'
import type { PaymentClient } from '../../stores/payment/client'
import { fromSmallestUnit, toSmallestUnit } from '../../stores/payment/currency'
import { PRICE_KEY } from '../../stores/payment/metadata'
import { API_VERSION, type ProviderFailure } from '../../stores/payment/provider'
import type { WalletState, Wallets } from '../sessions/service'
import { SESSION_KEY } from './model'
import type { ProviderCaches } from './provider-cache'
import { readProviderPrice } from './provider-prices'
import { NO_WALLETS, type Opened, type OpenSale, reducedPrice, type SaleOrder, type Seller } from './seller'
import type { FunnelPackage } from './terms'

/** The provider ends an unpaid subscription after 23 hours. */
const OPEN_MS = 23 * HOUR

interface Parts {
  client: PaymentClient
  projectId: string
  publishableKey: string
  accountId: string | null
  caches: ProviderCaches
  now: () => number
}

/** Sells through the account of a project. The page collects the payment with the provider's own script. */
export const stripeSeller = (parts: Parts): Seller => ({
  account: {
    provider: 'stripe',
    publishableKey: parts.publishableKey,
    accountId: parts.accountId,
    apiVersion: API_VERSION,
    wallets: NO_WALLETS,
  },
  priceOf: (sold, isFresh) => priceOf(parts, sold, isFresh),
  findDiscount: (code, sold, price) => findDiscount(parts, code, sold, price),
  open: (order) => open(parts, order),
  walletsOf: (hostname) => walletsOf(parts, hostname),
  async abandon({ subscriptionId, intentId }) {
    if (subscriptionId !== null) await parts.client.endSubscription(subscriptionId)
    else if (intentId !== null) await parts.client.cancelPaymentIntent(intentId)
  },
})

/** Null also while the provider does not answer. */
async function priceOf(parts: Parts, { product: { paymentId } }: FunnelPackage, isFresh: boolean) {
  const price = paymentId === null ? null : await readProviderPrice(parts, paymentId, isFresh)
  return price === 'unavailable' ? null : price
}

async function findDiscount(
  parts: Parts,
  code: string,
  sold: FunnelPackage,
  price: Money,
): ReturnType<Seller['findDiscount']> {
  const answer = await parts.client.findPromotionCode(code)
  if (!answer.ok) return answer.reason === 'rejected' ? null : 'unavailable'
  const found = answer.value
  const coupon = found?.promotion.coupon
  if (!found || typeof coupon !== 'object' || coupon === null) return null
  if (!isFor(parts, coupon, sold) || isBelowLeast(found, price)) return null
  const { percent_off: percentOff, amount_off, currency } = coupon
  const amountOff = amount_off && currency ? fromSmallestUnit(amount_off, currency) : null
  if (percentOff === null && amountOff?.currency !== price.currency) return null
  return { id: found.id, percentOff, amountOff }
}

/** Whether a coupon is for the product of a package. The price was read just before. */
function isFor(
  { caches: { prices }, projectId }: Parts,
  { applies_to }: Stripe.Coupon,
  { product }: FunnelPackage,
): boolean {
  const sold = prices.findOld(`${projectId} ${product.paymentId}`)?.product
  const id = typeof sold === 'object' ? sold.id : sold
  return !applies_to || (id !== undefined && applies_to.products.includes(id))
}

/** Whether the price is less than the code asks for. */
function isBelowLeast({ restrictions }: Stripe.PromotionCode, { amountMicros, currency }: Money): boolean {
  const { minimum_amount: least, minimum_amount_currency: of } = restrictions ?? {}
  if (!least || !of) return false
  const bound = fromSmallestUnit(least, of)
  return bound === null || bound.currency !== currency || amountMicros < bound.amountMicros
}

/** Nothing is registered by asking. While the provider does not answer, its own buttons still show what works. */
async function walletsOf({ client, projectId, caches: { wallets } }: Parts, hostname: string): Promise<Wallets> {
  const key = `${projectId} ${hostname}`
  const kept = wallets.find(key)
  if (kept) return kept
  const answer = await client.findMethodDomain(hostname)
  if (!answer.ok) return NO_WALLETS
  const found = answer.value ? readWallets(answer.value) : NO_WALLETS
  wallets.keep(key, found)
  return found
}

const readWallets = ({ apple_pay, google_pay, link, paypal }: Stripe.PaymentMethodDomain): Wallets => {
  const stateOf = ({ status }: { status: string }): WalletState => (status === 'active' ? 'ACTIVE' : 'INACTIVE')
  const [applePay, googlePay] = [stateOf(apple_pay), stateOf(google_pay)]
  return { applePay, googlePay, link: stateOf(link), paypal: stateOf(paypal) }
}

async function open(parts: Parts, order: SaleOrder): Promise<Opened> {
  const { client } = parts
  const { sessionId, email, key, price } = order
  const metadata = { [SESSION_KEY]: sessionId }
  // One customer for the attempts of a session with one address.
  const customerKey = sha256Hex(`customer:${sessionId}:${email.toLowerCase()}`)
  const customer = await client.createBuyer({ email, metadata }, customerKey)
  if (!customer.ok) return refusalOf(customer)
  return price.interval === null
    ? openPayment(parts, order, customer.value, key)
    : openSubscription(parts, order, customer.value, key)
}

async function openSubscription(
  { client, now }: Parts,
  { sessionId, package: sold, price, discount }: SaleOrder,
  customer: string,
  key: string,
): Promise<Opened> {
  const { trialDays } = price
  const params: Stripe.SubscriptionCreateParams = {
    customer,
    items: [{ price: sold.product.paymentId ?? '' }],
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    metadata: { [SESSION_KEY]: sessionId },
    ...(trialDays > 0 && { trial_period_days: trialDays }),
    ...(discount && { discounts: [{ promotion_code: discount.id }] }),
    expand: ['latest_invoice.confirmation_secret', 'pending_setup_intent'],
  }
  const answer = await client.createSubscription(params, key)
  if (!answer.ok) return refusalOf(answer)
  const sale = readSubscription(answer.value, customer, price.price, now() + OPEN_MS)
  return sale ? { ok: true, sale } : { ok: false, reason: 'unavailable', message: null }
}

function readSubscription(
  { id, latest_invoice: invoice, pending_setup_intent: setup }: Stripe.Subscription,
  customerId: string,
  { currency }: Money,
  expiresAt: number,
): OpenSale | null {
  if (typeof setup === 'object' && setup !== null)
    return {
      kind: 'setup',
      objects: { customerId, subscriptionId: id, intentId: setup.id },
      clientSecret: setup.client_secret ?? '',
      due: { amountMicros: 0, currency },
      expiresAt,
    }
  if (typeof invoice !== 'object' || invoice === null) return null
  const secret = invoice.confirmation_secret?.client_secret
  const due = fromSmallestUnit(invoice.amount_due, invoice.currency)
  if (!secret || !due) return null
  // The secret of an intent starts with its id.
  const intentId = secret.slice(0, Math.max(0, secret.indexOf('_secret_')))
  return {
    kind: 'payment',
    objects: { customerId, subscriptionId: id, intentId },
    clientSecret: secret,
    due,
    expiresAt,
  }
}

async function openPayment(
  { client, now }: Parts,
  { sessionId, package: sold, price, discount, email }: SaleOrder,
  customer: string,
  key: string,
): Promise<Opened> {
  const due = reducedPrice(price.price, discount)
  const params: Stripe.PaymentIntentCreateParams = {
    amount: toSmallestUnit(due),
    currency: due.currency.toLowerCase(),
    customer,
    receipt_email: email,
    automatic_payment_methods: { enabled: true },
    metadata: { [SESSION_KEY]: sessionId, [PRICE_KEY]: sold.product.paymentId ?? '' },
  }
  const answer = await client.createPaymentIntent(params, key)
  if (!answer.ok) return refusalOf(answer)
  const { id: intentId, client_secret: clientSecret } = answer.value
  const objects = { customerId: customer, subscriptionId: null, intentId }
  return {
    ok: true,
    sale: { kind: 'payment', objects, clientSecret: clientSecret ?? '', due, expiresAt: now() + OPEN_MS },
  }
}

function refusalOf(failure: ProviderFailure): Opened {
  const isRefused = failure.reason === 'rejected' && ![401, 403, 404].includes(failure.status)
  return { ok: false, reason: isRefused ? 'rejected' : 'unavailable', message: null }
}
