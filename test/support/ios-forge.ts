import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { DAY } from '../../src/base/lib/clock'
import { INTERMEDIATE_MARKER, LEAF_MARKER } from '../../src/stores/ios/chain'
import { type CertificateOrder, type Holder, issueCertificate, makeHolder } from '../../src/stores/test-keys/keys'

const YEAR = 365 * DAY
/** The object id of an extension that nobody knows. */
const FOREIGN_EXTENSION = '1.2.840.113635.100.6.99.1'

export interface ForgedChain {
  x5c: string[]
  leafKey: KeyObject
}

/**
 * The differences from a good chain. `issuer` signs the certificate and is named in it, whatever certificate is above
 * it in the chain.
 */
interface Differences {
  leaf?: Partial<CertificateOrder>
  intermediate?: Partial<CertificateOrder>
}

/**
 * Good and damaged chains below one test root. Good dates are five years around `now`; expired certificates ended last
 * year.
 */
export async function forgeChains(now: number) {
  const [root, otherRoot, intermediate, otherIntermediate, leaf] = await Promise.all([
    makeHolder('Forged Root', 'P-384'),
    makeHolder('Forged Root', 'P-384'),
    makeHolder('Forged Intermediate', 'P-384'),
    makeHolder('Forged Intermediate', 'P-384'),
    makeHolder('Forged Leaf', 'P-256'),
  ])
  const wideLeaf = await makeHolder('Forged Leaf', 'P-384')
  const misnamed = { ...intermediate, name: 'Someone Else' }
  const dates = { notBefore: now - 5 * YEAR, notAfter: now + 5 * YEAR }
  const expired = { notBefore: now - 3 * YEAR, notAfter: now - YEAR }
  const future = { notBefore: now + YEAR, notAfter: now + 3 * YEAR }
  const longer = { notBefore: now - 8 * YEAR, notAfter: now + 8 * YEAR }
  const longName = { ...leaf, name: 'x'.repeat(8000) }
  const certify = (top: Holder, differences: Partial<CertificateOrder> = {}) =>
    issueCertificate({ ...dates, subject: top, issuer: top, isAuthority: true, marker: null, ...differences })
  const criticalMarker = { others: [{ oid: FOREIGN_EXTENSION, isCritical: true }] }
  const [rootText, otherRootText] = await Promise.all([certify(root), certify(otherRoot)])

  const chain = async (differences: Differences = {}, top = rootText): Promise<ForgedChain> => {
    const middle = { ...dates, subject: intermediate, issuer: root, isAuthority: true, marker: INTERMEDIATE_MARKER }
    const bottom = { ...dates, subject: leaf, issuer: intermediate, isAuthority: false, marker: LEAF_MARKER }
    const x5c = await Promise.all([
      issueCertificate({ ...bottom, ...differences.leaf }),
      issueCertificate({ ...middle, ...differences.intermediate }),
    ])
    return { x5c: [...x5c, top], leafKey: await toKeyObject((differences.leaf?.subject ?? leaf).keys.privateKey) }
  }

  return {
    good: await chain(),
    otherRoot: await chain({ intermediate: { issuer: otherRoot } }, otherRootText),
    leafWithoutMarker: await chain({ leaf: { marker: null } }),
    leafWithOtherMarker: await chain({ leaf: { marker: INTERMEDIATE_MARKER } }),
    leafExpired: await chain({ leaf: expired }),
    leafNotYetValid: await chain({ leaf: future }),
    leafOfOtherKey: await chain({ leaf: { issuer: otherIntermediate } }),
    leafOfOtherName: await chain({ leaf: { issuer: misnamed } }),
    leafAuthority: await chain({ leaf: { isAuthority: true } }),
    leafTooLarge: await chain({ leaf: { subject: longName } }),
    leafP384: await chain({ leaf: { subject: wideLeaf } }),
    intermediateWithoutMarker: await chain({ intermediate: { marker: null } }),
    intermediateWithOtherMarker: await chain({ intermediate: { marker: LEAF_MARKER } }),
    intermediateNoAuthority: await chain({ intermediate: { isAuthority: false } }),
    intermediateExpired: await chain({ intermediate: expired }),
    intermediateNotYetValid: await chain({ intermediate: future }),
    outlivesItsRoot: await chain({ leaf: longer, intermediate: longer }),
    intermediateOfOtherRoot: await chain({ intermediate: { issuer: otherRoot } }),
    leafWithCriticalExtension: await chain({ leaf: criticalMarker }),
    leafWithForeignExtension: await chain({
      leaf: { others: [{ oid: FOREIGN_EXTENSION, isCritical: false }] },
    }),
    leafWithoutUsage: await chain({ leaf: { usage: null } }),
    leafForEncryption: await chain({ leaf: { usage: 'encryption' } }),
    leafForCertificates: await chain({ leaf: { usage: 'certificates' } }),
    leafWithMarkerTwice: await chain({ leaf: { others: [{ oid: LEAF_MARKER, isCritical: false }] } }),
    intermediateWithCriticalExtension: await chain({ intermediate: criticalMarker }),
    intermediateWithoutUsage: await chain({ intermediate: { usage: null } }),
    intermediateForData: await chain({ intermediate: { usage: 'data' } }),
    intermediateOfNoDepth: await chain({ intermediate: { pathLength: 0 } }),
  }
}

/** The chains that svc refuses and Apple's library accepts. */
export const REFUSED_HERE_ALONE: readonly string[] = [
  'leafAuthority',
  'leafTooLarge',
  'leafWithCriticalExtension',
  'leafWithoutUsage',
  'leafForEncryption',
  'leafForCertificates',
  'leafWithMarkerTwice',
  'intermediateWithCriticalExtension',
  'intermediateWithoutUsage',
]

/** Good chains below roots of their own, which forbid or do not declare what the chain needs. */
export async function forgeChainsOfOddRoots(now: number) {
  const below = async (differences: Partial<CertificateOrder>): Promise<ForgedChain> => {
    const [root, intermediate, leaf] = await Promise.all([
      makeHolder('Odd Root', 'P-384'),
      makeHolder('Odd Intermediate', 'P-384'),
      makeHolder('Odd Leaf', 'P-256'),
    ])
    const dates = { notBefore: now - YEAR, notAfter: now + YEAR }
    const authority = { ...dates, issuer: root, isAuthority: true }
    const x5c = await Promise.all([
      issueCertificate({ ...dates, subject: leaf, issuer: intermediate, isAuthority: false, marker: LEAF_MARKER }),
      issueCertificate({ ...authority, subject: intermediate, marker: INTERMEDIATE_MARKER }),
      issueCertificate({ ...authority, subject: root, marker: null, ...differences }),
    ])
    return { x5c, leafKey: await toKeyObject(leaf.keys.privateKey) }
  }
  return {
    ofDepthOne: await below({ pathLength: 1 }),
    ofNoDepth: await below({ pathLength: 0 }),
    withCriticalExtension: await below({ others: [{ oid: FOREIGN_EXTENSION, isCritical: true }] }),
    forData: await below({ usage: 'data' }),
  }
}

export type ForgedChains = Awaited<ReturnType<typeof forgeChains>>

const toKeyObject = async (key: CryptoKey): Promise<KeyObject> =>
  createPrivateKey({ key: Buffer.from(await crypto.subtle.exportKey('pkcs8', key)), format: 'der', type: 'pkcs8' })

export const toSegment = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A compact JWS with any header and payload, signed with any key and the given hash. */
export function signToken(header: object, payload: unknown, key: KeyObject, hash = 'sha256'): string {
  const text = `${toSegment(header)}.${toSegment(payload)}`
  const signature = sign(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

/** What Xcode signs local tests with: one certificate that it makes itself. */
export async function forgeXcode(now: number): Promise<ForgedChain> {
  const own = await makeHolder('StoreKit Testing in Xcode', 'P-256')
  const dates = { notBefore: now - YEAR, notAfter: now + YEAR }
  const order = { ...dates, subject: own, issuer: own, isAuthority: true, usage: 'data', marker: null } as const
  return { x5c: [await issueCertificate(order)], leafKey: await toKeyObject(own.keys.privateKey) }
}

/** The token that the App Store would create for this payload, with the given chain. */
export const signWith = ({ x5c, leafKey }: ForgedChain, payload: unknown): string =>
  signToken({ alg: 'ES256', x5c }, payload, leafKey)
