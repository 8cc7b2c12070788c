import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { SECOND } from '../../src/base/lib/clock'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import { createIdentitySecret, rotateIdentitySecret } from '../../src/projects/identity-tokens/service'
import type { Answer, CastProject, Stage } from './cast'

export const HEADER = 'x-svc-identity-token'

/** Makes the identity secret of a project, as `svc identity secret create` does. */
export const makeSecret = async (s: Stage, project: CastProject = s.project): Promise<string> =>
  (await createIdentitySecret(s.ctx, { projectId: project.id, actor: CLI_ACTOR })).secret

export const rotateSecret = async (s: Stage, overlapHours: number): Promise<string> =>
  (await rotateIdentitySecret(s.ctx, { projectId: s.project.id, actor: CLI_ACTOR }, overlapHours)).secret

export interface Signing {
  key: string | KeyObject
  /** Replace those of a good token; undefined leaves a claim out. */
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
}

/** A token as the customer's server signs it: for the label, for the first project, for ten minutes from now. */
export async function tokenFor(s: Stage, label: string, { key, claims = {}, header = {} }: Signing): Promise<string> {
  const iat = Math.floor(s.ctx.clock.now() / SECOND)
  const all = { sub: label, aud: s.project.id, iat, exp: iat + 600, ...claims }
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  const alg = typeof key === 'string' ? 'HS256' : algorithmOf(key)
  const secret = typeof key === 'string' ? Buffer.from(key) : key
  return new SignJWT(kept).setProtectedHeader({ alg, ...header }).sign(secret)
}

const ALGORITHMS: Readonly<Record<string, string>> = { rsa: 'RS256', ec: 'ES256', ed25519: 'EdDSA' }
const algorithmOf = ({ asymmetricKeyType }: KeyObject): string => ALGORITHMS[asymmetricKeyType ?? ''] ?? ''

/** Posts identify with a public key. */
export const identifyWith = (
  s: Stage,
  deviceKey: string,
  appUserId: string,
  token: string | null,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  s.post(
    '/v1/identify',
    { deviceKey, appUserId },
    { headers: { ...(token === null ? {} : { [HEADER]: token }), ...headers } },
  )

export const REQUIRED = [403, { code: 'FORBIDDEN', message: 'Identity token required' }]
export const NOT_VALID = [403, { code: 'FORBIDDEN', message: 'Identity token is not valid' }]
export const refusalOf = ({ status, body }: Answer) => [status, body.error]

/** A server that publishes keys, as a customer's server does. */
export interface KeyServer {
  url: string
  /** How often the keys were asked for. */
  asked: number
  /** What it answers: a set of keys, or a response of its own. */
  answer: { keys: object[] } | (() => Response | Promise<Response>)
  stop(): Promise<void>
}

export function keyServer(keys: object[] = []): KeyServer {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch() {
      made.asked++
      return typeof made.answer === 'function' ? made.answer() : Response.json(made.answer)
    },
  })
  const made: KeyServer = {
    url: `http://127.0.0.1:${server.port}/jwks.json`,
    asked: 0,
    answer: { keys },
    stop: () => server.stop(true),
  }
  return made
}

export const KINDS = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: () => generateKeyPairSync('ed25519'),
} as const

/** The published form of a public key. */
export const jwkOf = (key: KeyObject, kid: string, more: object = {}): object => ({
  ...key.export({ format: 'jwk' }),
  kid,
  ...more,
})
