import { X509Certificate } from 'node:crypto'
import { sha256Hex } from '../../base/lib/hash'

export type AppleEnvironment = 'Production' | 'Sandbox' | 'Xcode' | 'LocalTesting'

/** A certificate at which a chain may end; `fingerprint` is the SHA-256 of its DER in lower-case hex. */
export interface Root {
  fingerprint: string
  certificate: X509Certificate
}

/** `sandbox` serves Sandbox, Xcode and LocalTesting; nothing but the pinned root may ever stand in `production`. */
export interface TrustedRoots {
  production: readonly Root[]
  sandbox: readonly Root[]
}

export type ParsedRoots = { ok: true; roots: Root[] } | { ok: false; problems: string[] }

/** https://www.apple.com/certificateauthority/AppleRootCA-G3.cer, valid until 30 April 2039. */
const APPLE_ROOT_CA_G3 = [
  'MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwSQXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQLDB1B',
  'cHBsZSBDZXJ0aWZpY2F0aW9uIEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcNMTQwNDMwMTgxOTA2',
  'WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBSb290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRpZmljYXRpb24g',
  'QXV0aG9yaXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49AgEGBSuBBAAiA2IABJjpLz1AcqTtkyJy',
  'gRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtfTjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqXl5dvMVztK517IDvYuVTZ',
  'XpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySrMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoG',
  'CCqGSM49BAMDA2gAMGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWTxnS4at+qIxUCMG1mihDK1A3UT82N',
  'Qz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM6BgD56KyKA==',
].join('')

export const APPLE_ROOT_FINGERPRINT = '63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179'

/** Throws when the certificate is not the one that the fingerprint pins: the source was changed by mistake. */
export function pinnedRoot(base64: string, fingerprint: string): Root {
  const root = toRoot(Buffer.from(base64, 'base64'))
  if (root?.fingerprint !== fingerprint) throw new Error(`The embedded root certificate is not ${fingerprint}`)
  return root
}

const appleRoot = pinnedRoot(APPLE_ROOT_CA_G3, APPLE_ROOT_FINGERPRINT)

/** The pinned root for every environment; `extra` roots for all but Production. */
export const trustedRoots = (extra: readonly Root[] = []): TrustedRoots => ({
  production: [appleRoot],
  sandbox: [appleRoot, ...extra],
})

export const rootsFor = (roots: TrustedRoots, environment: AppleEnvironment): readonly Root[] =>
  environment === 'Production' ? roots.production : roots.sandbox

/** The DER certificate as a root, or null when it is none or not a certificate authority. */
export function toRoot(der: Uint8Array): Root | null {
  const certificate = readCertificate(der)
  return certificate?.ca ? { fingerprint: sha256Hex(der), certificate } : null
}

/** Null unless the bytes are one DER certificate and nothing else: X509Certificate also takes PEM and a tail. */
export function readCertificate(der: Uint8Array): X509Certificate | null {
  try {
    const certificate = new X509Certificate(der)
    return certificate.raw.equals(der) ? certificate : null
  } catch {
    return null
  }
}

/** Bytes of padded standard base64; null for anything that is not written exactly so. */
export function readBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : null
}

/** The certificates of a PEM text; every block must be a certificate authority. Problems count blocks from 1. */
export function parseRoots(pem: string): ParsedRoots {
  const blocks = pem.split('-----BEGIN CERTIFICATE-----').slice(1)
  if (blocks.length === 0) return { ok: false, problems: ['no certificate found'] }
  const roots = blocks.map(readBlock)
  const problems = roots.flatMap((root, index) => (root ? [] : [`block ${index + 1} is not a CA certificate`]))
  return problems.length > 0 ? { ok: false, problems } : { ok: true, roots: roots.filter((root) => root !== null) }
}

function readBlock(block: string): Root | null {
  const end = block.indexOf('-----END CERTIFICATE-----')
  const der = end < 0 ? null : readBase64(block.slice(0, end).replace(/\s+/g, ''))
  return der && toRoot(der)
}
