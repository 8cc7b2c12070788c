import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { hostnameOf } from '../../base/lib/hostname'
import { reasonText } from '../../core/reason/reasons'

/** A certificate that can be served. Instants are milliseconds UTC. */
export interface ServedCertificate {
  /** What the certificate is for: host names, wildcards such as `*.example.com`, IP addresses. */
  names: readonly string[]
  /** The chain as PEM, the certificate itself first. */
  chain: string
  /** PEM. */
  key: string
  issuer: string
  notBefore: number
  notAfter: number
  /** SHA-256 of the certificate in hex. */
  fingerprint: string
}

/** Reads a pair of PEM texts. Returns a sentence without its subject when they cannot be served. */
export function readPair(chain: string, key: string): ServedCertificate | string {
  const certificate = orNull(() => new X509Certificate(chain))
  if (!certificate) return reasonText('TLS_NO_CERTIFICATE')
  const privateKey = orNull(() => createPrivateKey(key))
  if (!privateKey) return reasonText('TLS_NO_KEY')
  if (!certificate.checkPrivateKey(privateKey)) return reasonText('TLS_OTHER_KEY')
  const names = namesOf(certificate)
  if (names.length === 0) return reasonText('TLS_NO_NAME')
  return {
    names,
    chain,
    key,
    issuer: issuerOf(certificate),
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
  }
}

/** The organisation of the issuer, or its common name. */
const issuerOf = ({ issuer }: X509Certificate): string =>
  /^O=(.+)$/m.exec(issuer)?.[1] ?? /^CN=(.+)$/m.exec(issuer)?.[1] ?? 'unknown'

function namesOf({ subjectAltName = '' }: X509Certificate): string[] {
  const found = [...subjectAltName.matchAll(/(?:DNS|IP Address):([^,\s"]+)/g)].map(([, name = '']) => name)
  return [...new Set(found.flatMap((name) => servedName(name) ?? []))]
}

function servedName(name: string): string | null {
  if (!name.startsWith('*.')) return hostnameOf(name)
  const parent = hostnameOf(name.slice(2))
  return parent === null ? null : `*.${parent}`
}

/** Whether a certificate is for a host. A wildcard matches one label (RFC 6125, 6.4.3). */
export const isFor = ({ names }: Pick<ServedCertificate, 'names'>, host: string): boolean =>
  names.includes(host) || (isIP(host) === 0 && names.includes(host.replace(/^[^.]+/, '*')))

function orNull<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch {
    return null
  }
}
