import type { Context } from '../../base/context'
import type { OutgoingLimits, OutgoingResult } from '../../base/http/outgoing'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { URL_FAULTS, type UrlFault } from '../../base/lib/outgoing-url'
import { reasonText } from '../../core/reason/reasons'
import type { TheirSide } from './core/model'
import { Pace } from './pace'
import { AnswerFault, decodeSubscriber } from './revenuecat/decode'

/** Why a whole run cannot continue. The sentence says what to do. */
export class CompareStopped extends Error {
  constructor(
    message: string,
    /** `KEY`: the key is refused. `AWAY`: the vendor does not answer. `ENDED`: the run is not to continue. */
    readonly why: 'KEY' | 'AWAY' | 'ENDED',
  ) {
    super(message)
  }
}

export const interrupted = (): CompareStopped => new CompareStopped(reasonText('COMPARE_INTERRUPTED'), 'ENDED')

/** Another process works on the run, or it was cancelled. */
export const takenAway = (): CompareStopped => new CompareStopped(reasonText('COMPARE_TAKEN'), 'ENDED')

/** So many answers in a row could not be used; the last one for this reason. */
export const unreadable = (count: number, message: string): CompareStopped =>
  new CompareStopped(reasonText('VENDOR_UNREADABLE', { count: String(count), message }), 'AWAY')

export type Answer = { ok: true; side: TheirSide; isCreated: boolean } | { ok: false; reason: string }

export interface ClientParts {
  url: string | null
  isTrusted: boolean
  key: string
  rate: number
  signal: AbortSignal
  /** Waits between attempts; tests make them shorter. */
  waits?: Waits
}

export interface Waits {
  firstMs: number
  longestMs: number
  /** How long the vendor may refuse everything before the run stops. */
  patienceMs: number
  timeoutMs: number
  /** At most this long until an end that was too close is read again. */
  secondMs: number
}

export const WAITS: Waits = {
  ...{ firstMs: SECOND, longestMs: MINUTE, patienceMs: 30 * MINUTE, timeoutMs: 30 * SECOND },
  secondMs: MINUTE,
}

export const VENDOR_URL = 'https://api.revenuecat.com'

const MAX_BYTES = 8 * 1024 * 1024

/** Attempts about one person before the vendor is taken to have no answer about that person. */
const MAX_ATTEMPTS = 6

/** Reads people from the vendor: paced, and repeated while the vendor is busy or away. */
export class VendorClient {
  private readonly pace: Pace
  private readonly waits: Waits
  private readonly base: string

  constructor(
    private readonly ctx: Pick<Context, 'state'>,
    private readonly parts: ClientParts,
  ) {
    this.waits = parts.waits ?? WAITS
    this.pace = new Pace(parts.rate, parts.signal)
    const base = (parts.url ?? VENDOR_URL).replace(/\/+$/, '')
    this.base = base.endsWith('/v1') ? base : `${base}/v1`
  }

  /** Everything that the vendor knows of one id. Throws `CompareStopped` when no further answer is to be expected. */
  async read(id: string): Promise<Answer> {
    let attempts = 0
    for (;;) {
      await this.pace.turn()
      const result = await this.call(`${this.base}/subscribers/${encodeURIComponent(id)}`)
      this.stopIfEnded()
      if (result.ok && isFinal(result.status)) return this.answer(result)
      const isBusy = result.ok && result.status === 429
      if (!isBusy) attempts++
      const reason = result.ok ? `HTTP ${result.status}` : result.reason
      if (attempts >= MAX_ATTEMPTS) return { ok: false, reason: reasonText('VENDOR_NO_ANSWER', { answer: reason }) }
      this.wait(result, Math.max(attempts, 1), reason)
    }
  }

  private answer({ status, body }: Extract<OutgoingResult, { ok: true }>): Answer {
    this.pace.goesWell()
    if (status === 401 || status === 403)
      throw new CompareStopped(reasonText('VENDOR_REFUSES_KEY', { httpStatus: String(status) }), 'KEY')
    if (status !== 200 && status !== 201)
      return { ok: false, reason: reasonText('VENDOR_ANSWERS', { httpStatus: String(status) }) }
    try {
      return { ok: true, side: decodeSubscriber(new TextDecoder().decode(body)), isCreated: status === 201 }
    } catch (error) {
      if (error instanceof AnswerFault) return { ok: false, reason: error.message }
      throw error
    }
  }

  /** Everybody waits, because the limit is for the whole key. */
  private wait(result: OutgoingResult, attempts: number, reason: string): void {
    const { firstMs, longestMs, patienceMs } = this.waits
    const grown = Math.min(longestMs, firstMs * 2 ** Math.max(attempts - 1, this.pace.pausesInRow))
    const asked = result.ok ? retryAfterMs(result) : null
    if (this.pace.pausedForMs >= patienceMs)
      throw new CompareStopped(reasonText('VENDOR_SILENT', { answer: reason }), 'AWAY')
    this.pace.pause(asked ?? grown)
  }

  private stopIfEnded(): void {
    if (this.parts.signal.aborted) throw interrupted()
  }

  private async call(address: string): Promise<OutgoingResult> {
    const { isTrusted, url, key, signal } = this.parts
    const init = { headers: { authorization: `Bearer ${key}`, accept: 'application/json' }, signal }
    const limits = { timeoutMs: this.waits.timeoutMs, maxBytes: MAX_BYTES }
    if (isTrusted && url !== null) return callTrusted(address, init, limits)
    const result = await this.ctx.state.outgoing.call(address, init, limits)
    if (!result.ok && result.reason in URL_FAULTS && result.reason !== 'unresolvable')
      throw new CompareStopped(reasonText('VENDOR_ADDRESS', { message: URL_FAULTS[result.reason as UrlFault] }), 'AWAY')
    return result
  }
}

/** Answers that another attempt does not change. */
const isFinal = (status: number): boolean =>
  status < 500 && ![408, 409, 423, 425, 429].includes(status) && (status < 300 || status >= 400)

const LONGEST_ASKED_MS = 60 * MINUTE

/** `Retry-After` in seconds or as a date, in comparison with the date of the answer; null when it is not said. */
function retryAfterMs({ headers, status }: Extract<OutgoingResult, { ok: true }>): number | null {
  const text = headers.get('retry-after')
  if (text === null || (status !== 429 && status !== 503)) return null
  if (/^\d{1,9}(\.\d+)?$/.test(text.trim())) return Math.min(LONGEST_ASKED_MS, Number(text) * SECOND)
  const [at, now] = [Date.parse(text), Date.parse(headers.get('date') ?? '')]
  const ms = at - now
  return Number.isFinite(ms) ? Math.min(LONGEST_ASKED_MS, Math.max(0, ms)) : null
}

/** A call to an address that the command line of the server has named: it may be in a private network, too. */
async function callTrusted(address: string, init: RequestInit, limits: OutgoingLimits): Promise<OutgoingResult> {
  const timeUp = AbortSignal.timeout(limits.timeoutMs)
  const signal = init.signal ? AbortSignal.any([init.signal, timeUp]) : timeUp
  try {
    const response = await fetch(address, { ...init, signal, redirect: 'manual' })
    const body: Uint8Array[] = []
    let total = 0
    for await (const part of response.body ?? []) {
      body.push(part)
      total += part.length
      if (total > limits.maxBytes) return { ok: false, reason: 'too_large' }
    }
    return { ok: true, status: response.status, headers: response.headers, body: Buffer.concat(body) }
  } catch {
    return { ok: false, reason: signal.aborted ? 'timeout' : 'unreachable' }
  }
}
