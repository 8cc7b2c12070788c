import { answerOnce, type RecordedRequest, recordOf, type Written, written } from './payment-api'
import { type DeliveryOptions, type SignedDelivery, signEvents } from './payment-events'
import type { PaymentWorld } from './payment-world'

export type { RecordedRequest }

/** Faults that the stand-in simulates. */
export interface Faults {
  /** Answers with this status and does nothing else. */
  status: number | null
  /** Seconds in the `Retry-After` of that answer. */
  retryAfter?: number
  delayMs: number
  /** Answers only after this promise is fulfilled. */
  until?: Promise<void>
  /** Answers with status 200 and a text that is not JSON. */
  isMalformed: boolean
  /** The text of an answer with status 200, in place of the right one; null = the right one. */
  reply?: (request: RecordedRequest) => string | null
}

export const NO_FAULTS: Faults = { status: null, delayMs: 0, isMalformed: false }

/** A loopback stand-in for the provider's API, over simulated objects that a script changes. */
export class PaymentServer {
  readonly requests: RecordedRequest[] = []
  faults: Faults = NO_FAULTS
  readonly #server: Bun.Server<undefined>
  #delivered = 0

  constructor(
    readonly world: PaymentWorld,
    private readonly secretKey: string,
  ) {
    this.#server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => this.#handle(request) })
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  /** Signed events since the last call, ready for delivery. */
  takeDeliveries(options: Omit<DeliveryOptions, 'now'>): Promise<SignedDelivery[]> {
    const events = this.world.events.slice(this.#delivered)
    this.#delivered = this.world.events.length
    return signEvents(events, { ...options, now: this.world.clock.now() })
  }

  async close(): Promise<void> {
    await this.#server.stop(true)
  }

  async #handle(request: Request): Promise<Response> {
    const recorded = await recordOf(request)
    this.requests.push(recorded)
    const { delayMs, isMalformed, until, reply } = this.faults
    if (delayMs > 0) await Bun.sleep(delayMs)
    await until
    if (isMalformed) return new Response('<html>no JSON</html>')
    const garbage = reply?.(recorded) ?? null
    if (garbage !== null) return new Response(garbage, { headers: { 'content-type': 'application/json' } })
    const answer = this.#refusal(recorded, request.headers.get('authorization')) ?? answerOnce(this.world, recorded)
    const { status, retryAfter } = this.faults
    const wait = status === null || retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
    const headers = { 'content-type': 'application/json', 'request-id': this.world.nextId('req'), ...wait }
    return new Response(answer.body, { status: answer.status, headers })
  }

  #refusal({ account }: RecordedRequest, authorization: string | null): Written | null {
    const { status } = this.faults
    if (status !== null) return written(this.world, { status, type: typeOf(status), code: 'simulated' }, [])
    const refused = { type: 'invalid_request_error', status: 401, code: 'api_key_invalid' }
    if (authorization !== `Bearer ${this.secretKey}`) return written(this.world, refused, [])
    return account === this.world.account
      ? null
      : written(this.world, { ...refused, status: 403, code: 'account_invalid' }, [])
  }
}

function typeOf(status: number): string {
  if (status >= 500) return 'api_error'
  return { 402: 'card_error', 429: 'rate_limit_error' }[status] ?? 'invalid_request_error'
}
