import { importPKCS8, SignJWT } from 'jose'
import { type Clock, MINUTE, SECOND } from '../../base/lib/clock'

/** An In-App Purchase key of App Store Connect, and the app that it belongs to. */
export interface ApiCredentials {
  bundleId: string
  keyId: string
  issuerId: string
  /** PEM text of PKCS #8, as App Store Connect provides it. */
  privateKey: string
}

/** Apple refuses tokens that live longer than an hour. */
const LIFETIME_MS = 30 * MINUTE
/** Time that a call may need after it got its token. */
const MARGIN_MS = 5 * MINUTE

/** Bearer tokens for the App Store Server API. Each is signed once and used for most of its lifetime. */
export class ApiTokens {
  #token: Promise<string | null> | null = null
  #issuedAt = 0

  constructor(
    private readonly credentials: ApiCredentials,
    private readonly clock: Clock,
  ) {}

  /** A token that stays valid for at least five minutes; null when the private key cannot be read. */
  get(): Promise<string | null> {
    const now = this.clock.now()
    // If the clock was set back, the kept token would be dated in the future.
    const isFresh = now >= this.#issuedAt && now < this.#issuedAt + LIFETIME_MS - MARGIN_MS
    if (!this.#token || !isFresh) {
      this.#issuedAt = now
      this.#token = issueToken(this.credentials, now)
    }
    return this.#token
  }
}

async function issueToken({ bundleId, keyId, issuerId, privateKey }: ApiCredentials, now: number) {
  const key = await importPKCS8(privateKey.trim(), 'ES256').catch(() => null)
  if (!key) return null
  return new SignJWT({ bid: bundleId })
    .setProtectedHeader({ alg: 'ES256', kid: keyId, typ: 'JWT' })
    .setIssuer(issuerId)
    .setIssuedAt(Math.floor(now / SECOND))
    .setExpirationTime(Math.floor((now + LIFETIME_MS) / SECOND))
    .setAudience('appstoreconnect-v1')
    .sign(key)
}
