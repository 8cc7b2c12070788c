import { importPKCS8, SignJWT } from 'jose'
import { MINUTE, SECOND } from '../../base/lib/clock'

/** A key of App Store Connect. */
export interface ConnectKey {
  keyId: string
  issuerId: string
  /** PEM text of PKCS #8, as App Store Connect provides it. */
  privateKey: string
}

/** Apple refuses tokens that live longer than 20 minutes. */
const LIFETIME_MS = 10 * MINUTE

/** A bearer token for the App Store Connect API; null when the private key cannot be read. */
export async function connectToken({ keyId, issuerId, privateKey }: ConnectKey, now: number): Promise<string | null> {
  const key = await importPKCS8(privateKey.trim(), 'ES256').catch(() => null)
  if (!key) return null
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId, typ: 'JWT' })
    .setIssuer(issuerId)
    .setIssuedAt(Math.floor(now / SECOND))
    .setExpirationTime(Math.floor((now + LIFETIME_MS) / SECOND))
    .setAudience('appstoreconnect-v1')
    .sign(key)
}
