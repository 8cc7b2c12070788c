import type { PurchaseEnvironment } from '../observation'
import type { DecodedTransaction } from './decode'
import type { SignedResult } from './jws'
import type { TokenVerifier } from './notification'
import { openEnvelope } from './notification-decode'

/** The store's answer to a question about one purchase. */
export interface StatusAnswer {
  /** 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked; null for a one-time purchase. */
  status: number | null
  signedTransactionInfo: string
  signedRenewalInfo: string | null
}

/** What the tokens of an answer must match. */
export interface StatusExpectations {
  bundleId: string
  environment: PurchaseEnvironment
  /** The transaction id of the subscription, or of the one-time purchase. */
  originalTransactionId: string
}

/** `detail` is for the log: which token was refused, and why. */
export type StatusResult = { ok: true; transaction: DecodedTransaction } | { ok: false; detail: string }

/**
 * Verifies and reads an answer of the App Store Server API. The result equals that of a notification signed now: the
 * tokens are the same, and the same code reads them.
 */
export async function verifyStatus(
  { status, signedTransactionInfo, signedRenewalInfo }: StatusAnswer,
  verifier: TokenVerifier,
  expected: StatusExpectations,
): Promise<StatusResult> {
  const transaction = await verifier.verify(signedTransactionInfo, {})
  if (!transaction.ok) return refuse(`transaction: ${transaction.reason}`)
  const renewal = signedRenewalInfo === null ? null : await verifier.verify(signedRenewalInfo, {})
  if (renewal && !renewal.ok) return refuse(`renewal: ${renewal.reason}`)
  return read(status, transaction, renewal, expected)
}

const refuse = (detail: string): Extract<StatusResult, { ok: false }> => ({ ok: false, detail })

type Signed = Extract<SignedResult, { ok: true }>

function read(
  status: number | null,
  transaction: Signed,
  renewal: Signed | null,
  { bundleId, environment, originalTransactionId }: StatusExpectations,
): StatusResult {
  const environmentName = environment === 'PRODUCTION' ? 'Production' : 'Sandbox'
  const signedAt = Math.max(transaction.signedAt, renewal?.signedAt ?? 0)
  const [type, subtype] = MEANINGS.get(status) ?? NO_MEANING
  const opened = openEnvelope(
    {
      ...{
        type,
        subtype,
        environment,
        environmentName,
        bundleId,
        signedAt,
        appAppleId: null,
        requestReason: null,
        status,
      },
      notificationId: `status:${status}:${originalTransactionId}@${signedAt}`,
      signedTransaction: null,
      signedRenewal: null,
    },
    { transaction: transaction.payload, renewal: renewal?.payload ?? null },
  )
  if (!opened.ok) return refuse(`${opened.reason}: ${opened.detail}`)
  const { effect } = opened.notification
  if (effect.kind !== 'OBSERVATIONS') return refuse(`read as ${effect.kind}`)
  return effect.transaction.originalTransactionId === originalTransactionId
    ? { ok: true, transaction: effect.transaction }
    : refuse('it is about another purchase')
}

type Meaning = readonly [type: string, subtype: string | null]

/**
 * The notification type that says the same as a status. For a revoked purchase the date in the transaction says it, as
 * in its notification.
 */
const MEANINGS: ReadonlyMap<number | null, Meaning> = new Map<number | null, Meaning>([
  [1, ['DID_RENEW', null]],
  [2, ['EXPIRED', null]],
  [3, ['DID_FAIL_TO_RENEW', null]],
  [4, ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD']],
])

/** A type that adds nothing to what its tokens say. */
const NO_MEANING: Meaning = ['ONE_TIME_CHARGE', null]
