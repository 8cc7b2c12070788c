import { type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { androidpublisher_v3 } from 'googleapis/build/src/apis/androidpublisher'
import { CircuitBreaker } from '../../base/lib/circuit'
import { type Clock, SECOND } from '../../base/lib/clock'
import { boundedFetch, presentFetch } from '../answer-text'
import { fetchOf, type InProcessStore } from '../in-process'
import { AccessTokens } from './access-token'
import { type CallKind, failureOf, type PlayAnswer, readAnswer, unreadable } from './answer'
import { decodePaidOrder, type PaidOrder } from './paid-order'
import { RefusedTokens } from './refused-tokens'
import type { ServiceAccount } from './service-account'

/** Address of the Play Developer API. */
export const GOOGLE_API_URL = 'https://androidpublisher.googleapis.com'
export const PLAY_TIMEOUT_MS = 8 * SECOND

interface Parts {
  /** Null for a project that uses only the test store: then each call to Google is refused. */
  account: ServiceAccount | null
  packageName: string
  /** `GOOGLE_API_URL`, or the deployment's `SVC_ANDROID_API_URL`; only its origin is used. */
  apiUrl: string
  /** `GOOGLE_TOKEN_URL`, or the deployment's `SVC_ANDROID_TOKEN_URL`. */
  tokenUrl: string
  clock: Clock
  /** The time of Google's servers, for the tokens of calls; absent = that of `clock`. */
  tokenClock?: Clock
  timeoutMs?: number
  /** The project's test store: calls about its purchases go to it and do not leave the process. */
  simulator?: InProcessStore
  /** Called when Google starts to refuse orders to the account, or to show them; at the first order as well. */
  onOrders?: (isRefused: boolean) => Promise<void>
}

/** Which voided purchases to list, at most 30 days back. Instants are milliseconds UTC. */
export interface VoidedQuery {
  startAt: number
  endAt: number
  /** The token of the previous answer; null for the first page. */
  pageToken: string | null
}

export interface VoidedPage {
  /** The input of `decodeVoided`. */
  rows: unknown[]
  nextPageToken: string | null
}

/** Which part of a list of the catalogue. `pageToken` is that of the answer before; absent for the first page. */
export interface CatalogPage {
  pageSize: number
  pageToken?: string
}

/** Options of each call: the answer as plain text whatever its status, one attempt, and no redirect. */
export interface CallOptions {
  signal: AbortSignal
  responseType: 'text'
  retry: false
  redirect: 'manual'
  validateStatus: () => true
}

/** A product of a subscription, and the order that charged it last. */
export interface RefundedItem {
  token: string
  orderId: string
  productId: string
}

type Api = androidpublisher_v3.Androidpublisher
type Call = (
  api: Api,
  options: CallOptions,
) => Promise<{ status: number; data: unknown; headers: { 'retry-after'?: string | undefined } }>

/**
 * The Play Developer API for one app. A call may take eight seconds and is not retried. After five failures in a row
 * the circuit opens.
 */
export class PlayClient {
  readonly circuit = new CircuitBreaker()
  /** The tokens that Google has lately refused. */
  readonly refused = new RefusedTokens()
  readonly #parts: Parts
  #api: Promise<Api> | null = null
  #simulated: Promise<Api> | null = null
  readonly #tokens: AccessTokens | null
  #isRefusedOrders: boolean | null = null
  readonly #closing = new AbortController()

  constructor(parts: Parts) {
    this.#parts = parts
    const { account, clock, tokenClock = clock } = parts
    this.#tokens = account && new AccessTokens({ ...parts, account, clock: tokenClock })
  }

  /** Whether it has an account for calls to Google. */
  get hasAccount(): boolean {
    return this.#tokens !== null
  }

  /** A subscription, as the input of `decodeSubscription`. */
  getSubscriptionV2(token: string): Promise<PlayAnswer<unknown>> {
    const params = { packageName: this.#parts.packageName, token }
    return this.#call('resource', token, (api, options) => api.purchases.subscriptionsv2.get(params, options))
  }

  /**
   * A one-time purchase, as the input of `decodeProduct`. Also tries the older API when the newer one does not know the
   * purchase and the product is named.
   */
  async getProduct(token: string, productId: string | null): Promise<PlayAnswer<unknown>> {
    const params = { packageName: this.#parts.packageName, token }
    const answer = await this.#call('resource', token, (api, options) =>
      api.purchases.productsv2.getproductpurchasev2(params, options),
    )
    if (answer.kind !== 'not_found' || productId === null) return answer
    return this.#call('resource', token, (api, options) =>
      api.purchases.products.get({ ...params, productId }, options),
    )
  }

  /** An order. Its `purchaseToken` names the purchase. */
  getOrder(orderId: string): Promise<PlayAnswer<Record<string, unknown>>> {
    const params = { packageName: this.#parts.packageName, orderId }
    return this.#call('resource', orderId, (api, options) => api.orders.get(params, options))
  }

  /**
   * What an order of a purchase paid for; null when Google does not tell it: the service account may not see orders, the
   * order is unknown or is of another purchase. The test store charges what the purchase itself says, so its order is read
   * only where a part was returned, or the rest of a period was charged.
   */
  async getPaidOrder(orderId: string, purchaseToken: string): Promise<PlayAnswer<PaidOrder | null>> {
    const answer = await this.getOrder(orderId)
    if (answer.kind === 'unavailable') return answer
    const isSimulated = this.#parts.simulator?.knows(orderId) ?? false
    if (!isSimulated) await this.#noteOrders(answer)
    const result = answer.kind === 'ok' ? decodePaidOrder(answer.body, { orderId, purchaseToken }) : null
    const isKept = result?.ok && (!isSimulated || isPartial(result.order))
    return { kind: 'ok', body: isKept ? result.order : null }
  }

  async #noteOrders(answer: PlayAnswer<unknown>): Promise<void> {
    const isRefused = answer.kind === 'rejected' && (answer.status === 401 || answer.status === 403)
    if ((answer.kind !== 'ok' && !isRefused) || isRefused === this.#isRefusedOrders) return
    await this.#parts.onOrders?.(isRefused)
    this.#isRefusedOrders = isRefused
  }

  acknowledgeSubscription(token: string, subscriptionId: string): Promise<PlayAnswer<unknown>> {
    const params = { packageName: this.#parts.packageName, token, subscriptionId, requestBody: {} }
    return this.#call('command', token, (api, options) => api.purchases.subscriptions.acknowledge(params, options))
  }

  acknowledgeProduct(token: string, productId: string): Promise<PlayAnswer<unknown>> {
    const params = { packageName: this.#parts.packageName, token, productId, requestBody: {} }
    return this.#call('command', token, (api, options) => api.purchases.products.acknowledge(params, options))
  }

  /** Stops further renewals; access stays until the end of the paid period. */
  cancelSubscription(token: string, subscriptionId: string): Promise<PlayAnswer<unknown>> {
    const params = { packageName: this.#parts.packageName, token, subscriptionId }
    return this.#call('command', token, (api, options) => api.purchases.subscriptions.cancel(params, options))
  }

  /**
   * Refunds the whole order. `revoke` also removes its access at once and ends a subscription, whichever of its orders
   * is named. An order that was refunded before is no error.
   */
  async refundOrder(orderId: string, revoke: boolean): Promise<PlayAnswer<unknown>> {
    const order = { packageName: this.#parts.packageName, orderId }
    const answer = await this.#call('command', orderId, (api, options) =>
      api.orders.refund({ ...order, revoke }, options),
    )
    if (answer.kind === 'ok' || answer.kind === 'unavailable') return answer
    // Google does not document its answer to a second refund, so the order itself is read.
    const seen = await this.#call('resource', orderId, (api, options) => api.orders.get(order, options))
    return seen.kind === 'ok' && GIVEN_BACK.includes(seen.body.state) ? { kind: 'ok', body: {} } : answer
  }

  /**
   * Refunds one product of a subscription with several, which loses it at once. The others continue. A product that was
   * refunded before is no error. When it is the only one left, because the others were taken back meanwhile, the rest of
   * its order is refunded and the subscription ends.
   */
  async refundItem({ token, orderId, productId }: RefundedItem): Promise<PlayAnswer<unknown>> {
    const { packageName } = this.#parts
    const requestBody = { revocationContext: { itemBasedRefund: { productId } } }
    const answer = await this.#call('command', token, (api, options) =>
      api.purchases.subscriptionsv2.revoke({ packageName, token, requestBody }, options),
    )
    if (answer.kind === 'ok' || answer.kind === 'unavailable') return answer
    const held = await this.getSubscriptionV2(token)
    if (held.kind !== 'ok' || !Value.Check(Items, held.body)) return answer
    const names = held.body.lineItems.map((item) => item.productId)
    // Google takes back the last product only with what is left of the order.
    if (names.length === 1 && names[0] === productId) return this.refundOrder(orderId, true)
    return !names.includes(productId) && (await this.#isReturned(orderId)) ? { kind: 'ok', body: {} } : answer
  }

  /** Whether some of an order was returned. */
  async #isReturned(orderId: string): Promise<boolean> {
    const order = await this.getOrder(orderId)
    return order.kind === 'ok' && [...GIVEN_BACK, 'PARTIALLY_REFUNDED'].includes(order.body.state)
  }

  /** Voided subscriptions and one-time purchases, with refunds of single units. */
  async listVoided({ startAt, endAt, pageToken }: VoidedQuery): Promise<PlayAnswer<VoidedPage>> {
    const params = {
      packageName: this.#parts.packageName,
      type: 1,
      includeQuantityBasedPartialRefund: true,
      startTime: String(startAt),
      endTime: String(endAt),
      ...(pageToken === null ? {} : { token: pageToken }),
    }
    const answer = await this.#call('list', null, (api, options) => api.purchases.voidedpurchases.list(params, options))
    if (answer.kind !== 'ok') return answer
    const page = readPage(answer.body)
    return page ? { kind: 'ok', body: page } : unreadable(200)
  }

  /** One page of the app's subscriptions, without their offers, as the input of `readSubscriptions`. */
  listSubscriptions(page: CatalogPage): Promise<PlayAnswer<unknown>> {
    const params = { packageName: this.#parts.packageName, ...page }
    return this.#call('list', null, (api, options) => api.monetization.subscriptions.list(params, options))
  }

  /** One page of the offers of all subscriptions. */
  listOffers(page: CatalogPage): Promise<PlayAnswer<unknown>> {
    const params = { packageName: this.#parts.packageName, productId: '-', basePlanId: '-', ...page }
    return this.#call('list', null, (api, options) =>
      api.monetization.subscriptions.basePlans.offers.list(params, options),
    )
  }

  listOneTimeProducts(page: CatalogPage): Promise<PlayAnswer<unknown>> {
    const params = { packageName: this.#parts.packageName, ...page }
    return this.#call('list', null, (api, options) => api.monetization.onetimeproducts.list(params, options))
  }

  close(): void {
    this.#closing.abort()
  }

  /**
   * The library is loaded on first use: it costs time and memory, and many deployments have no Android app. It decides
   * by the machine's clock whether its token is old. It gets one that always looks old, so that it asks our token
   * source, which uses our clock, each time.
   */
  async #load(tokens: AccessTokens): Promise<Api> {
    const [{ androidpublisher }, { OAuth2Client }] = await Promise.all([
      import('googleapis/build/src/apis/androidpublisher'),
      import('google-auth-library'),
    ])
    const auth = new OAuth2Client()
    auth.refreshHandler = async () => ({ access_token: await tokens.get(this.#deadline()), expiry_date: 1 })
    return androidpublisher({
      version: 'v3',
      auth,
      rootUrl: this.#parts.apiUrl,
      fetchImplementation: boundedFetch(presentFetch),
    })
  }

  /** `id` is the part of the address that may come from a client. */
  async #call(asked: CallKind, id: string | null, call: Call): Promise<PlayAnswer<Record<string, unknown>>> {
    const { circuit } = this
    const { clock } = this.#parts
    // Nothing is sent, so the circuit breaker counts nothing.
    if (id !== null && !isAddressable(id)) return { kind: 'not_found', status: 400, reason: 'invalid' }
    const { simulator } = this.#parts
    if (simulator && (id === null ? !this.#tokens : simulator.knows(id))) return this.#simulate(simulator, asked, call)
    const tokens = this.#tokens
    if (!tokens) return { kind: 'rejected', why: 'credentials', status: null, reason: null }
    if (!circuit.tryBegin(clock.now())) return { kind: 'unavailable', why: 'circuit_open', status: null }
    this.#api ??= this.#load(tokens)
    const answer = await this.#answer(asked, call, await this.#api)
    if (answer.kind === 'unavailable') circuit.fail(clock.now())
    else circuit.succeed(clock.now())
    if (answer.kind === 'rejected' && answer.status === 401) tokens.forget()
    return answer
  }

  /** The same call to the test store. Its outcome does not count for the circuit breaker of the real store. */
  async #simulate(
    simulator: InProcessStore,
    asked: CallKind,
    call: Call,
  ): Promise<PlayAnswer<Record<string, unknown>>> {
    this.#simulated ??= loadSimulated(simulator)
    return this.#answer(asked, call, await this.#simulated)
  }

  async #answer(asked: CallKind, call: Call, api: Api): Promise<PlayAnswer<Record<string, unknown>>> {
    // The deadline includes the time in which an access token is requested.
    const signal = this.#deadline()
    try {
      const { status, data, headers } = await call(api, optionsFor(signal))
      return readAnswer(status, typeof data === 'string' ? data : '', asked, headers['retry-after'])
    } catch (error) {
      return failureOf(error)
    }
  }

  #deadline(): AbortSignal {
    return AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#parts.timeoutMs ?? PLAY_TIMEOUT_MS)])
  }
}

const Items = Type.Object({ lineItems: Type.Array(Type.Object({ productId: Type.String() })) })

const GIVEN_BACK: readonly unknown[] = ['REFUNDED', 'PENDING_REFUND']

async function loadSimulated(simulator: InProcessStore): Promise<Api> {
  const { androidpublisher } = await import('googleapis/build/src/apis/androidpublisher')
  const options = { version: 'v3', rootUrl: 'https://simulator.invalid' } as const
  return androidpublisher({ ...options, fetchImplementation: boundedFetch(fetchOf(simulator)) })
}

export const optionsFor = (signal: AbortSignal): CallOptions => ({
  signal,
  responseType: 'text',
  retry: false,
  redirect: 'manual',
  validateStatus: () => true,
})

/** Whether a part of the order was returned, or it charged for the rest of a period. */
const isPartial = ({ products, refunds }: PaidOrder): boolean =>
  (!refunds.whole && refunds.parts.length > 0) || [...products.values()].some(({ phase }) => phase === 'PRORATION')

/** Whether a text can be one segment of an address without changing its path, as `..` would. */
const isAddressable = (id: string): boolean =>
  id.length <= MAX_ID_CHARS && id.isWellFormed() && !/^\.{0,2}$/.test(id) && !/[\p{Cc}]/u.test(id)

const MAX_ID_CHARS = 2048

const Maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))

/** An empty list lacks both members. In protobuf's JSON null means absent. */
const ListedVoided = Type.Object({
  voidedPurchases: Maybe(Type.Array(Type.Object({}))),
  tokenPagination: Maybe(Type.Object({ nextPageToken: Maybe(Type.String({ maxLength: 8192 })) })),
})

function readPage(body: Record<string, unknown>): VoidedPage | null {
  if (!Value.Check(ListedVoided, body)) return null
  const { voidedPurchases, tokenPagination } = body
  return { rows: voidedPurchases ?? [], nextPageToken: tokenPagination?.nextPageToken || null }
}
