import { SECOND } from '../../../base/lib/clock'
import { type AccountKey, bindExternally, signRequest } from './jws'
import { AcmeError, readRetryAfter, toProblem } from './problem'
import { type Answer, addressIn, type CallParts, callOnce, objectOf } from './transport'

/** The addresses of a certificate authority (RFC 8555, 7.1.1). */
export interface Directory {
  newNonce: string
  newAccount: string
  newOrder: string
  /** Null = the authority has no renewal information (RFC 9773). */
  renewalInfo: string | null
  termsOfService: string | null
  /** The names of its profiles. */
  profiles: readonly string[]
  /** Milliseconds by which the clock of this machine is behind that of the authority; null = it does not say. */
  skewMs: number | null
}

/** Reads the directory of an authority. */
export async function readDirectory(parts: CallParts, url: string): Promise<Directory> {
  const answer = await patiently(parts, () => callOnce(parts, url))
  const body = objectOf(answer, parts.now())
  const meta = (typeof body.meta === 'object' && body.meta !== null ? body.meta : {}) as Record<string, unknown>
  const date = Date.parse(answer.headers.get('date') ?? '')
  return {
    newNonce: addressIn(body, 'newNonce'),
    newAccount: addressIn(body, 'newAccount'),
    newOrder: addressIn(body, 'newOrder'),
    renewalInfo: body.renewalInfo === undefined ? null : addressIn(body, 'renewalInfo'),
    termsOfService: typeof meta.termsOfService === 'string' ? meta.termsOfService : null,
    profiles: typeof meta.profiles === 'object' && meta.profiles !== null ? Object.keys(meta.profiles) : [],
    skewMs: Number.isNaN(date) ? null : date - parts.now(),
  }
}

/** With one refused nonce in five, all of them are refused once in 400,000 requests. */
const NONCE_ATTEMPTS = 8
const ATTEMPTS = 4
/** A longer wait is left to the next attempt for the name. */
const LONGEST_PAUSE_MS = 10 * SECOND

/** Repeats a call while the authority is busy (429, 503 and other 5xx), with the pauses that it asks for. */
async function patiently(parts: CallParts, call: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await call()
    const isBusy = answer.status === 429 || answer.status >= 500
    const pauseMs = readRetryAfter(answer.headers.get('retry-after'), parts.now()) ?? attempt * SECOND
    if (!isBusy || attempt >= ATTEMPTS || pauseMs > LONGEST_PAUSE_MS) return answer
    await pause(parts.signal, pauseMs)
  }
}

/** Waits, and throws when the signal ends the work. */
export async function pause(signal: AbortSignal, ms: number): Promise<void> {
  signal.throwIfAborted()
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
  signal.throwIfAborted()
}

/** Signed calls of one account. */
export class AcmeClient {
  private readonly nonces: string[] = []

  constructor(
    readonly parts: CallParts,
    readonly directory: Directory,
    readonly key: AccountKey,
    /** Null before the account is registered. */
    public accountUrl: string | null,
  ) {}

  /** Registers the account, or finds it when its key is registered already. Returns its address. */
  async register(email: string | null, eab: { kid: string; hmac: string } | null): Promise<string> {
    const { newAccount } = this.directory
    const binding = eab === null ? null : await bindExternally(this.key, newAccount, eab)
    const answer = await this.send(newAccount, {
      termsOfServiceAgreed: true,
      ...(email !== null && { contact: [`mailto:${email}`] }),
      ...(binding !== null && { externalAccountBinding: binding }),
    })
    const body = objectOf(answer, this.parts.now())
    const location = answer.headers.get('location')
    if (location === null) throw new AcmeError('malformedAnswer', 'it gave no address of the account')
    if (body.status !== undefined && body.status !== 'valid')
      throw new AcmeError('unauthorized', `the account is ${String(body.status)}`)
    this.accountUrl = location
    return location
  }

  /** The JSON of a signed call; without a payload it only reads. Throws the problem of the authority. */
  async post(url: string, payload?: object): Promise<{ body: Record<string, unknown>; headers: Headers }> {
    const answer = await this.send(url, payload)
    return { body: objectOf(answer, this.parts.now()), headers: answer.headers }
  }

  /** The text of a signed call that only reads, such as a chain of certificates. */
  async readText(url: string): Promise<string> {
    const { status, body, headers } = await this.send(url, undefined)
    if (status === 200 && typeof body === 'string') return body
    throw toProblem(status, body, readRetryAfter(headers.get('retry-after'), this.parts.now()))
  }

  private send(url: string, payload: object | undefined): Promise<Answer> {
    return patiently(this.parts, () => this.withNonce(url, payload))
  }

  private async withNonce(url: string, payload: object | undefined): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const nonce = this.nonces.pop() ?? (await this.newNonce())
      const kid = url === this.directory.newAccount ? null : this.accountUrl
      const signed = await signRequest(this.key, { url, nonce, kid }, payload)
      const headers = { 'content-type': 'application/jose+json' }
      const answer = await callOnce(this.parts, url, { method: 'POST', headers, body: JSON.stringify(signed) })
      this.keepNonce(answer.headers)
      const isRefused = answer.status === 400 && toProblem(400, answer.body, null).type === 'badNonce'
      if (!isRefused || attempt >= NONCE_ATTEMPTS) return answer
    }
  }

  private async newNonce(): Promise<string> {
    const answer = await patiently(this.parts, () => callOnce(this.parts, this.directory.newNonce, { method: 'HEAD' }))
    const nonce = answer.headers.get('replay-nonce')
    if (nonce === null) throw new AcmeError('malformedAnswer', 'it gave no nonce')
    return nonce
  }

  private keepNonce(headers: Headers): void {
    const nonce = headers.get('replay-nonce')
    if (nonce !== null && /^[\w-]+$/.test(nonce)) this.nonces.push(nonce)
  }
}
