import { X509Certificate } from 'node:crypto'
import { sha256Hex } from './hash'

/**
 * A trusted root: a certificate chain may end at it. `fingerprint` is the SHA-256 of its DER bytes in lower-case hex.
 */
export interface Root {
  fingerprint: string
  certificate: X509Certificate
}

export type ParsedRoots = { ok: true; roots: Root[] } | { ok: false; problems: string[] }

/**
 * The DER certificate as a root; null when the bytes are no certificate or the certificate is no certificate authority.
 */
export function toRoot(der: Uint8Array): Root | null {
  const certificate = readCertificate(der)
  return certificate?.ca ? { fingerprint: sha256Hex(der), certificate } : null
}

/** Null unless the bytes are exactly one DER certificate. `X509Certificate` also accepts PEM and trailing bytes. */
export function readCertificate(der: Uint8Array): X509Certificate | null {
  try {
    const certificate = new X509Certificate(der)
    return certificate.raw.equals(der) ? certificate : null
  } catch {
    return null
  }
}

/** Decodes padded standard base64; null for any other spelling. */
export function readBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : null
}

/**
 * The certificates of a PEM text. Every block must be a certificate authority, or sign itself as the certificate of Xcode's
 * local testing does, which signs what it sells without a chain. Problems number the blocks from 1.
 */
export function parseRoots(pem: string): ParsedRoots {
  const blocks = pem.split('-----BEGIN CERTIFICATE-----').slice(1)
  if (blocks.length === 0) return { ok: false, problems: ['no certificate found'] }
  const roots = blocks.map(readBlock)
  const problems = roots.flatMap((root, index) =>
    root ? [] : [`block ${index + 1} is not a CA certificate and does not sign itself`],
  )
  return problems.length > 0 ? { ok: false, problems } : { ok: true, roots: roots.filter((root) => root !== null) }
}

function readBlock(block: string): Root | null {
  const end = block.indexOf('-----END CERTIFICATE-----')
  const der = end < 0 ? null : readBase64(block.slice(0, end).replace(/\s+/g, ''))
  return der && (toRoot(der) ?? toSelfSigned(der))
}

/** Such a root signs receipts itself; as no authority it cannot be the end of a chain. */
function toSelfSigned(der: Uint8Array): Root | null {
  const certificate = readCertificate(der)
  return certificate && isSelfSigned(certificate) ? { fingerprint: sha256Hex(der), certificate } : null
}

function isSelfSigned(certificate: X509Certificate): boolean {
  try {
    return certificate.subject === certificate.issuer && certificate.verify(certificate.publicKey)
  } catch {
    return false // The library cannot read this kind of key or signature.
  }
}
