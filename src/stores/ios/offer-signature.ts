import { createPrivateKey, sign } from 'node:crypto'

/** The app and the key that sign promotional offers; null = not saved. */
export interface OfferSigner {
  bundleId: string | null
  keyId: string | null
  /** Needed for the JWS form only. */
  issuerId: string | null
  /** PEM text of PKCS #8. */
  privateKey: string | null
}

export interface Offer {
  storeProductId: string
  offerId: string
  appAccountToken: string | null
  /** A UUIDv4, used once. */
  nonce: string
  /** Milliseconds. The store accepts the offer for one day from then. */
  timestamp: number
}

/** The signature in the form of wire 2.10. */
export interface OfferSignature {
  keyIdentifier: string
  nonce: string
  signature: string
  timestamp: number
}

/** `unavailable`: a value is not saved; `failed`: the key is damaged, or of another kind. */
export type OfferSignatureResult =
  | { ok: true; signature: OfferSignature }
  | { ok: false; reason: 'unavailable' | 'failed' }

const SEPARATOR = '\u2063'

/** Signs a promotional offer, which the app passes to the store. ECDSA on P-256 with SHA-256, DER in base64. */
export function signOffer({ bundleId, keyId, privateKey }: OfferSigner, offer: Offer): OfferSignatureResult {
  if (!bundleId || !keyId || !privateKey) return { ok: false, reason: 'unavailable' }
  const nonce = offer.nonce.toLowerCase()
  const signature = signText(offerText(bundleId, keyId, offer), privateKey)
  if (signature === null) return { ok: false, reason: 'failed' }
  return { ok: true, signature: { keyIdentifier: keyId, nonce, signature, timestamp: offer.timestamp } }
}

/** The signed text. The store composes the same text to verify the signature. */
export const offerText = (bundleId: string, keyId: string, offer: Offer): string =>
  [
    bundleId,
    keyId,
    offer.storeProductId,
    offer.offerId,
    (offer.appAccountToken ?? '').toLowerCase(),
    offer.nonce.toLowerCase(),
    String(offer.timestamp),
  ].join(SEPARATOR)

/** What a JWS states about the offer; the rest of its claims is about the app. */
export type OfferClaims = { productId: string; transactionId?: string } & (
  | { kind: 'promotional'; offerIdentifier: string }
  | { kind: 'introductory'; allowIntroductoryOffer: boolean }
)

const AUDIENCES = { promotional: 'promotional-offer', introductory: 'introductory-offer-eligibility' } as const

/**
 * Signs an offer in the form that StoreKit takes since iOS 18.4 (and back to iOS 15), ES256 in compact form: "Generating
 * JWS to sign App Store requests". `issuedAt` in seconds.
 */
export function signOfferJws(
  { bundleId, keyId, issuerId, privateKey }: OfferSigner,
  { kind, ...claims }: OfferClaims,
  { nonce, issuedAt }: { nonce: string; issuedAt: number },
): { ok: true; jws: string } | { ok: false; reason: 'unavailable' | 'failed' } {
  if (!bundleId || !keyId || !issuerId || !privateKey) return { ok: false, reason: 'unavailable' }
  const payload = {
    ...claims,
    bid: bundleId,
    nonce: nonce.toLowerCase(),
    iat: issuedAt,
    aud: AUDIENCES[kind],
    iss: issuerId,
  }
  const text = `${encoded({ alg: 'ES256', typ: 'JWT', kid: keyId })}.${encoded(payload)}`
  const signature = signed(text, privateKey, 'ieee-p1363')
  return signature === null
    ? { ok: false, reason: 'failed' }
    : { ok: true, jws: `${text}.${signature.toString('base64url')}` }
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const signText = (text: string, privateKey: string): string | null =>
  signed(text, privateKey, 'der')?.toString('base64') ?? null

/** Null for a key that is damaged, or of another kind. */
function signed(text: string, privateKey: string, dsaEncoding: 'der' | 'ieee-p1363'): Buffer | null {
  try {
    const key = createPrivateKey(privateKey.trim())
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return null
    return sign('sha256', Buffer.from(text), { key, dsaEncoding })
  } catch {
    return null
  }
}
