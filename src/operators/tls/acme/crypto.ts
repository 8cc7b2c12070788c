import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { JWK } from 'jose'
import { DAY, HOUR } from '../../../base/lib/clock'

const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

// Loaded at its first use: a server without certificates of its own does not need it.
async function loadX509() {
  await import('reflect-metadata')
  return await import('@peculiar/x509')
}

const typeOf = (name: string): 'ip' | 'dns' => (isIP(name) === 0 ? 'dns' : 'ip')

/** A new P-256 key as PEM. */
export async function makeKey(): Promise<string> {
  const { privateKey } = await crypto.subtle.generateKey(P256, true, ['sign', 'verify'])
  return toPem(await crypto.subtle.exportKey('pkcs8', privateKey))
}

const toPem = (pkcs8: ArrayBuffer): string =>
  `-----BEGIN PRIVATE KEY-----\n${Buffer.from(pkcs8).toString('base64').replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`

async function keysOf(pem: string): Promise<CryptoKeyPair> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  const privateKey = await crypto.subtle.importKey('pkcs8', der, P256, true, ['sign'])
  const { d: _, key_ops: __, ...publicJwk }: JWK = await crypto.subtle.exportKey('jwk', privateKey)
  const publicKey = await crypto.subtle.importKey('jwk', publicJwk, P256, true, ['verify'])
  return { privateKey, publicKey }
}

/** The request for a certificate of one name with this key, DER in base64url. */
export async function makeCsr(name: string, keyPem: string): Promise<string> {
  const x509 = await loadX509()
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    keys: await keysOf(keyPem),
    signingAlgorithm: P256,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: typeOf(name), value: name }])],
  })
  return Buffer.from(request.rawData).toString('base64url')
}

const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31'

/** The certificate that proves a name at the handshake (RFC 8737, 3), with its key; both PEM. */
export async function makeAlpnCertificate(name: string, keyAuthorization: string, now: number) {
  const x509 = await loadX509()
  const key = await makeKey()
  const digest = createHash('sha256').update(keyAuthorization).digest()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=svc',
    keys: await keysOf(key),
    signingAlgorithm: P256,
    notBefore: new Date(now - DAY),
    notAfter: new Date(now + HOUR),
    extensions: [
      new x509.SubjectAlternativeNameExtension([{ type: typeOf(name), value: name }]),
      // An OCTET STRING of 32 bytes.
      new x509.Extension(ACME_IDENTIFIER, true, Buffer.concat([Uint8Array.of(4, 32), digest])),
    ],
  })
  return { cert: certificate.toString('pem'), key, digest: digest.toString('hex') }
}

/** The name of a certificate in renewal information (RFC 9773, 4.1); null when it has no authority key identifier. */
export async function renewalIdOf(chain: string): Promise<string | null> {
  const x509 = await loadX509()
  const certificate = new x509.X509Certificate(chain.slice(0, chain.indexOf('-----END CERTIFICATE-----') + 25))
  const { keyId } = certificate.getExtension(x509.AuthorityKeyIdentifierExtension) ?? {}
  if (keyId === undefined) return null
  return `${Buffer.from(keyId, 'hex').toString('base64url')}.${serialOf(certificate.serialNumber)}`
}

/** The bytes of the DER integer: a leading zero keeps it positive. */
function serialOf(hex: string): string {
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  const isNegative = (bytes[0] ?? 0) >= 0x80
  return Buffer.concat([isNegative ? Uint8Array.of(0) : new Uint8Array(), bytes]).toString('base64url')
}
