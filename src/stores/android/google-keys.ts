import { importJWK, type JWK } from 'jose'
import { type Clock, HOUR, MINUTE, SECOND } from '../../base/lib/clock'
import { answerText } from '../answer-text'

/** Address at which Google publishes the keys that sign its OIDC tokens. */
export const GOOGLE_KEYS_URL = 'https://www.googleapis.com/oauth2/v3/certs'

type Key = Awaited<ReturnType<typeof importJWK>>

export type KeyResult = { ok: true; key: Key } | { ok: false; reason: 'unknown_key' | 'keys_unavailable' }

interface Parts {
  url: string
  clock: Clock
}

const TIMEOUT_MS = 5 * SECOND
const MAX_KEYS = 50
/** Google changes its keys every few days and publishes new ones before it uses them. */
const FRESH_MS = HOUR
/** If new keys cannot be fetched, the old ones are used for at most this time. */
const STALE_MS = 24 * HOUR
const PAUSE_MS = MINUTE

/** Google's public keys by id. They are fetched when needed, at most once a minute, whatever key ids tokens name. */
export class GoogleKeys {
  readonly #parts: Parts
  #keys = new Map<string, Key>()
  #fetchedAt = Number.NEGATIVE_INFINITY
  #triedAt = Number.NEGATIVE_INFINITY
  #fetching: Promise<void> | null = null
  readonly #closing = new AbortController()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async find(id: string): Promise<KeyResult> {
    if (!this.#isYounger(FRESH_MS) || !this.#keys.has(id)) await this.#refresh()
    if (!this.#isYounger(STALE_MS)) return { ok: false, reason: 'keys_unavailable' }
    const key = this.#keys.get(id)
    return key ? { ok: true, key } : { ok: false, reason: 'unknown_key' }
  }

  close(): void {
    this.#closing.abort()
  }

  #isYounger(limit: number): boolean {
    return this.#parts.clock.now() - this.#fetchedAt < limit
  }

  /** Callers that ask while a request runs share its result. */
  #refresh(): Promise<void> {
    const now = this.#parts.clock.now()
    // Both directions count: after the clock was set back the pause must not be longer.
    if (!this.#fetching && Math.abs(now - this.#triedAt) >= PAUSE_MS) {
      this.#triedAt = now
      this.#fetching = this.#fetch().finally(() => {
        this.#fetching = null
      })
    }
    return this.#fetching ?? Promise.resolve()
  }

  async #fetch(): Promise<void> {
    try {
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(TIMEOUT_MS)])
      const response = await fetch(this.#parts.url, { signal, redirect: 'error' })
      const keys = response.ok ? await importKeys(JSON.parse(await answerText(response))) : new Map()
      if (keys.size === 0) return
      this.#keys = keys
      this.#fetchedAt = this.#parts.clock.now()
    } catch {
      // No answer, or no valid key set. The old keys stay until they are too old, and the next caller tries again.
    }
  }
}

async function importKeys(body: unknown): Promise<Map<string, Key>> {
  const listed = (body as { keys?: unknown } | null)?.keys
  const keys = new Map<string, Key>()
  for (const jwk of Array.isArray(listed) ? listed.slice(0, MAX_KEYS) : []) {
    const key = await importKey(jwk)
    if (key) keys.set(jwk.kid, key)
  }
  return keys
}

async function importKey(jwk: JWK | null): Promise<Key | null> {
  if (jwk?.kty !== 'RSA' || typeof jwk.kid !== 'string' || (jwk.use ?? 'sig') !== 'sig') return null
  try {
    return await importJWK({ kty: 'RSA', n: jwk.n ?? '', e: jwk.e ?? '' }, 'RS256')
  } catch {
    return null // An invalid key is skipped; the other keys still count.
  }
}
