import type Stripe from 'stripe'
import { sha256Hex } from '../../base/lib/hash'
import type { ProductType } from '../observation'
import { PRICE_KEY, type PurchaseMetadata, writeMetadata } from './metadata'

/** What a subscriber is about to buy. */
export interface CheckoutOrder {
  owner: PurchaseMetadata
  productType: ProductType
  priceId: string
  /** The subscriber's customer at the provider; null makes a new one. */
  customerId: string | null
  successUrl: string
  cancelUrl: string
}

/**
 * Parameters of a checkout session. Whose it is stands on the session and on what comes of it, for the provider tells
 * of the two apart, and in any order.
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
  // A subscription always makes a customer; a payment only when told to.
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

/** SHA-256 hex of `project:subscriber:key`; `key` is the caller's Idempotency-Key, or something random without one. */
export const checkoutIdempotencyKey = (projectId: string, subscriberId: string, key: string): string =>
  sha256Hex(`${projectId}:${subscriberId}:${key}`)

/** A session as it goes out: every member of the provider's object but its secrets, and an address to open. */
export type SessionView = Record<string, unknown> & { id: string; url: string }

export type CheckoutView = SessionView & { sessionId: string }

/** Null when the session has no address: it was paid, it has expired, or the answer is no session. */
export function toSessionView(session: object): SessionView | null {
  const { id, url, ...members } = withoutSecrets(session)
  return typeof id === 'string' && typeof url === 'string' ? { id, ...members, url } : null
}

/** As `toSessionView`, with the id under its second name. */
export function toCheckoutView(session: object): CheckoutView | null {
  const view = toSessionView(session)
  return view && { ...view, sessionId: view.id }
}

/** A plain copy without the members that are, or hold, a secret, at any depth. */
export const withoutSecrets = (object: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(object, (name, value) => (SECRET.test(name) ? undefined : value)))

/** `client_secret`, and whatever the provider may call so later. */
const SECRET = /(^|_)secret(_|$)/
