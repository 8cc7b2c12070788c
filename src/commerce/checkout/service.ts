import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { inTime } from '../../base/jobs/within'
import { customerOf, keepCustomer } from '../../intake/payment/customers'
import { assertLive, type SubscriberRow } from '../../people/subscribers/service'
import { findOffering } from '../../projects/catalog/offerings'
import type { CatalogSnapshot, Product } from '../../projects/catalog/snapshot'
import { paymentClient } from '../../projects/connections/payment-store'
import type { ProjectState } from '../../projects/project/state'
import {
  type CheckoutView,
  checkoutIdempotencyKey,
  checkoutParams,
  portalParams,
  type SessionView,
  toCheckoutView,
  toSessionView,
} from '../../stores/payment/checkout'
import type { PaymentClient } from '../../stores/payment/client'
import type { ProviderFailure } from '../../stores/payment/provider'
import type { Malformed } from '../../stores/payment/shapes'

export interface CheckoutOrder {
  offeringIdentifier: string
  packageIdentifier: string
  successUrl: string
  cancelUrl: string
  /** The key that the caller sent; null = every call opens a new checkout. */
  idempotencyKey: string | null
}

/**
 * Opens a checkout of the provider for one package (wire 2.18). A wrong order is 400. An erased subscriber is 409,
 * because they would pay and get no access. Every failure of the provider is 502 `STORE_API_ERROR`, also an outage.
 */
export async function openCheckout(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  order: CheckoutOrder,
): Promise<CheckoutView> {
  const client = await paymentClient(ctx, project)
  if (!client) throw invalid('No payment account is connected: save stores.payment of the project first')
  const sold = findSold(project.catalog, order)
  const opening = askForCheckout(ctx, client, assertLive(subscriber), { ...order, ...sold })
  return inTime(opening, 'STORE_API_ERROR', PROVIDER)
}

async function askForCheckout(
  ctx: Context,
  client: PaymentClient,
  subscriber: SubscriberRow,
  { idempotencyKey, presentedContext, ...order }: CheckoutOrder & Sold,
): Promise<CheckoutView> {
  const { id: subscriberId, deviceKey, projectId } = subscriber
  const customerId = await customerFor(ctx, client, subscriber)
  const params = checkoutParams({ ...order, owner: { subscriberId, deviceKey, presentedContext }, customerId })
  const key = checkoutIdempotencyKey(projectId, subscriberId, idempotencyKey ?? ctx.ids.uuid())
  const session = await client.createCheckoutSession(params, key)
  if (!session.ok) throw providerError(session)
  return toCheckoutView(session.value) ?? noAddress()
}

/** Opens the provider's page where a customer manages what they pay (wire 2.18). */
export async function openPortal(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  returnUrl: string,
): Promise<SessionView> {
  const client = await paymentClient(ctx, project)
  if (!client) throw new AppError('PAYMENT_NOT_CONNECTED', undefined, { status: 503 })
  const customerId = await customerOf(ctx, subscriber)
  if (customerId === null) throw new AppError('PAYMENT_CUSTOMER_NOT_FOUND')
  return portalOf(client, customerId, returnUrl)
}

/** As `openPortal`, for a customer of the provider. */
export async function openPortalOfCustomer(
  ctx: Context,
  project: ProjectState,
  customerId: string,
  returnUrl: string,
): Promise<SessionView> {
  const client = await paymentClient(ctx, project, customerId)
  if (!client) throw new AppError('PAYMENT_NOT_CONNECTED', undefined, { status: 503 })
  return portalOf(client, customerId, returnUrl)
}

async function portalOf(client: PaymentClient, customerId: string, returnUrl: string): Promise<SessionView> {
  const opening = client.createPortalSession(portalParams(customerId, returnUrl))
  const session = await inTime(opening, 'STORE_API_ERROR', PROVIDER)
  if (session.ok) return toSessionView(session.value) ?? noAddress()
  // Only the customer can be missing: deleted at the provider, or of the other mode, in which the project sold before.
  if (isMissing(session)) throw new AppError('PAYMENT_CUSTOMER_NOT_FOUND')
  throw providerError(session)
}

const PROVIDER = 'The payment provider'

interface Sold {
  productType: Product['type']
  priceId: string
  presentedContext: Record<string, unknown>
}

type Wanted = Pick<CheckoutOrder, 'offeringIdentifier' | 'packageIdentifier'>

/** What a package of `GET /v1/offerings` sells. An inactive product is not sold. */
function findSold(catalog: CatalogSnapshot, { offeringIdentifier, packageIdentifier }: Wanted): Sold {
  const offering = findOffering(catalog, offeringIdentifier)
  if (!offering) throw invalid(`No offering is called ${offeringIdentifier}`)
  const slot = offering.packages.find(({ identifier }) => identifier === packageIdentifier)
  const product = slot && catalog.products.get(slot.productId)
  if (!product?.isActive) throw invalid(`The offering ${offering.identifier} has no package ${packageIdentifier}`)
  const { paymentId: priceId, type: productType, identifier } = product
  if (priceId === null) throw invalid(`The product ${identifier} has no payment id: set storeIds.payment to its price`)
  return { productType, priceId, presentedContext: { offeringIdentifier: offering.identifier, packageIdentifier } }
}

/** The subscriber's customer at the provider. The first checkout creates it; later checkouts and the portal use it. */
async function customerFor(ctx: Context, client: PaymentClient, subscriber: SubscriberRow): Promise<string> {
  const { id: subscriberId, projectId } = subscriber
  const customerId = await customerOf(ctx, subscriber)
  const found = await client.findOrCreateCustomer({ projectId, subscriberId, customerId })
  if (!found.ok) throw providerError(found)
  if (found.value !== customerId) await ctx.write((tx) => keepCustomer(tx, subscriber, found.value))
  return found.value
}

const isMissing = (failure: ProviderFailure): boolean =>
  failure.reason === 'rejected' && failure.providerErrorCode === 'resource_missing'

function providerError(failure: ProviderFailure): AppError {
  if (failure.reason === 'unavailable') return new AppError('STORE_API_ERROR', undefined, { cause: failure.cause })
  if (failure.reason === 'malformed') return new AppError('STORE_API_ERROR', undefined, { cause: describe(failure) })
  const { status, providerErrorCode, providerRequestId } = failure
  const cause = new Error(`The payment provider refused: ${status} ${providerErrorCode} ${providerRequestId}`)
  return new AppError('STORE_API_ERROR', undefined, { cause })
}

const describe = ({ field }: Malformed): Error => new Error(`The payment provider's answer is unreadable at ${field}`)

function noAddress(): never {
  throw new AppError('STORE_API_ERROR', undefined, {
    message: 'The provider gave no page to open: this session is over; send another Idempotency-Key',
  })
}
