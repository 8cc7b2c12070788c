import type { Static, TSchema } from '@sinclair/typebox'
import type { CircuitBreaker } from '../../base/lib/circuit'
import { type Clock, SECOND } from '../../base/lib/clock'
import { answerText } from '../answer-text'
import type { InProcessStore } from '../in-process'
import type { PurchaseEnvironment } from '../observation'
import { type Answer, type ApiResult, readAnswer, rejected, unavailable } from './api-client-answer'
import {
  type ConsumptionAnswer,
  Extension,
  type ExtensionOrder,
  NotificationHistory,
  type NotificationHistoryQuery,
  SubscriptionStatuses,
  TestNotification,
  TestNotificationStatus,
  TransactionInfo,
} from './api-client-shapes'
import { type ApiCredentials, ApiTokens } from './api-token'

export const API_URLS: Readonly<Record<PurchaseEnvironment, string>> = {
  PRODUCTION: 'https://api.storekit.itunes.apple.com',
  SANDBOX: 'https://api.storekit-sandbox.itunes.apple.com',
}

const TIMEOUT_MS = 8 * SECOND

/** The store does not know this transaction in that environment; it may belong to the other environment. */
export const TRANSACTION_NOT_FOUND = 4040010
/** No address for notifications is set in App Store Connect. */
export const NOTIFICATION_URL_NOT_FOUND = 4040007
/** The token of a test notification is invalid or has expired. */
export const TEST_TOKEN_UNKNOWN: readonly (number | null)[] = [4000020, 4040008]
/** The token of a page is invalid or has expired. */
export const PAGE_TOKEN_UNKNOWN: readonly (number | null)[] = [4000014, 4000017]

export interface IosApiParts {
  /** Null for a project that uses only the test store: then each call to Apple is refused. */
  credentials: ApiCredentials | null
  clock: Clock
  /** The time of Apple's servers, for the tokens of calls; absent = that of `clock`. */
  tokenClock?: Clock
  /** One circuit breaker for each environment: the sandbox fails often, and its failures must not block Production. */
  circuits: Readonly<Record<PurchaseEnvironment, CircuitBreaker>>
  /** Address used for both environments (`SVC_IOS_API_URL`); null = Apple's own addresses. */
  apiUrl: string | null
  timeoutMs?: number
  /** The project's test store: calls about its purchases go to it and do not leave the process. */
  simulator?: InProcessStore
}

interface Call<Schema extends TSchema> {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  /** The transaction that the call is about. */
  id?: string
  body?: object
  /** Null when the status alone says whether the call succeeded. */
  answer: Schema | null
}

/** Text as one segment of a path. Half a surrogate pair becomes U+FFFD, for no address can contain one. */
const inPath = (text: string): string => encodeURIComponent(text.toWellFormed())

/** The App Store Server API for one app. Every outcome is a value; nothing here throws. */
export class IosApiClient {
  readonly #tokens: ApiTokens | null

  constructor(private readonly parts: IosApiParts) {
    const { credentials, clock, tokenClock = clock } = parts
    this.#tokens = credentials && new ApiTokens(credentials, tokenClock)
  }

  /** Whether it has credentials for calls to Apple. */
  get hasCredentials(): boolean {
    return this.#tokens !== null
  }

  /** One transaction, as a signed token. */
  getTransactionInfo(environment: PurchaseEnvironment, transactionId: string): Promise<ApiResult<TransactionInfo>> {
    const path = `/inApps/v1/transactions/${inPath(transactionId)}`
    return this.#call(environment, { method: 'GET', path, id: transactionId, answer: TransactionInfo })
  }

  /** All subscriptions of the customer who owns the given transaction. */
  getAllSubscriptionStatuses(
    environment: PurchaseEnvironment,
    transactionId: string,
  ): Promise<ApiResult<SubscriptionStatuses>> {
    const path = `/inApps/v1/subscriptions/${inPath(transactionId)}`
    return this.#call(environment, { method: 'GET', path, id: transactionId, answer: SubscriptionStatuses })
  }

  /**
   * One page of the notifications that the store sent. For the next page pass `paginationToken` with the same query.
   */
  getNotificationHistory(
    environment: PurchaseEnvironment,
    query: NotificationHistoryQuery,
    paginationToken: string | null = null,
  ): Promise<ApiResult<NotificationHistory>> {
    const page = paginationToken === null ? '' : `?paginationToken=${inPath(paginationToken)}`
    const path = `/inApps/v1/notifications/history${page}`
    return this.#call(environment, { method: 'POST', path, body: query, answer: NotificationHistory })
  }

  /** Makes the store send a TEST notification. The token in the answer identifies it when its state is read. */
  requestTestNotification(environment: PurchaseEnvironment): Promise<ApiResult<TestNotification>> {
    return this.#call(environment, { method: 'POST', path: '/inApps/v1/notifications/test', answer: TestNotification })
  }

  getTestNotificationStatus(
    environment: PurchaseEnvironment,
    token: string,
  ): Promise<ApiResult<TestNotificationStatus>> {
    const path = `/inApps/v1/notifications/test/${inPath(token)}`
    return this.#call(environment, { method: 'GET', path, answer: TestNotificationStatus })
  }

  /** Answers a CONSUMPTION_REQUEST, within 12 hours of it. */
  async sendConsumptionInformation(
    environment: PurchaseEnvironment,
    transactionId: string,
    body: ConsumptionAnswer,
  ): Promise<ApiResult<null>> {
    const path = `/inApps/v1/transactions/consumption/${inPath(transactionId)}`
    const result = await this.#call(environment, { method: 'PUT', path, id: transactionId, body, answer: null })
    return result.ok ? { ok: true, value: null } : result
  }

  /** Extends a subscription by some days without a charge. The store then sends RENEWAL_EXTENDED. */
  extendRenewalDate(
    environment: PurchaseEnvironment,
    originalTransactionId: string,
    body: ExtensionOrder,
  ): Promise<ApiResult<Extension>> {
    const path = `/inApps/v1/subscriptions/extend/${inPath(originalTransactionId)}`
    return this.#call(environment, { method: 'PUT', path, id: originalTransactionId, body, answer: Extension })
  }

  async #call<Schema extends TSchema>(
    environment: PurchaseEnvironment,
    call: Call<Schema>,
  ): Promise<ApiResult<Static<Schema>>> {
    const { clock, circuits, simulator } = this.parts
    if (call.id !== undefined && simulator?.knows(call.id)) return simulate(simulator, call, clock.now())
    const circuit = circuits[environment]
    const token = (await this.#tokens?.get()) ?? null
    // What Apple answers to a token that its key did not sign.
    if (token === null) return rejected(401, null)
    if (!circuit.tryBegin(clock.now())) return unavailable(Math.ceil(circuit.openForMs(clock.now()) / SECOND) || 1)
    const answer = await this.#send(environment, call, token)
    const now = clock.now()
    const result = answer ? readAnswer(answer, call.answer, now) : unavailable(null)
    // A rate limit concerns one app only. The store itself works, so the circuit stays closed for other apps.
    if (!answer || answer.status >= 500) circuit.fail(now)
    else circuit.succeed(now)
    return result
  }

  /** Null when no answer came: no connection, or a timeout. */
  async #send(
    environment: PurchaseEnvironment,
    { method, path, body }: Call<TSchema>,
    token: string,
  ): Promise<Answer | null> {
    const { apiUrl, timeoutMs = TIMEOUT_MS } = this.parts
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    const content = body && { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const url = `${apiUrl ?? API_URLS[environment]}${path}`
      const response = await fetch(url, { method, headers, redirect: 'manual', signal, ...content })
      const retryAfter = response.headers.get('retry-after')
      return { status: response.status, retryAfter, text: await answerText(response) }
    } catch {
      return null
    }
  }
}

/** The same call to the test store. Its outcome does not count for the circuit breaker of the real store. */
async function simulate<Schema extends TSchema>(
  simulator: InProcessStore,
  { method, path, body, answer }: Call<Schema>,
  now: number,
): Promise<ApiResult<Static<Schema>>> {
  const content = body && { body: JSON.stringify(body) }
  const response = await simulator.fetch(new Request(`https://simulator.invalid${path}`, { method, ...content }))
  const retryAfter = response.headers.get('retry-after')
  return readAnswer({ status: response.status, retryAfter, text: await answerText(response) }, answer, now)
}
