import type { FlagEnvironment } from '../flags/model'
import { MINUTE } from '../lib/clock'
import type { Mac } from '../lib/mac'

/** Whom a stream token stands for. The key is the one that asked for it: revoked, it opens nothing any more. */
export interface StreamGrant {
  projectId: string
  keyId: string
  /** Which half of it: a public key speaks for a device, a secret one for anybody. */
  presented: 'public' | 'secret'
  /** A device key, or with a secret key any subscriber reference. */
  subscriber: string
  env: FlagEnvironment
}

/** An event source in a browser sends no header; so long a token opens the stream in its place (wire 2.23). */
const LIFE_MS = 10 * MINUTE
const PURPOSE = 'stream token'

/** `st` of wire 2.23: what it stands for and until when, and our signature over both. */
export function writeStreamToken(mac: Mac, grant: StreamGrant, now: number): string {
  const body = Buffer.from(JSON.stringify([...membersOf(grant), now + LIFE_MS])).toString('base64url')
  return `${body}.${mac.sign(body, PURPOSE)}`
}

/** Null for a token that we did not sign, or that is past its time. */
export function readStreamToken(mac: Mac, token: string, now: number): StreamGrant | null {
  const [body = '', signature = '', more] = token.split('.')
  if (more !== undefined || !mac.isSigned(body, PURPOSE, signature)) return null
  const [projectId, keyId, presented, subscriber, env, expiresAt] = JSON.parse(
    Buffer.from(body, 'base64url').toString(),
  )
  return expiresAt > now ? { projectId, keyId, presented, subscriber, env } : null
}

const membersOf = ({ projectId, keyId, presented, subscriber, env }: StreamGrant) => [
  projectId,
  keyId,
  presented,
  subscriber,
  env,
]
