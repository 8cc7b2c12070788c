import type { SignedRefusal, SignedResult, VerifyOptions } from './jws'
import { concernsPurchase, type DecodedNotification, openEnvelope } from './notification-decode'
import { decodeEnvelope, environmentOf, type SealedEnvelope } from './notification-envelope'

/** What verifies a signed token: `IosStore`, or `verifySigned` bound to a chain verifier. */
export interface TokenVerifier {
  verify(token: string, options: VerifyOptions): SignedResult | Promise<SignedResult>
}

/** Whose notifications are taken. */
export interface NotificationExpectations {
  bundleId: string
  /** The app's numeric id at the store, in digits; null while none is saved. */
  appId: string | null
  /** Admits Xcode and LocalTesting, which then stand the same checks. */
  allowLocal: boolean
}

export type NotificationRefusal =
  /** A token is not signed by the store, at its place in the notification. */
  | 'signature'
  | 'bundle'
  /** Not one of the environments taken here, or not the same everywhere in the notification. */
  | 'environment'
  /** A Production notification cannot be told from another app's until the app id is saved. */
  | 'app_id_missing'
  | 'app_id_mismatch'
  | 'malformed'

/**
 * `detail` is for the log: the member at fault, or why a signature did not stand. `isForged`: the notification itself is
 * signed by no root that is trusted here, for whatever environment.
 */
export type NotificationResult =
  | { ok: true; notification: DecodedNotification }
  | { ok: false; reason: NotificationRefusal; detail: string; isForged?: true }

/**
 * Verifies and reads the `signedPayload` of an App Store Server Notification V2 (wire 7.17) with the tokens inside of it.
 * Every refusal is a value. The tokens within a type that changes no purchase stay unopened.
 */
export async function verifyNotification(
  signedPayload: string,
  verifier: TokenVerifier,
  expectations: NotificationExpectations,
): Promise<NotificationResult> {
  const { allowLocal } = expectations
  const signed = await verifier.verify(signedPayload, { allowLocal, environmentOf })
  if (!signed.ok) {
    const refusal = refuse(reasonOf(signed.reason), signed.reason)
    return signed.reason === 'environment' ? refusal : { ...refusal, isForged: true }
  }
  const decoded = decodeEnvelope(signed.payload)
  if (!decoded.ok) return decoded
  const stranger = strangerReason(decoded.envelope, expectations)
  if (stranger) return refuse(stranger, 'data')
  return openVerified(decoded.envelope, verifier, { allowLocal })
}

const refuse = (reason: NotificationRefusal, detail: string): Extract<NotificationResult, { ok: false }> => ({
  ok: false,
  reason,
  detail,
})

function reasonOf(refusal: SignedRefusal): NotificationRefusal {
  if (refusal === 'environment') return 'environment'
  return refusal === 'malformed' || refusal === 'too_large' ? 'malformed' : 'signature'
}

/** Why a notification is not for this app; null when it is. */
function strangerReason(envelope: SealedEnvelope, { bundleId, appId }: NotificationExpectations) {
  if (envelope.bundleId !== bundleId) return 'bundle'
  if (envelope.environment !== 'PRODUCTION') return null
  if (appId === null) return 'app_id_missing'
  return envelope.appAppleId?.toString() === appId ? null : 'app_id_mismatch'
}

async function openVerified(
  envelope: SealedEnvelope,
  verifier: TokenVerifier,
  options: VerifyOptions,
): Promise<NotificationResult> {
  if (!concernsPurchase(envelope.type)) return openEnvelope(envelope, { transaction: null, renewal: null })
  const transaction = await verifyPart(envelope.signedTransaction, verifier, options)
  if (!transaction.ok) return refuse(reasonOf(transaction.reason), `data.signedTransactionInfo: ${transaction.reason}`)
  const renewal = await verifyPart(envelope.signedRenewal, verifier, options)
  if (!renewal.ok) return refuse(reasonOf(renewal.reason), `data.signedRenewalInfo: ${renewal.reason}`)
  return openEnvelope(envelope, { transaction: transaction.payload, renewal: renewal.payload })
}

type VerifiedPart = { ok: true; payload: unknown } | { ok: false; reason: SignedRefusal }

async function verifyPart(
  token: string | null,
  verifier: TokenVerifier,
  options: VerifyOptions,
): Promise<VerifiedPart> {
  return token === null ? { ok: true, payload: null } : verifier.verify(token, options)
}
