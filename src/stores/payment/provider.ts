import type Stripe from 'stripe'
import type { CircuitBreaker } from '../../base/lib/circuit'
import { type Clock, SECOND } from '../../base/lib/clock'
import { boundedFetch, presentFetch } from '../answer-text'
import { fetchOf, type InProcessStore } from '../in-process'
import { UnreadableAnswer } from './received'
import type { Malformed } from './shapes'

/** The API version in each request, which `shapes.ts` describes. An account's own default version is not used. */
export const API_VERSION = '2026-10-28.endive'

export const CALL_TIMEOUT_MS = 8 * SECOND

export interface ProviderParts {
  /** Address of the provider; null for the real one. Only scheme, host and port are used. */
  apiUrl: string | null
  /** The project's own key, or the platform's key together with `account`. */
  secretKey: string
  /** The connected account of the calls; null when the key is the project's own. */
  account: string | null
  /** Shared by all projects, for it counts failures of the provider as a whole. */
  circuit: CircuitBreaker
  clock: Clock
  timeoutMs?: number
  /** Replaces the network: the test store of a project. */
  simulator?: InProcessStore
}

/**
 * `unavailable`: no answer, one that is not JSON, 409, 429, 5xx or an open circuit. The call can be tried again later.
 * `malformed`: a success whose object is not what was asked for.
 */
export type ProviderFailure =
  | Malformed
  | { ok: false; reason: 'unavailable'; cause: unknown }
  | {
      ok: false
      reason: 'rejected'
      status: number
      providerRequestId: string | null
      providerErrorType: string | null
      providerErrorCode: string | null
    }

export type ProviderResult<Value> = { ok: true; value: Value } | ProviderFailure

/** Calls to the provider with one key, one account and one circuit. Each outcome of a call is a return value. */
export class Provider {
  #client: Promise<Stripe> | null = null

  constructor(private readonly parts: ProviderParts) {}

  async call<Value>(work: (stripe: Stripe) => Promise<Value>): Promise<ProviderResult<Value>> {
    const { circuit, clock } = this.parts
    if (!circuit.tryBegin(clock.now())) return { ok: false, reason: 'unavailable', cause: 'circuit open' }
    this.#client ??= connect(this.parts)
    try {
      const value = await work(await this.#client)
      circuit.succeed(clock.now())
      return { ok: true, value }
    } catch (error) {
      const failure = toFailure(error)
      if (isOutage(error)) circuit.fail(clock.now())
      else circuit.succeed(clock.now())
      return failure
    }
  }
}

/** The provider's library. It is large, so it is loaded on first use and does not delay the start. */
export const loadLibrary = async (): Promise<typeof Stripe> => (await import('stripe')).default

async function connect({ apiUrl, secretKey, account, timeoutMs, simulator }: ProviderParts): Promise<Stripe> {
  const Library = await loadLibrary()
  return new Library(secretKey, {
    apiVersion: API_VERSION,
    // The deadline is for the whole call. The caller tries again, with the same idempotency key.
    maxNetworkRetries: 0,
    timeout: timeoutMs ?? CALL_TIMEOUT_MS,
    telemetry: false,
    httpClient: Library.createFetchHttpClient(boundedFetch(simulator ? fetchOf(simulator) : presentFetch, objectText)),
    ...(account !== null && { stripeAccount: account }),
    ...(apiUrl !== null && whereIs(new URL(apiUrl))),
  })
}

/**
 * For a JSON text that is no object the library throws where nobody can catch it, and the call never ends. Every answer
 * of the provider is an object. For an object without `error` the library does not look at the status: a server between
 * us and the provider may answer so, and it would be read as a success.
 */
const objectText = (text: string, status: number): string =>
  /^\s*\{/.test(text) && (status < 500 || isError(text)) ? text : 'no object'

function isError(text: string): boolean {
  try {
    return Boolean(JSON.parse(text).error)
  } catch {
    return false // Not JSON.
  }
}

const whereIs = ({ protocol, hostname, port }: URL) => {
  const scheme = protocol === 'http:' ? ('http' as const) : ('https' as const)
  return { protocol: scheme, host: hostname, port: port === '' ? (scheme === 'http' ? 80 : 443) : Number(port) }
}

/** The members that the library sets on each error that it throws, whatever its class. */
interface Thrown {
  statusCode?: unknown
  requestId?: unknown
  rawType?: unknown
  code?: unknown
}

function toFailure(error: unknown): ProviderFailure {
  if (error instanceof UnreadableAnswer) return error.result
  const { statusCode: status, requestId, rawType, code } = membersOf(error)
  // A redirect, or an answer that is not JSON, has no status here.
  if (typeof status !== 'number' || status < 400 || RETRIED.includes(status) || status >= 500) {
    return { ok: false, reason: 'unavailable', cause: error }
  }
  return {
    ok: false,
    reason: 'rejected',
    status,
    providerRequestId: textOf(requestId),
    providerErrorType: textOf(rawType),
    providerErrorCode: textOf(code),
  }
}

/** 409: another request with the same idempotency key is running. 429: too many requests. */
const RETRIED = [409, 429]

/**
 * Whether the error is a failure of the provider. A rate limit or a refusal of one account must not open the circuit
 * for the others.
 */
function isOutage(error: unknown): boolean {
  if (error instanceof UnreadableAnswer) return false
  const { statusCode } = membersOf(error)
  return typeof statusCode !== 'number' || statusCode >= 500
}

const membersOf = (error: unknown): Thrown => (typeof error === 'object' && error !== null ? error : {})

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
