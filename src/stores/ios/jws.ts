import { type KeyObject, verify } from 'node:crypto'
import type { Root } from '../../base/lib/certificates'
import { MAX_INSTANT } from '../../base/lib/time'
import { Together } from '../../base/lib/together'
import type { ChainRefusal, ChainVerifier } from './chain'
import type { AppleEnvironment } from './roots'

export type SignedRefusal = ChainRefusal | 'malformed' | 'too_large' | 'algorithm' | 'environment' | 'signature'

/** A payload with a valid signature. `environment` is the payload's own claim, which selected the trusted roots. */
export type SignedResult =
  | { ok: true; payload: Payload; environment: AppleEnvironment; signedAt: number }
  | { ok: false; reason: SignedRefusal }

type Refused = Extract<SignedResult, { ok: false }>

export type Payload = Record<string, unknown>

export interface VerifyOptions {
  /** Accepts Xcode and LocalTesting too. They must pass the same checks, against the sandbox roots. */
  allowLocal?: boolean
  /** Reads the environment from the payload; notifications carry it inside `data`. */
  environmentOf?: (payload: Payload) => unknown
  /** The root of the project's test store. It never signs for Production. */
  testRoot?: Root | null
}

interface Parts {
  head: string
  header: Payload
  payload: Payload
}

export const MAX_TOKEN_CHARS = 64 * 1024

const HEAD = /^[\w-]+$/
const REST = /^([\w-]+)\.([\w-]*)$/

/** Verifies a compact JWS signed by the App Store (wire 2.7). Each refusal is a return value; nothing throws. */
export function verifySigned(token: string, chains: ChainVerifier, options: VerifyOptions = {}): SignedResult {
  const claims = readClaims(token, chains, options)
  return claims.ok ? proven(token, chains, claims, claims.key === null || isSignedBy(token, claims.key)) : claims
}

/** Like `verifySigned`. The signature is checked in another thread: it is a tenth of the time of a new receipt. */
export async function verifyInThread(
  token: string,
  chains: ChainVerifier,
  options: VerifyOptions = {},
): Promise<SignedResult> {
  const claims = readClaims(token, chains, options)
  if (!claims.ok) return claims
  return proven(token, chains, claims, claims.key === null || (await isSignedByInThread(token, claims.key)))
}

/** What a token states. `key`: the key of its signature; null when the signature was valid before. */
type Claims = Extract<SignedResult, { ok: true }> & { key: KeyObject | null }

function proven(token: string, chains: ChainVerifier, { key, ...result }: Claims, isSigned: boolean): SignedResult {
  if (!isSigned) return refuse('signature')
  if (key) chains.signed.add(token)
  return result
}

function readClaims(token: string, chains: ChainVerifier, options: VerifyOptions): Claims | Refused {
  if (token.length > MAX_TOKEN_CHARS) return refuse('too_large')
  const parts = splitToken(token, chains)
  if (!parts) return refuse('malformed')
  const { head, header, payload } = parts
  // A reader must refuse critical header members that it does not understand (RFC 7515, 4.1.11). None are understood
  // here.
  if (header.alg !== 'ES256' || 'crit' in header) return refuse('algorithm')
  const environment = readEnvironment(payload, options)
  if (!environment) return refuse('environment')
  const isLocal = environment === 'Xcode' || environment === 'LocalTesting'
  const dated = isLocal ? withWholeInstants(payload) : payload
  const signedAt = dated.signedDate
  if (!isTextList(header.x5c) || !isInstant(signedAt)) return refuse('malformed')
  const result = chains.verify(header.x5c, environment, signedAt, options.testRoot)
  if (!result.ok) return result
  chains.headers.add(head, header)
  // All that the signature depends on is in the token: what it says, and through its chain the key. The chain, its dates
  // and the environment were checked again above.
  const key = chains.signed.has(token) ? null : result.chain.publicKey
  return { ok: true, payload: dated, environment, signedAt, key }
}

/** Xcode writes parts of milliseconds (`1697679936056.485`), and the App Store never does. */
const withWholeInstants = (payload: Payload): Payload =>
  Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [
      name,
      typeof value === 'number' && name.endsWith('Date') ? Math.floor(value) : value,
    ]),
  )

/** Whether a value is an instant in milliseconds with a four-digit year in ISO 8601. */
const isInstant = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_INSTANT

function splitToken(token: string, chains: ChainVerifier): Parts | null {
  const end = token.indexOf('.')
  const [, body = ''] = REST.exec(token.slice(end + 1)) ?? []
  const payload = end > 0 && body !== '' ? readJson(body) : null
  if (!payload) return null
  const head = token.slice(0, end)
  const header = chains.headers.get(head) ?? (HEAD.test(head) ? readJson(head) : null)
  return header && { head, header, payload }
}

function readJson(base64url: string): Payload | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** The claim only selects the trusted roots. The roots for local testing are never those of Production. */
function readEnvironment(
  payload: Payload,
  { allowLocal = false, environmentOf }: VerifyOptions,
): AppleEnvironment | null {
  const claim = environmentOf ? environmentOf(payload) : payload.environment
  if (claim === 'Production' || claim === 'Sandbox') return claim
  return allowLocal && (claim === 'Xcode' || claim === 'LocalTesting') ? claim : null
}

function isSignedBy(token: string, key: KeyObject): boolean {
  const { signed, signature } = splitSignature(token)
  try {
    return verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}

const together = new Together()

function isSignedByInThread(token: string, key: KeyObject): Promise<boolean> {
  const { signed, signature } = splitSignature(token)
  const check = () =>
    new Promise<boolean>((resolve) => {
      try {
        verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature, (error, isValid) =>
          resolve(!error && isValid),
        )
      } catch {
        resolve(false)
      }
    })
  return together.run(check)
}

function splitSignature(token: string) {
  const end = token.lastIndexOf('.')
  return { signed: Buffer.from(token.slice(0, end)), signature: Buffer.from(token.slice(end + 1), 'base64url') }
}

const isRecord = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string')

const refuse = (reason: SignedRefusal): Refused => ({ ok: false, reason })
