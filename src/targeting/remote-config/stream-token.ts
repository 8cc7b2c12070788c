import { MINUTE } from '../../base/lib/clock'
import type { Mac } from '../../base/lib/mac'
import type { FlagEnvironment } from '../flags/model'

/** Whom a stream token stands for. The key is the one that asked for it: revoked, it opens nothing any more. */
export interface StreamGrant {
  projectId: string
  keyId: string
  /** Which half of it: a public key speaks for a device, a secret one for anybody. */
  presented: 'public' | 'secret'
  /** A device key, or with a secret key any subscriber reference. */
  subscriber: string
  env: FlagEnvironment
  /** Of the flags that its address was given with: other ones have changed before the stream could tell so. */
  etag?: string
}

/** An event source in a browser sends no header; so long a token opens the stream in its place (wire 2.23). */
export const LIFE_MS = 10 * MINUTE
const PURPOSE = 'stream token'

/** `st` of wire 2.23: what it stands for and until when, and our signature over both. */
export function writeStreamToken(mac: Mac, grant: StreamGrant, now: number): string {
  const { projectId, keyId, presented, subscriber, env, etag } = grant
  const members = [projectId, keyId, presented, subscriber, env, now + LIFE_MS, etag]
  const body = Buffer.from(JSON.stringify(members)).toString('base64url')
  return `${body}.${mac.sign(body, PURPOSE)}`
}

/** What a token was signed for, and whether its time is over; null for one that we did not sign. */
export function openStreamToken(mac: Mac, token: string, now: number): { grant: StreamGrant; isOver: boolean } | null {
  const [body = '', signature = '', more] = token.split('.')
  if (more !== undefined || !mac.isSigned(body, PURPOSE, signature)) return null
  const [projectId, keyId, presented, subscriber, env, expiresAt, etag] = JSON.parse(
    Buffer.from(body, 'base64url').toString(),
  )
  const grant = { projectId, keyId, presented, subscriber, env, ...(etag && { etag }) }
  return { grant, isOver: expiresAt <= now }
}

/** Null for a token that we did not sign, or that is past its time. */
export function readStreamToken(mac: Mac, token: string, now: number): StreamGrant | null {
  const opened = openStreamToken(mac, token, now)
  return opened && !opened.isOver ? opened.grant : null
}
