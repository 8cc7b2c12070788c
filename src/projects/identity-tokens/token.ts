import { decodeProtectedHeader, type JWTPayload, jwtVerify, type ProtectedHeaderParameters } from 'jose'
import { HOUR, MINUTE, SECOND } from '../../base/lib/clock'
import type { KeyResult } from './key-cache'
import { KEY_ALGORITHMS, type KeyAlgorithm } from './key-set'
import type { OpenedSecrets } from './secret'

/** What a token must say, and what it is checked with. */
export interface TokenCheck {
  projectId: string
  /** The label that the call takes, joins or has. */
  label: string
  /** The key of the calling device. */
  deviceKey: string
  now: number
  openSecrets: () => OpenedSecrets
  /** Null when the project publishes no keys. */
  findKey: ((algorithm: KeyAlgorithm, kid: string) => Promise<KeyResult>) | null
}

/**
 * `valid`, or `refused`: the token is not one for this call. `sealed` and `keys_unavailable` say nothing about the
 * token: it could not be checked.
 */
export type TokenResult = 'valid' | 'refused' | 'sealed' | 'keys_unavailable'

export const MAX_TOKEN_CHARS = 4096
export const MAX_LIFE_MS = HOUR
/** The largest accepted difference between the two clocks. */
const LEEWAY_MS = MINUTE

/** Checks a token that the customer's server signed (wire 1.11). No answer depends on what is stored of the label. */
export async function checkToken(token: string, check: TokenCheck): Promise<TokenResult> {
  if (token.length > MAX_TOKEN_CHARS || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return 'refused'
  const header = readHeader(token)
  if (!header || FOREIGN.some((name) => name in header)) return 'refused'
  if (header.alg === 'HS256') return checkSecrets(token, check)
  const algorithm = KEY_ALGORITHMS.find((known) => known === header.alg)
  if (!algorithm || typeof header.kid !== 'string' || !check.findKey) return 'refused'
  const found = await check.findKey(algorithm, header.kid)
  if (found.ok) return (await isFor(token, algorithm, found.key, check)) ? 'valid' : 'refused'
  return found.reason === 'keys_unavailable' ? 'keys_unavailable' : 'refused'
}

/** A token names no key of its own and asks for nothing that is not understood here. */
const FOREIGN = ['crit', 'b64', 'zip', 'jwk', 'jku', 'x5c', 'x5u'] as const

function readHeader(token: string): ProtectedHeaderParameters | null {
  try {
    return decodeProtectedHeader(token)
  } catch {
    return null // Not a token.
  }
}

async function checkSecrets(token: string, check: TokenCheck): Promise<TokenResult> {
  const { secrets, isAnySealed } = check.openSecrets()
  for (const secret of secrets) if (await isFor(token, 'HS256', Buffer.from(secret), check)) return 'valid'
  return isAnySealed ? 'sealed' : 'refused'
}

async function isFor(
  token: string,
  algorithm: 'HS256' | KeyAlgorithm,
  key: Uint8Array | CryptoKey,
  check: TokenCheck,
): Promise<boolean> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      currentDate: new Date(check.now),
      clockTolerance: LEEWAY_MS / SECOND,
      requiredClaims: ['sub', 'aud', 'iat', 'exp'],
    })
    return hasClaims(payload, check)
  } catch {
    return false // The signature is wrong, or a time is missing, no number or over.
  }
}

function hasClaims(payload: JWTPayload, { projectId, label, deviceKey, now }: TokenCheck): boolean {
  const { sub, aud, iat, exp, dk = deviceKey } = payload
  if (typeof iat !== 'number' || typeof exp !== 'number') return false
  const isInTime = iat * SECOND <= now + LEEWAY_MS && (exp - iat) * SECOND <= MAX_LIFE_MS + LEEWAY_MS
  return isInTime && sub === label && isOnly(aud, projectId) && dk === deviceKey
}

/** Some libraries write one audience as a list of one. */
const isOnly = (audience: unknown, projectId: string): boolean =>
  Array.isArray(audience) ? audience.length === 1 && audience[0] === projectId : audience === projectId
