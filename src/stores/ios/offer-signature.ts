import { createPrivateKey, sign } from 'node:crypto'

/** The app and the key that sign promotional offers; null = not saved. */
export interface OfferSigner {
  bundleId: string | null
  keyId: string | null
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

function signText(text: string, privateKey: string): string | null {
  try {
    const key = createPrivateKey(privateKey.trim())
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return null
    return sign('sha256', Buffer.from(text), { key, dsaEncoding: 'der' }).toString('base64')
  } catch {
    return null
  }
}
