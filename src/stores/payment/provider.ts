import type Stripe from 'stripe'
import type { CircuitBreaker } from '../../base/lib/circuit'
import { type Clock, SECOND } from '../../base/lib/clock'
import { fetchOf, type InProcessStore } from '../in-process'

/** The version that every request names and that `shapes.ts` describes; an account's own default does not matter. */
export const API_VERSION = '2026-10-28.endive'

export const CALL_TIMEOUT_MS = 8 * SECOND

export interface ProviderParts {
  /** Where the provider is; null for the real one. Only scheme, host and port count. */
  apiUrl: string | null
  /** The project's own key, or the platform's with `account`. */
  secretKey: string
  /** The connected account to act for; null when the key is the project's own. */
  account: string | null
  /** Shared by all projects: it is about the provider. */
  circuit: CircuitBreaker
  clock: Clock
  timeoutMs?: number
  /** In place of the network: the test store of a project. */
  simulator?: InProcessStore
}

/** `unavailable`: no answer, a useless one, 409, 429, 5xx or an open circuit; worth another try. */
export type ProviderFailure =
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

/** One party to talk to: the key, the account and the circuit; every outcome of a call is a value. */
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

/** The provider's library; loaded on first use, for it is large and a start must not wait for it. */
export const loadLibrary = async (): Promise<typeof Stripe> => (await import('stripe')).default

async function connect({ apiUrl, secretKey, account, timeoutMs, simulator }: ProviderParts): Promise<Stripe> {
  const Library = await loadLibrary()
  return new Library(secretKey, {
    apiVersion: API_VERSION,
    // The deadline is for the whole call; who calls tries again, under the same idempotency key.
    maxNetworkRetries: 0,
    timeout: timeoutMs ?? CALL_TIMEOUT_MS,
    telemetry: false,
    httpClient: Library.createFetchHttpClient(simulator && fetchOf(simulator)),
    ...(account !== null && { stripeAccount: account }),
    ...(apiUrl !== null && whereIs(new URL(apiUrl))),
  })
}

const whereIs = ({ protocol, hostname, port }: URL) => {
  const scheme = protocol === 'http:' ? ('http' as const) : ('https' as const)
  return { protocol: scheme, host: hostname, port: port === '' ? (scheme === 'http' ? 80 : 443) : Number(port) }
}

/** The members that the library sets on what it throws, whatever class it has. */
interface Thrown {
  statusCode?: unknown
  requestId?: unknown
  rawType?: unknown
  code?: unknown
}

function toFailure(error: unknown): ProviderFailure {
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

/** Another request with the same idempotency key runs; too many requests. */
const RETRIED = [409, 429]

/** Whether it speaks against the provider: one account's limit, or a refusal, must not shut out the others. */
function isOutage(error: unknown): boolean {
  const { statusCode } = membersOf(error)
  return typeof statusCode !== 'number' || statusCode >= 500
}

const membersOf = (error: unknown): Thrown => (typeof error === 'object' && error !== null ? error : {})

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
