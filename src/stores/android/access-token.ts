import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { SignJWT } from 'jose'
import { type Clock, HOUR, MINUTE, SECOND } from '../../base/lib/clock'
import { parseObject } from '../../base/lib/json'
import { answerText } from '../answer-text'
import { CallFailure, failureOf, isUnavailableStatus } from './answer'
import type { ServiceAccount } from './service-account'

/** Where Google exchanges a service account's assertion for an access token. */
export const GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token'

/** What a token may be used for. */
export const PLAY_SCOPE = 'https://www.googleapis.com/auth/androidpublisher'
export const PUBSUB_SCOPE = 'https://www.googleapis.com/auth/pubsub'
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** A token that ends sooner than this is no longer used. */
const MARGIN_MS = 5 * MINUTE

/** A token goes into a header, so it has no control characters. `expires_in` is in seconds (RFC 6749, 5.1). */
const TokenAnswer = Type.Object({
  access_token: Type.String({ pattern: '^[\\x21-\\x7e]{1,8192}$' }),
  expires_in: Type.Optional(Type.Integer({ minimum: 1, maximum: 7 * 24 * 60 * 60 })),
})

interface Parts {
  account: ServiceAccount
  tokenUrl: string
  clock: Clock
  /** `PLAY_SCOPE` when absent. */
  scope?: string
}

/** Access tokens of one service account (RFC 7523), each used until shortly before its end. */
export class AccessTokens {
  readonly #parts: Parts
  #held: { token: string; usableUntil: number } | null = null
  #asking: Promise<string> | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * A valid token. Throws a `CallFailure` when Google gives none. Callers that ask while a request runs share its
   * result.
   */
  get(signal: AbortSignal): Promise<string> {
    if (this.#held && this.#parts.clock.now() < this.#held.usableUntil) return Promise.resolve(this.#held.token)
    this.#asking ??= this.#ask(signal).finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  /** Called when Google refused the current token: the next call requests another one. */
  forget(): void {
    this.#held = null
  }

  async #ask(signal: AbortSignal): Promise<string> {
    const askedAt = this.#parts.clock.now()
    const { token, livesMs } = await this.#exchange(await this.#assertion(askedAt), signal)
    this.#held = { token, usableUntil: askedAt + livesMs - MARGIN_MS }
    return token
  }

  #assertion(now: number): Promise<string> {
    const { account, tokenUrl, scope = PLAY_SCOPE } = this.#parts
    return new SignJWT({ scope })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(account.keyId ? { kid: account.keyId } : {}) })
      .setIssuer(account.clientEmail)
      .setAudience(tokenUrl)
      .setIssuedAt(Math.floor(now / SECOND))
      .setExpirationTime(Math.floor((now + HOUR) / SECOND))
      .sign(account.privateKey)
  }

  async #exchange(assertion: string, signal: AbortSignal): Promise<{ token: string; livesMs: number }> {
    const { status, text } = await this.#post(assertion, signal)
    if (isUnavailableStatus(status)) throw new CallFailure({ kind: 'unavailable', why: 'status', status })
    const body = parseObject(text)
    if (status !== 200 || !Value.Check(TokenAnswer, body)) {
      const reason = typeof body?.error === 'string' ? body.error : null
      throw new CallFailure({ kind: 'rejected', why: 'credentials', status, reason })
    }
    return { token: body.access_token, livesMs: (body.expires_in ?? HOUR / SECOND) * SECOND }
  }

  async #post(assertion: string, signal: AbortSignal): Promise<{ status: number; text: string }> {
    const body = new URLSearchParams({ grant_type: JWT_BEARER, assertion })
    try {
      const response = await fetch(this.#parts.tokenUrl, { method: 'POST', body, signal, redirect: 'manual' })
      return { status: response.status, text: await answerText(response) }
    } catch (error) {
      throw new CallFailure(failureOf(error))
    }
  }
}
