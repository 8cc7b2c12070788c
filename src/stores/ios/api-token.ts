import { importPKCS8, SignJWT } from 'jose'
import { type Clock, MINUTE, SECOND } from '../../base/lib/clock'

/** An In-App Purchase key of App Store Connect and the app that it speaks for. */
export interface ApiCredentials {
  bundleId: string
  keyId: string
  issuerId: string
  /** PEM text of PKCS #8, as the store hands it out. */
  privateKey: string
}

/** The store takes no token that lives longer than an hour. */
const LIFETIME_MS = 30 * MINUTE
/** What a call may still need once it has its token. */
const MARGIN_MS = 5 * MINUTE

/** Bearer tokens for the App Store Server API, each signed once and used for most of its life. */
export class ApiTokens {
  #token: Promise<string | null> | null = null
  #issuedAt = 0

  constructor(
    private readonly credentials: ApiCredentials,
    private readonly clock: Clock,
  ) {}

  /** A token that is good for some minutes at least; null when the private key cannot be read. */
  get(): Promise<string | null> {
    const now = this.clock.now()
    // A clock set back would leave a token that is dated in the future.
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
