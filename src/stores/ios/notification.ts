import type { SignedRefusal, SignedResult, VerifyOptions } from './jws'
import { concernsPurchase, type DecodedNotification, isUnknown, openEnvelope } from './notification-decode'
import { decodeEnvelope, environmentOf, type SealedEnvelope } from './notification-envelope'

/** Verifies a signed token: `IosStore`, or `verifySigned` bound to a chain verifier. */
export interface TokenVerifier {
  verify(token: string, options: VerifyOptions): SignedResult | Promise<SignedResult>
}

/** The app whose notifications are accepted. */
export interface NotificationExpectations {
  bundleId: string
  /** The app's numeric id at the store, in digits; null while none is saved. */
  appId: string | null
  /** Accepts Xcode and LocalTesting too, with the same checks. */
  allowLocal: boolean
}

export type NotificationRefusal =
  /** The notification, or a token inside it, is not signed by the store. */
  | 'signature'
  | 'bundle'
  /** The environment is not accepted here, or differs within the notification. */
  | 'environment'
  /** No app id is saved. Without it a Production notification of another app cannot be detected. */
  | 'app_id_missing'
  | 'app_id_mismatch'
  | 'malformed'

/**
 * `detail` is for the log: the invalid member, or why a signature was refused. `isForged`: no root that is trusted here
 * for any environment signed the notification itself.
 */
export type NotificationResult =
  | { ok: true; notification: DecodedNotification }
  | { ok: false; reason: NotificationRefusal; detail: string; isForged?: true }

/**
 * Verifies and reads the `signedPayload` of an App Store Server Notification V2 (wire 7.17) and the tokens inside it.
 * Each refusal is a return value. For a known type that changes no purchase the inner tokens are not verified
 * or read; for an unknown one what cannot be verified is left out.
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
  const isOptional = isUnknown(envelope.type)
  if (!isOptional && !concernsPurchase(envelope.type)) return openEnvelope(envelope, NOTHING)
  const [transaction, renewal] = await Promise.all([
    verifyPart(envelope.signedTransaction, verifier, options),
    verifyPart(envelope.signedRenewal, verifier, options),
  ])
  if (isOptional && !transaction.ok) return openEnvelope(envelope, NOTHING)
  if (!transaction.ok) return refuse(reasonOf(transaction.reason), `data.signedTransactionInfo: ${transaction.reason}`)
  if (isOptional && !renewal.ok) return openEnvelope(envelope, { transaction: transaction.payload, renewal: null })
  if (!renewal.ok) return refuse(reasonOf(renewal.reason), `data.signedRenewalInfo: ${renewal.reason}`)
  return openEnvelope(envelope, { transaction: transaction.payload, renewal: renewal.payload })
}

const NOTHING = { transaction: null, renewal: null }

type VerifiedPart = { ok: true; payload: unknown } | { ok: false; reason: SignedRefusal }

async function verifyPart(
  token: string | null,
  verifier: TokenVerifier,
  options: VerifyOptions,
): Promise<VerifiedPart> {
  return token === null ? { ok: true, payload: null } : verifier.verify(token, options)
}
