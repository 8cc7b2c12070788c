import { createPrivateKey, type KeyObject } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type Root, readBase64, readCertificate, toRoot } from '../../base/lib/certificates'
import { DAY } from '../../base/lib/clock'
import { addPeriod } from '../../base/lib/period'
import { INTERMEDIATE_MARKER, LEAF_MARKER } from '../ios/chain'

/** A local test root, the chain below it and the signing key: base64 of DER and PKCS #8, to be stored as JSON. */
export interface SimulatorKeys {
  rootDer: string
  x5c: [leaf: string, intermediate: string, root: string]
  leafKeyPkcs8: string
}

/** A certificate's name with its key pair. */
export interface Holder {
  name: string
  keys: CryptoKeyPair
}

/** A certificate to create. A root is its own issuer. Dates are milliseconds. */
export interface CertificateOrder {
  subject: Holder
  issuer: Holder
  isAuthority: boolean
  /** Object id of Apple's marker extension; its value is an ASN.1 NULL. */
  marker: string | null
  notBefore: number
  notAfter: number
  /** What the key may sign; absent = certificates for an authority, else data. Null leaves the extension out. */
  usage?: 'data' | 'certificates' | 'encryption' | null
  /** How many authorities may follow below this one; absent = any number. */
  pathLength?: number
  /** Further extensions; each value is an ASN.1 NULL. */
  others?: readonly { oid: string; isCritical: boolean }[]
}

const Base64 = Type.String({ minLength: 1, maxLength: 8192 })
const StoredKeys = Type.Object({ rootDer: Base64, x5c: Type.Tuple([Base64, Base64, Base64]), leafKeyPkcs8: Base64 })

/** Creates a chain of the App Store's form, valid from the day before `now` for ten years. */
export async function makeSimulatorKeys(now: number): Promise<SimulatorKeys> {
  const [root, intermediate, leaf] = await Promise.all([
    makeHolder('svc Simulator Root', 'P-384'),
    makeHolder('svc Simulator Intermediate', 'P-384'),
    makeHolder('svc Simulator Signing', 'P-256'),
  ])
  const dates = { notBefore: now - DAY, notAfter: addPeriod(now - DAY, 'P10Y') }
  const authority = { ...dates, issuer: root, isAuthority: true }
  const x5c = await Promise.all([
    issueCertificate({ ...dates, subject: leaf, issuer: intermediate, isAuthority: false, marker: LEAF_MARKER }),
    issueCertificate({ ...authority, subject: intermediate, marker: INTERMEDIATE_MARKER }),
    issueCertificate({ ...authority, subject: root, marker: null }),
  ])
  return { rootDer: x5c[2], x5c, leafKeyPkcs8: await exportKey(leaf.keys.privateKey) }
}

/** Null unless the value is a complete set of keys that match each other. */
export function parseSimulatorKeys(value: unknown): SimulatorKeys | null {
  if (!Value.Check(StoredKeys, value) || value.rootDer !== value.x5c[2] || !simulatorRoot(value)) return null
  const leaf = readBase64(value.x5c[0])
  const certificate = leaf && readCertificate(leaf)
  try {
    return certificate?.checkPrivateKey(signingKey(value)) ? value : null
  } catch {
    return null // Not a private key.
  }
}

/** The root of these keys, to be trusted as an extra root: Sandbox and local testing only. */
export function simulatorRoot({ rootDer }: SimulatorKeys): Root | null {
  const der = readBase64(rootDer)
  return der && toRoot(der)
}

export const signingKey = ({ leafKeyPkcs8 }: SimulatorKeys): KeyObject =>
  createPrivateKey({ key: Buffer.from(leafKeyPkcs8, 'base64'), format: 'der', type: 'pkcs8' })

export async function makeHolder(name: string, namedCurve: 'P-256' | 'P-384'): Promise<Holder> {
  return { name, keys: await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve }, true, ['sign', 'verify']) }
}

/** The certificate as base64 of its DER, the form of an x5c header. */
export async function issueCertificate(order: CertificateOrder): Promise<string> {
  const { subject, issuer, notBefore, notAfter } = order
  const x509 = await loadX509()
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${subject.name}`,
    issuer: `CN=${issuer.name}`,
    publicKey: subject.keys.publicKey,
    signingKey: issuer.keys.privateKey,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-384' },
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    extensions: await makeExtensions(order),
  })
  return Buffer.from(certificate.rawData).toString('base64')
}

async function makeExtensions({ isAuthority, marker, pathLength, others = [], ...order }: CertificateOrder) {
  const { BasicConstraintsExtension, Extension, KeyUsageFlags, KeyUsagesExtension } = await loadX509()
  const usages = {
    data: KeyUsageFlags.digitalSignature,
    certificates: KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign,
    encryption: KeyUsageFlags.keyEncipherment,
  }
  const { usage = isAuthority ? 'certificates' : 'data' } = order
  const named = [...(marker ? [{ oid: marker, isCritical: false }] : []), ...others]
  return [
    new BasicConstraintsExtension(isAuthority, pathLength, true),
    ...(usage === null ? [] : [new KeyUsagesExtension(usages[usage], true)]),
    ...named.map(({ oid, isCritical }) => new Extension(oid, isCritical, Uint8Array.of(5, 0))),
  ]
}

// Loaded on first use: only the simulator creates certificates, and other starts should not take the time.
async function loadX509() {
  await import('reflect-metadata')
  return await import('@peculiar/x509')
}

async function exportKey(key: CryptoKey): Promise<string> {
  return Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64')
}
