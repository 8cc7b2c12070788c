import type { androidpublisher_v3 } from 'googleapis/build/src/apis/androidpublisher'
import { CircuitBreaker } from '../../base/lib/circuit'
import { type Clock, SECOND } from '../../base/lib/clock'
import { fetchOf, type InProcessStore } from '../in-process'
import { AccessTokens } from './access-token'
import { type CallKind, failureOf, type PlayAnswer, readAnswer } from './answer'
import type { ServiceAccount } from './service-account'

/** Where the Play Developer API is. */
export const GOOGLE_API_URL = 'https://androidpublisher.googleapis.com'
export const PLAY_TIMEOUT_MS = 8 * SECOND

interface Parts {
  /** Null where the project sells at the test store only: then Google refuses every call. */
  account: ServiceAccount | null
  packageName: string
  /** `GOOGLE_API_URL`, or the deployment's `SVC_ANDROID_API_URL`; a path in it is not kept. */
  apiUrl: string
  /** `GOOGLE_TOKEN_URL`, or the deployment's `SVC_ANDROID_TOKEN_URL`. */
  tokenUrl: string
  clock: Clock
  timeoutMs?: number
  /** The test store of the project: calls about its purchases never leave the process. */
  simulator?: InProcessStore
}

/** Which voided purchases to list, at most 30 days back. Instants are milliseconds UTC. */
export interface VoidedQuery {
  startAt: number
  endAt: number
  /** Of the answer before; null for the first page. */
  pageToken: string | null
}

export interface VoidedPage {
  /** For `decodeVoided`. */
  rows: unknown[]
  nextPageToken: string | null
}

/** What every call is made with: a plain text answer, whatever its status, once, and wherever it was asked for. */
interface CallOptions {
  signal: AbortSignal
  responseType: 'text'
  retry: false
  redirect: 'manual'
  validateStatus: () => true
}

type Api = androidpublisher_v3.Androidpublisher
type Call = (api: Api, options: CallOptions) => Promise<{ status: number; data: unknown }>

/** The Play Developer API for one app: eight seconds a call, no retries, and a rest after five failures in a row. */
export class PlayClient {
  readonly circuit = new CircuitBreaker()
  readonly #parts: Parts
  #api: Promise<Api> | null = null
  #simulated: Promise<Api> | null = null
  readonly #tokens: AccessTokens | null
  readonly #closing = new AbortController()

  constructor(parts: Parts) {
    this.#parts = parts
    const { account } = parts
    this.#tokens = account && new AccessTokens({ ...parts, account })
  }

  /** Whether it may ask Google itself. */
  get hasAccount(): boolean {
    return this.#tokens !== null
  }

  /** For `decodeSubscription`. */
  getSubscriptionV2(token: string): Promise<PlayAnswer<unknown>> {
    const params = { packageName: this.#parts.packageName, token }
    return this.#call('resource', token, (api, options) => api.purchases.subscriptionsv2.get(params, options))
  }

  /** For `decodeProduct`. Asks the older API too when the newer one knows nothing and the product is named. */
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

  acknowledgeSubscription(token: string, subscriptionId: string): Promise<PlayAnswer<unknown>> {
    const params = { packageName: this.#parts.packageName, token, subscriptionId, requestBody: {} }
    return this.#call('command', token, (api, options) => api.purchases.subscriptions.acknowledge(params, options))
  }

  acknowledgeProduct(token: string, productId: string): Promise<PlayAnswer<unknown>> {
    const params = { packageName: this.#parts.packageName, token, productId, requestBody: {} }
    return this.#call('command', token, (api, options) => api.purchases.products.acknowledge(params, options))
  }

  /** No further renewal; what was paid for stays until its end. */
  cancelSubscription(token: string, subscriptionId: string): Promise<PlayAnswer<unknown>> {
    const params = { packageName: this.#parts.packageName, token, subscriptionId }
    return this.#call('command', token, (api, options) => api.purchases.subscriptions.cancel(params, options))
  }

  /**
   * Gives all of an order back. `revoke` takes its rights at once and ends a subscription, whichever of its orders it
   * is about. An order that was given back before is no error.
   */
  async refundOrder(orderId: string, revoke: boolean): Promise<PlayAnswer<unknown>> {
    const order = { packageName: this.#parts.packageName, orderId }
    const answer = await this.#call('command', orderId, (api, options) =>
      api.orders.refund({ ...order, revoke }, options),
    )
    if (answer.kind === 'ok' || answer.kind === 'unavailable') return answer
    // Google does not document what it answers to a repetition; the order itself tells.
    const seen = await this.#call('resource', orderId, (api, options) => api.orders.get(order, options))
    return seen.kind === 'ok' && GIVEN_BACK.includes(seen.body.state) ? { kind: 'ok', body: {} } : answer
  }

  /** Subscriptions and one-time purchases, refunds of single units included. */
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
    return answer.kind === 'ok' ? { kind: 'ok', body: readPage(answer.body) } : answer
  }

  close(): void {
    this.#closing.abort()
  }

  /**
   * Loaded on first use: the library costs every start its time and memory, and many have no Android app. It keeps
   * tokens by the machine's clock; one that always looks old to it makes it ask ours every time.
   */
  async #load(tokens: AccessTokens): Promise<Api> {
    const [{ androidpublisher }, { OAuth2Client }] = await Promise.all([
      import('googleapis/build/src/apis/androidpublisher'),
      import('google-auth-library'),
    ])
    const auth = new OAuth2Client()
    auth.refreshHandler = async () => ({ access_token: await tokens.get(this.#deadline()), expiry_date: 1 })
    return androidpublisher({ version: 'v3', auth, rootUrl: this.#parts.apiUrl })
  }

  /** `id` is what a client may have made up of the call's address. */
  async #call(asked: CallKind, id: string | null, call: Call): Promise<PlayAnswer<Record<string, unknown>>> {
    const { circuit } = this
    const { clock } = this.#parts
    // Nothing is sent, so it tells nothing of how Google fares.
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

  /** The same call to the test store; how it fares says nothing of Google. */
  async #simulate(
    simulator: InProcessStore,
    asked: CallKind,
    call: Call,
  ): Promise<PlayAnswer<Record<string, unknown>>> {
    this.#simulated ??= loadSimulated(simulator)
    return this.#answer(asked, call, await this.#simulated)
  }

  async #answer(asked: CallKind, call: Call, api: Api): Promise<PlayAnswer<Record<string, unknown>>> {
    // It runs while an access token is asked for, too.
    const signal = this.#deadline()
    try {
      const { status, data } = await call(api, optionsFor(signal))
      return readAnswer(status, typeof data === 'string' ? data : '', asked)
    } catch (error) {
      return failureOf(error)
    }
  }

  #deadline(): AbortSignal {
    return AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#parts.timeoutMs ?? PLAY_TIMEOUT_MS)])
  }
}

const GIVEN_BACK: readonly unknown[] = ['REFUNDED', 'PENDING_REFUND']

async function loadSimulated(simulator: InProcessStore): Promise<Api> {
  const { androidpublisher } = await import('googleapis/build/src/apis/androidpublisher')
  const options = { version: 'v3', rootUrl: 'https://simulator.invalid' } as const
  return androidpublisher({ ...options, fetchImplementation: fetchOf(simulator) })
}

const optionsFor = (signal: AbortSignal): CallOptions => ({
  signal,
  responseType: 'text',
  retry: false,
  redirect: 'manual',
  validateStatus: () => true,
})

/** Whether a text can stand in an address at all, and name there what it says: `..` would name another one. */
const isAddressable = (id: string): boolean =>
  id.length <= MAX_ID_CHARS && id.isWellFormed() && !/^\.{0,2}$/.test(id) && !/[\p{Cc}]/u.test(id)

const MAX_ID_CHARS = 2048

function readPage(body: Record<string, unknown>): VoidedPage {
  const { voidedPurchases, tokenPagination } = body
  const next = (tokenPagination as { nextPageToken?: unknown } | null | undefined)?.nextPageToken
  return {
    rows: Array.isArray(voidedPurchases) ? voidedPurchases : [],
    nextPageToken: typeof next === 'string' && next !== '' ? next : null,
  }
}
