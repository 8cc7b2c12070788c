import type { KeyObject, X509Certificate } from 'node:crypto'
import { type Root, readBase64, readCertificate } from '../../base/lib/certificates'
import { MINUTE } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import { type ConstraintRefusal, constraintRefusal } from './constraints'
import { hasExtension } from './der'
import { type AppleEnvironment, rootsFor, type TrustedRoots } from './roots'
import { SignedTokens } from './signed-tokens'

/** `expired` means that a certificate was not valid at the signing time: either no longer or not yet. */
export type ChainRefusal =
  | ConstraintRefusal
  | 'chain_length'
  | 'certificate'
  | 'untrusted_root'
  | 'ca_flag'
  | 'marker_oid'
  | 'expired'
  | 'not_issued'
  | 'local_root'

/**
 * A chain that passed every check. It may sign from `notBefore` to `notAfter`, the time in which all three certificates
 * are valid.
 */
export interface VerifiedChain {
  publicKey: KeyObject
  rootFingerprint: string
  notBefore: number
  notAfter: number
}

export type ChainResult = { ok: true; chain: VerifiedChain } | { ok: false; reason: ChainRefusal }

export const LEAF_MARKER = '1.2.840.113635.100.6.11.1'
export const INTERMEDIATE_MARKER = '1.2.840.113635.100.6.2.1'
const MAX_CERTIFICATE_CHARS = 8192
/** The tolerance of Apple's own verifier for the dates of a certificate. */
const SKEW_MS = MINUTE

/** Verifies x5c chains. It keeps the good ones, so that a known chain costs one hash and one lookup. */
export class ChainVerifier {
  readonly #roots: TrustedRoots
  readonly #limit: number
  readonly #verified = new Map<string, VerifiedChain>()
  /** The name of each list of certificates: a header that is known keeps its list. */
  readonly #names = new WeakMap<readonly string[], string>()
  /** Tokens that a verified chain signed. They are forgotten with the chains. */
  readonly signed = new SignedTokens()
  /** Headers with a verified chain. */
  readonly headers = new KnownHeaders()

  constructor(roots: TrustedRoots, limit = 256) {
    this.#roots = roots
    this.#limit = limit
  }

  get size(): number {
    return this.#verified.size
  }

  /**
   * The chain, when it may sign for `environment` at `signedAt` (milliseconds). Each refusal is a return value.
   * `testRoot` is trusted in this call only.
   */
  verify(
    x5c: readonly string[],
    environment: AppleEnvironment,
    signedAt: number,
    testRoot: Root | null = null,
  ): ChainResult {
    const isAlone = x5c.length === 1 && isLocal(environment)
    if (x5c.length !== 3 && !isAlone) return refuse('chain_length')
    if (x5c.some((text) => text.length > MAX_CERTIFICATE_CHARS)) return refuse('certificate')
    const roots = isAlone ? this.#roots.local : rootsFor(this.#roots, environment, testRoot)
    const key = this.#nameOf(x5c)
    const known = this.#verified.get(key)
    const look = isAlone ? examineAlone : examine
    const result = known ? admit(known, roots, signedAt) : look(x5c, roots, signedAt)
    if (result.ok) this.#remember(key, result.chain)
    return result
  }

  #nameOf(x5c: readonly string[]): string {
    const known = this.#names.get(x5c)
    if (known !== undefined) return known
    const name = sha256Hex(x5c.join('.'))
    this.#names.set(x5c, name)
    return name
  }

  /**
   * Stores the chain as the most recently used one. When the memory is full, the least recently used chain is removed.
   */
  #remember(key: string, chain: VerifiedChain): void {
    this.#verified.delete(key)
    this.#verified.set(key, chain)
    const [oldest] = this.#verified.keys()
    if (this.#verified.size > this.#limit && oldest !== undefined) this.#verified.delete(oldest)
  }
}

/** All checks of an unknown chain, the cheap ones first: most forged chains fail before a signature is verified. */
function examine(x5c: readonly string[], roots: readonly Root[], signedAt: number): ChainResult {
  const [leafDer, intermediateDer, rootDer] = x5c.map(readBase64)
  if (!leafDer || !intermediateDer || !rootDer) return refuse('certificate')
  const fingerprint = sha256Hex(rootDer)
  const root = roots.find((trusted) => trusted.fingerprint === fingerprint)
  if (!root) return refuse('untrusted_root')
  const leaf = readCertificate(leafDer)
  const intermediate = readCertificate(intermediateDer)
  if (!leaf || !intermediate || !isP256(leaf)) return refuse('certificate')
  if (leaf.ca || !intermediate.ca) return refuse('ca_flag')
  if (!hasExtension(leafDer, LEAF_MARKER)) return refuse('marker_oid')
  if (!hasExtension(intermediateDer, INTERMEDIATE_MARKER)) return refuse('marker_oid')
  const broken = constraintRefusal(leafDer, intermediateDer, rootDer)
  if (broken) return refuse(broken)
  const chain = toChain(leaf, intermediate, root)
  if (!isValidAt(chain, signedAt)) return refuse('expired')
  return isIssuedBy(intermediate, root.certificate) && isIssuedBy(leaf, intermediate)
    ? { ok: true, chain }
    : refuse('not_issued')
}

const isLocal = (environment: AppleEnvironment): boolean => environment === 'Xcode' || environment === 'LocalTesting'

/** Xcode signs with one certificate that it makes itself. It must be pinned: nothing else says whose it is. */
function examineAlone(x5c: readonly string[], roots: readonly Root[], signedAt: number): ChainResult {
  const der = readBase64(x5c[0] ?? '')
  const fingerprint = der && sha256Hex(der)
  const root = roots.find((trusted) => trusted.fingerprint === fingerprint)
  if (!root) return refuse('local_root')
  if (!isP256(root.certificate)) return refuse('certificate')
  const chain = toChain(root.certificate, root.certificate, root)
  return isValidAt(chain, signedAt) ? { ok: true, chain } : refuse('expired')
}

/** The checks that remain for a verified chain. Its root may be trusted for another environment only. */
function admit(chain: VerifiedChain, roots: readonly Root[], signedAt: number): ChainResult {
  if (!roots.some((root) => root.fingerprint === chain.rootFingerprint)) return refuse('untrusted_root')
  return isValidAt(chain, signedAt) ? { ok: true, chain } : refuse('expired')
}

function toChain(leaf: X509Certificate, intermediate: X509Certificate, root: Root): VerifiedChain {
  const certificates = [leaf, intermediate, root.certificate]
  return {
    publicKey: leaf.publicKey,
    rootFingerprint: root.fingerprint,
    notBefore: Math.max(...certificates.map((certificate) => certificate.validFromDate.getTime())),
    notAfter: Math.min(...certificates.map((certificate) => certificate.validToDate.getTime())),
  }
}

// Also false when a date cannot be read: both comparisons with NaN are false.
const isValidAt = (chain: VerifiedChain, instant: number): boolean =>
  instant >= chain.notBefore - SKEW_MS && instant <= chain.notAfter + SKEW_MS

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    return false // The library cannot read this kind of key or signature.
  }
}

function isP256(certificate: X509Certificate): boolean {
  try {
    return certificate.publicKey.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

const refuse = (reason: ChainRefusal): ChainResult => ({ ok: false, reason })

type Header = Readonly<Record<string, unknown>>

/**
 * The headers of tokens by their text. All tokens that one chain signs have the same header, and reading its
 * certificates takes longer than reading the rest of a token. When the memory is full, the header that was added first is
 * forgotten.
 */
export class KnownHeaders {
  readonly #headers = new Map<string, Header>()

  constructor(private readonly limit = 64) {}

  get(text: string): Header | null {
    return this.#headers.get(text) ?? null
  }

  /** Only for a header whose chain was verified: nobody else can fill the memory. */
  add(text: string, header: Header): void {
    if (this.#headers.has(text)) return
    this.#headers.set(text, header)
    const [oldest] = this.#headers.keys()
    if (this.#headers.size > this.limit && oldest !== undefined) this.#headers.delete(oldest)
  }
}
