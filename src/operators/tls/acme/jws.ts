import { calculateJwkThumbprint, exportJWK, FlattenedSign, generateKeyPair, importJWK, type JWK } from 'jose'

/** The key of an account. */
export interface AccountKey {
  /** With the private part. */
  jwk: JWK
  publicJwk: JWK
  thumbprint: string
}

/** A new P-256 key. */
export async function makeAccountKey(): Promise<AccountKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return toAccountKey(await exportJWK(privateKey))
}

/** The key of a stored JWK. */
export async function toAccountKey(jwk: JWK): Promise<AccountKey> {
  const { kty, crv, x, y } = jwk
  if (kty !== 'EC' || crv === undefined || x === undefined || y === undefined) throw new Error('no key on a curve')
  const publicJwk = { kty, crv, x, y }
  return { jwk, publicJwk, thumbprint: await calculateJwkThumbprint(publicJwk, 'sha256') }
}

/** A signed request body (RFC 8555, 6.2). An undefined payload is that of POST-as-GET. */
export async function signRequest(
  key: AccountKey,
  header: { url: string; nonce: string; kid: string | null },
  payload: object | undefined,
): Promise<object> {
  const { url, nonce, kid } = header
  const signer = new FlattenedSign(payload === undefined ? new Uint8Array() : encode(payload))
  const who = kid === null ? { jwk: key.publicJwk } : { kid }
  return signer.setProtectedHeader({ alg: 'ES256', nonce, url, ...who }).sign(await importJWK(key.jwk, 'ES256'))
}

/** Binds an account key to a customer of the authority (RFC 8555, 7.3.4). */
export const bindExternally = (
  { publicJwk }: AccountKey,
  url: string,
  { kid, hmac }: { kid: string; hmac: string },
): Promise<object> =>
  new FlattenedSign(encode(publicJwk))
    .setProtectedHeader({ alg: 'HS256', kid, url })
    .sign(Buffer.from(hmac, 'base64url'))

const encode = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
