import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { olderProduct } from './android'
import { orderHistory } from './android-orders'
import type { AndroidStore } from './android-store'

export interface PlayCall {
  method: string
  /** The decoded path of the request. */
  path: string
  query: URLSearchParams
  /** The package name of the app that the stand-in sells. */
  packageName: string
  /** The JSON of the body; null when there is none. */
  body: unknown
}

/** The Play Developer API over a simulated store, for the loopback server and for the test store within the process. */
export function answerPlay(
  store: AndroidStore,
  call: PlayCall,
  { hasNoProductsV2 = false, orderStatus = 200 } = {},
): Response {
  const { method, path, query } = call
  const [, packageName, rest = ''] = /^\/androidpublisher\/v3\/applications\/([^/]+)\/(.+)$/.exec(path) ?? []
  if (packageName !== call.packageName) return failure(404, 'applicationNotFound')
  const [, order, commandOfOrder] = /^orders\/(.+?)(:refund)?$/.exec(rest) ?? []
  if (order && method === 'POST' && commandOfOrder) return refund(store, order, query.get('revoke') === 'true')
  if (order) return orderStatus === 200 ? readOrder(store, order) : failure(orderStatus, 'permissionDenied')
  if (rest === 'purchases/voidedpurchases') return listVoided(store, query)
  const [, family = '', token = '', command = ''] = PURCHASE.exec(rest) ?? []
  if (method === 'GET') return read(store, family, token, hasNoProductsV2)
  return command === 'revoke' ? revoke(store, token, call.body) : act(store, family, token, command)
}

const PURCHASE =
  /^purchases\/(subscriptionsv2|productsv2|subscriptions|products)\/(?:[^/]+\/)?tokens\/(.+?)(?::(acknowledge|cancel|revoke))?$/

/** An error in Google's format. */
export const failure = (code: number, reason: string, retryAfter?: number): Response =>
  Response.json(
    { error: { code, message: reason, errors: [{ message: reason, domain: 'androidpublisher', reason }] } },
    { status: code, ...(retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }) },
  )

function read(store: AndroidStore, family: string, token: string, hasNoProductsV2: boolean): Response {
  const [subscription, product] = [store.subscriptions.get(token), store.products.get(token)]
  if (family === 'subscriptionsv2' && subscription) return Response.json(subscription.resource)
  if (family === 'productsv2' && product && !hasNoProductsV2) return Response.json(product.resource)
  if (family === 'products' && product) return Response.json(olderProduct(product))
  return failure(404, 'purchaseTokenNotFound')
}

function act(store: AndroidStore, family: string, token: string, command: string): Response {
  if (command === 'acknowledge' && store.acknowledge(token)) return new Response(null, { status: 204 })
  if (command !== 'cancel' || family !== 'subscriptions' || !store.subscriptions.has(token)) {
    return failure(404, 'purchaseTokenNotFound')
  }
  store.cancel(token)
  return new Response(null, { status: 204 })
}

/**
 * Takes back one product of a subscription, which Google refuses where the subscription has only one; or ends all of it
 * and returns the rest of the running period.
 */
function revoke(store: AndroidStore, token: string, body: unknown): Response {
  if (!store.subscriptions.has(token)) return failure(404, 'purchaseTokenNotFound')
  if (Value.Check(ProratedRefund, body))
    return store.refundRest(token) ? new Response(null, { status: 204 }) : failure(400, 'subscriptionNotRefundable')
  if (!Value.Check(ItemRefund, body)) return failure(400, 'badRequest')
  const { productId } = body.revocationContext.itemBasedRefund
  return store.takeBackItem(token, productId) ? new Response(null, { status: 204 }) : failure(400, 'itemNotRefundable')
}

const ProratedRefund = Type.Object({ revocationContext: Type.Object({ proratedRefund: Type.Object({}) }) })

const ItemRefund = Type.Object({
  revocationContext: Type.Object({ itemBasedRefund: Type.Object({ productId: Type.String() }) }),
})

function refund(store: AndroidStore, orderId: string, withRevoke: boolean): Response {
  if (store.tokenOfOrder(orderId) === null) return failure(404, 'orderNotFound')
  if (!store.refundOrder(orderId, withRevoke)) return failure(400, 'orderNotRefundable')
  return new Response(null, { status: 204 })
}

function readOrder(store: AndroidStore, orderId: string): Response {
  const purchaseToken = store.tokenOfOrder(orderId)
  if (purchaseToken === null) return failure(404, 'orderNotFound')
  const history = store.histories.get(orderId)
  const isPartly = (history?.parts.length ?? 0) > 0
  const state = store.refundedOrders.has(orderId) ? 'REFUNDED' : isPartly ? 'PARTIALLY_REFUNDED' : 'PROCESSED'
  const told = { ...store.linesOf(orderId), ...(history && orderHistory(history)) }
  return Response.json({ orderId, purchaseToken, state, ...told })
}

/** Voided purchases, two on each page. */
function listVoided(store: AndroidStore, query: URLSearchParams): Response {
  const [from, to] = [Number(query.get('startTime') ?? 0), Number(query.get('endTime') ?? Number.MAX_SAFE_INTEGER)]
  const start = Number(query.get('token') ?? 0)
  const rows = store.voided.filter(({ voidedTimeMillis: at }) => Number(at) >= from && Number(at) <= to)
  const next = start + 2 < rows.length ? { tokenPagination: { nextPageToken: String(start + 2) } } : {}
  return Response.json({ voidedPurchases: rows.slice(start, start + 2), ...next })
}
