import { importJWK, type JWK } from 'jose'
import { parseJsonBytes } from '../../base/lib/json'

/** The algorithms of tokens that a published key verifies. */
export const KEY_ALGORITHMS = ['ES256', 'RS256', 'EdDSA'] as const
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number]

/** The public keys of a JWKS by algorithm and key id. Only the members that a signature is checked with. */
export type KeySet = ReadonlyMap<string, JWK>

export const nameOf = (algorithm: KeyAlgorithm, kid: string): string => `${algorithm} ${kid}`

/**
 * Reads a JWKS; null when the bytes are none. Keys of another use are left out, and so are keys with their private part:
 * everybody could sign with them. Of two keys with the same name the first counts.
 */
export function readKeySet(bytes: Uint8Array): KeySet | null {
  const listed = (parseJsonBytes(bytes) as { keys?: unknown } | null)?.keys
  if (!Array.isArray(listed)) return null
  const keys = new Map<string, JWK>()
  for (const given of listed) {
    const key = readKey(given)
    if (key && !keys.has(nameOf(key.algorithm, key.kid))) keys.set(nameOf(key.algorithm, key.kid), key.jwk)
  }
  return keys
}

interface NamedKey {
  algorithm: KeyAlgorithm
  kid: string
  jwk: JWK
}

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const
const MAX_KID_CHARS = 256

function readKey(given: unknown): NamedKey | null {
  if (typeof given !== 'object' || given === null) return null
  const jwk = given as Readonly<Record<string, unknown>>
  const found = publicPart(jwk)
  if (!found || typeof jwk.kid !== 'string' || jwk.kid.length > MAX_KID_CHARS) return null
  if (PRIVATE_MEMBERS.some((name) => name in jwk) || !isForSignatures(jwk, found.algorithm)) return null
  return { ...found, kid: jwk.kid }
}

/** Each kind of key verifies one algorithm only, so that no token can choose another one for it. */
function publicPart({ kty, crv, x, y, n, e }: Readonly<Record<string, unknown>>): Omit<NamedKey, 'kid'> | null {
  if (kty === 'EC' && crv === 'P-256' && isText(x) && isText(y)) return { algorithm: 'ES256', jwk: { kty, crv, x, y } }
  if (kty === 'RSA' && isText(n) && isText(e)) return { algorithm: 'RS256', jwk: { kty, n, e } }
  if (kty === 'OKP' && crv === 'Ed25519' && isText(x)) return { algorithm: 'EdDSA', jwk: { kty, crv, x } }
  return null
}

const isText = (value: unknown): value is string => typeof value === 'string'

function isForSignatures(
  { use = 'sig', alg, key_ops: operations = ['verify'] }: Readonly<Record<string, unknown>>,
  algorithm: KeyAlgorithm,
): boolean {
  const isAlgorithm = alg === undefined || alg === algorithm || (alg === 'Ed25519' && algorithm === 'EdDSA')
  return use === 'sig' && isAlgorithm && Array.isArray(operations) && operations.includes('verify')
}

const MIN_RSA_BITS = 2048
/** A check of a longer key takes too long. */
const MAX_RSA_BITS = 8192
/** With a smaller exponent anybody can make a signature; a larger one takes too long. */
const MIN_EXPONENT = 3
const MAX_EXPONENT = 2 ** 32

/** The key in the form that checks signatures; null when it is malformed, too short or too long. */
export async function importKey(algorithm: KeyAlgorithm, jwk: JWK): Promise<CryptoKey | null> {
  if (jwk.kty === 'RSA' && !isUsableRsa(jwk)) return null
  try {
    const key = await importJWK(jwk, algorithm)
    return key instanceof CryptoKey ? key : null
  } catch {
    return null // Not a point of its curve, or not base64url.
  }
}

function isUsableRsa({ n = '', e = '' }: JWK): boolean {
  const bits = numberOf(n).toString(2).length
  const exponent = numberOf(e)
  return bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS && exponent >= MIN_EXPONENT && exponent <= MAX_EXPONENT
}

const numberOf = (text: string): bigint => BigInt(`0x0${Buffer.from(text, 'base64url').toString('hex')}`)
