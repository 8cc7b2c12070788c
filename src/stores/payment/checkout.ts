import type Stripe from 'stripe'
import { sha256Hex } from '../../base/lib/hash'
import type { ProductType } from '../observation'
import { PRICE_KEY, type PurchaseMetadata, writeMetadata } from './metadata'

/** What a subscriber wants to buy. */
export interface CheckoutOrder {
  owner: PurchaseMetadata
  productType: ProductType
  priceId: string
  /** The subscriber's customer at the provider; null makes the provider create one. */
  customerId: string | null
  successUrl: string
  cancelUrl: string
}

/**
 * Parameters of a checkout session. The metadata with the owner is written into the session and into the subscription
 * or payment that it creates, for the provider sends events about each of them, in any order.
 */
export function checkoutParams(order: CheckoutOrder): Stripe.Checkout.SessionCreateParams {
  const { owner, productType, priceId, customerId, successUrl, cancelUrl } = order
  const metadata = writeMetadata(owner)
  const params = {
    line_items: [{ price: priceId, quantity: 1 }],
    success_url: successUrl,
    cancel_url: cancelUrl,
    metadata,
    ...(customerId !== null && { customer: customerId }),
  }
  if (productType === 'SUBSCRIPTION') return { ...params, mode: 'subscription', subscription_data: { metadata } }
  // The provider always creates a customer for a subscription, and for a payment only on request.
  const guest = customerId === null ? { customer_creation: 'always' as const } : {}
  return {
    ...params,
    ...guest,
    mode: 'payment',
    payment_intent_data: { metadata: { ...metadata, [PRICE_KEY]: priceId } },
  }
}

export const portalParams = (customerId: string, returnUrl: string): Stripe.BillingPortal.SessionCreateParams => ({
  customer: customerId,
  return_url: returnUrl,
})

/** SHA-256 hex of `project:subscriber:key`. `key` is the caller's Idempotency-Key, or a random text without one. */
export const checkoutIdempotencyKey = (projectId: string, subscriberId: string, key: string): string =>
  sha256Hex(`${projectId}:${subscriberId}:${key}`)

/** A session as sent to the caller: the provider's object without its secrets, with an address to open. */
export type SessionView = Record<string, unknown> & { id: string; url: string }

export type CheckoutView = SessionView & { sessionId: string }

/** Null when the session has no address for a browser: it was paid, or it expired. */
export function toSessionView(session: object): SessionView | null {
  const { id, url, ...members } = withoutSecrets(session)
  return typeof id === 'string' && typeof url === 'string' && isPage(url) ? { id, ...members, url } : null
}

const isPage = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? '')

/** Like `toSessionView`, with the id also under its second name. */
export function toCheckoutView(session: object): CheckoutView | null {
  const view = toSessionView(session)
  return view && { ...view, sessionId: view.id }
}

/** A plain copy without members that are or contain a secret, at any depth. */
export const withoutSecrets = (object: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(object, (name, value) => (SECRET.test(name) ? undefined : value)))

/** `client_secret`, and other members that the provider may name that way later. */
const SECRET = /(^|_)secret(_|$)/
