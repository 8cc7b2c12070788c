import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { CircuitBreaker } from '../../base/lib/circuit'
import { type Clock, SECOND } from '../../base/lib/clock'
import { parseJson } from '../../base/lib/json'
import { answerText } from '../answer-text'
import { parseRetryAfter } from './api-client-answer'
import {
  type App,
  Apps,
  Failure,
  type InAppPurchase,
  InAppPurchases,
  OneApp,
  type Subscription,
  SubscriptionGroups,
  Subscriptions,
} from './connect-shapes'
import { type ConnectKey, connectToken } from './connect-token'

export const CONNECT_API_URL = 'https://api.appstoreconnect.apple.com'

const TIMEOUT_MS = 8 * SECOND
const PAGE = 200
/** An app may have 10,000 in-app purchases and a few hundred groups. */
const MAX_PAGES = 60

/** No answer, too many requests, a fault at the store, or an open circuit. `retryAfter` is in seconds. */
export interface ConnectUnavailable {
  ok: false
  kind: 'unavailable'
  retryAfter?: number
}

/** The store refused the call. For an answer that cannot be read `status` is a success status. */
export interface ConnectRejected {
  ok: false
  kind: 'rejected'
  status: number
  /** Apple's code, such as `FORBIDDEN_ERROR`; null when Apple gave none. */
  code: string | null
  /** Apple's sentence for people. */
  detail: string | null
}

export type ConnectFailure = ConnectUnavailable | ConnectRejected
export type ConnectResult<Value> = { ok: true; value: Value } | ConnectFailure

export type NotificationEnvironment = 'production' | 'sandbox'

interface Parts {
  key: ConnectKey
  clock: Clock
  circuit: CircuitBreaker
  /** Null = Apple's own address. */
  apiUrl: string | null
  timeoutMs?: number
}

/** The App Store Connect API with one key. Every outcome is a value; nothing here throws. */
export class ConnectClient {
  constructor(private readonly parts: Parts) {}

  /** The app with exactly this bundle id; null when the key sees no such app. */
  async findApp(bundleId: string): Promise<ConnectResult<App | null>> {
    // The filter also finds bundle ids that start with the text.
    const result = await this.#pages(`/v1/apps?filter[bundleId]=${encodeURIComponent(bundleId)}&limit=${PAGE}`, Apps)
    if (!result.ok) return result
    return { ok: true, value: result.value.find(({ attributes }) => attributes.bundleId === bundleId) ?? null }
  }

  /** Sets the addresses for notifications of version 2. */
  async setNotificationUrl(
    appId: string,
    url: string,
    environments: readonly NotificationEnvironment[],
  ): Promise<ConnectResult<App>> {
    const attributes = {
      ...(environments.includes('production') && {
        subscriptionStatusUrl: url,
        subscriptionStatusUrlVersion: 'V2',
      }),
      ...(environments.includes('sandbox') && {
        subscriptionStatusUrlForSandbox: url,
        subscriptionStatusUrlVersionForSandbox: 'V2',
      }),
    }
    const body = { data: { type: 'apps', id: appId, attributes } }
    const result = await this.#call('PATCH', `/v1/apps/${encodeURIComponent(appId)}`, OneApp, body)
    return result.ok ? { ok: true, value: result.value.data } : result
  }

  listInAppPurchases(appId: string): Promise<ConnectResult<InAppPurchase[]>> {
    return this.#pages(`/v1/apps/${encodeURIComponent(appId)}/inAppPurchasesV2?limit=${PAGE}`, InAppPurchases)
  }

  /** The subscriptions of all groups. */
  async listSubscriptions(appId: string): Promise<ConnectResult<Subscription[]>> {
    const path = `/v1/apps/${encodeURIComponent(appId)}/subscriptionGroups?limit=${PAGE}`
    const groups = await this.#pages(path, SubscriptionGroups)
    if (!groups.ok) return groups
    const found: Subscription[] = []
    for (const { id } of groups.value) {
      const inGroup = `/v1/subscriptionGroups/${encodeURIComponent(id)}/subscriptions?limit=${PAGE}`
      const subscriptions = await this.#pages(inGroup, Subscriptions)
      if (!subscriptions.ok) return subscriptions
      found.push(...subscriptions.value)
    }
    return { ok: true, value: found }
  }

  async #pages<Item extends object>(
    first: string,
    schema: TSchema & { static: { data: Item[]; links?: { next?: string | null } | null } },
  ): Promise<ConnectResult<Item[]>> {
    const items: Item[] = []
    for (let path: string | null = first, page = 0; path !== null && page < MAX_PAGES; page++) {
      const result: ConnectResult<Static<typeof schema>> = await this.#call('GET', path, schema)
      if (!result.ok) return result
      items.push(...result.value.data)
      path = pathOf(result.value.links?.next ?? null)
    }
    return { ok: true, value: items }
  }

  async #call<Schema extends TSchema>(
    method: 'GET' | 'PATCH',
    path: string,
    schema: Schema,
    body?: object,
  ): Promise<ConnectResult<Static<Schema>>> {
    const { key, clock, circuit } = this.parts
    const token = await connectToken(key, clock.now())
    // What Apple answers to a token that its key did not sign.
    if (token === null) return { ok: false, kind: 'rejected', status: 401, code: null, detail: null }
    if (!circuit.tryBegin(clock.now())) return unavailable(Math.ceil(circuit.openForMs(clock.now()) / SECOND) || 1)
    const answer = await this.#send(method, path, token, body)
    const now = clock.now()
    // A rate limit concerns one team only.
    if (!answer || answer.status >= 500) circuit.fail(now)
    else circuit.succeed(now)
    return answer ? readAnswer(answer, schema, now) : unavailable(null)
  }

  /** Null when no answer came: no connection, or a timeout. */
  async #send(method: string, path: string, token: string, body?: object): Promise<Answer | null> {
    const { apiUrl, timeoutMs = TIMEOUT_MS } = this.parts
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    const content = body && { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const url = `${apiUrl ?? CONNECT_API_URL}${path}`
      const response = await fetch(url, { method, headers, redirect: 'manual', signal, ...content })
      const retryAfter = response.headers.get('retry-after')
      return { status: response.status, retryAfter, text: await answerText(response) }
    } catch {
      return null
    }
  }
}

interface Answer {
  status: number
  retryAfter: string | null
  text: string
}

/** Only the path of the next page is used: the key is sent to no other host. */
function pathOf(next: string | null): string | null {
  const url = next === null ? null : URL.parse(next)
  return url && `${url.pathname}${url.search}`
}

const unavailable = (retryAfter: number | null): ConnectUnavailable => ({
  ok: false,
  kind: 'unavailable',
  ...(retryAfter === null ? {} : { retryAfter }),
})

function readAnswer<Schema extends TSchema>(
  { status, retryAfter, text }: Answer,
  schema: Schema,
  now: number,
): ConnectResult<Static<Schema>> {
  if (status === 429 || status >= 500) return unavailable(parseRetryAfter(retryAfter, now))
  const body = parseJson(text)
  if (status >= 200 && status <= 299 && Value.Check(schema, body)) return { ok: true, value: body }
  const [error] = Value.Check(Failure, body) ? body.errors : []
  return {
    ok: false,
    kind: 'rejected',
    status,
    code: error?.code ?? null,
    detail: error?.detail?.slice(0, 500) ?? null,
  }
}
