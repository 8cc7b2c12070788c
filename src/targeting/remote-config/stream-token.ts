import { MINUTE } from '../../base/lib/clock'
import type { Mac } from '../../base/lib/mac'
import type { FlagEnvironment } from '../../core/flag/names'

/**
 * For whom a stream token is valid. The key is the one that requested it; once that key is revoked, the token is not
 * valid.
 */
export interface StreamGrant {
  projectId: string
  keyId: string
  /** Which half of the key: a public key acts for a device, a secret key for any subscriber. */
  presented: 'public' | 'secret'
  /** A device key; with a secret key it can be any subscriber reference. */
  subscriber: string
  env: FlagEnvironment
  /**
   * The tag of the flags that came with the address. If the tag is another one when the stream opens, the flags have
   * changed before the stream could report it.
   */
  etag?: string
}

/**
 * How long a token is valid. Event sources in browsers send no headers, so the token takes the place of the header
 * (wire 2.23).
 */
export const LIFE_MS = 10 * MINUTE
const PURPOSE = 'stream token'

/** `st` of wire 2.23: the grant, the end of its validity, and a signature over both. */
export function writeStreamToken(mac: Mac, grant: StreamGrant, now: number): string {
  const { projectId, keyId, presented, subscriber, env, etag } = grant
  const members = [projectId, keyId, presented, subscriber, env, now + LIFE_MS, etag]
  const body = Buffer.from(JSON.stringify(members)).toString('base64url')
  return `${body}.${mac.sign(body, PURPOSE)}`
}

/** The grant of a token, and whether its time is over; null for a token that svc did not sign. */
export function openStreamToken(mac: Mac, token: string, now: number): { grant: StreamGrant; isOver: boolean } | null {
  const [body = '', signature = '', more] = token.split('.')
  if (more !== undefined || !mac.isSigned(body, PURPOSE, signature)) return null
  const [projectId, keyId, presented, subscriber, env, expiresAt, etag] = JSON.parse(
    Buffer.from(body, 'base64url').toString(),
  )
  const grant = { projectId, keyId, presented, subscriber, env, ...(etag && { etag }) }
  return { grant, isOver: expiresAt <= now }
}

/** The grant of a valid token; null for one that svc did not sign, or whose time is over. */
export function readStreamToken(mac: Mac, token: string, now: number): StreamGrant | null {
  const opened = openStreamToken(mac, token, now)
  return opened && !opened.isOver ? opened.grant : null
}
