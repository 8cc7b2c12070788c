import type { PurchaseEnvironment } from '../observation'
import type { DecodedTransaction } from './decode'
import type { SignedResult } from './jws'
import type { TokenVerifier } from './notification'
import { openEnvelope } from './notification-decode'

/** What the store answers about one purchase when it is asked. */
export interface StatusAnswer {
  /** 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked; null for what is bought once. */
  status: number | null
  signedTransactionInfo: string
  signedRenewalInfo: string | null
}

/** What the tokens of an answer must be about. */
export interface StatusExpectations {
  bundleId: string
  environment: PurchaseEnvironment
  /** The subscription, or what was bought once. */
  originalTransactionId: string
}

/** `detail` is for the log: which token is at fault, and how. */
export type StatusResult = { ok: true; transaction: DecodedTransaction } | { ok: false; detail: string }

/**
 * Verifies and reads an answer of the App Store Server API. It says what a notification would say that was signed just
 * now, and nothing else: the same tokens, read by the same code.
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
      ...{ type, subtype, environment, environmentName, bundleId, signedAt, appAppleId: null, requestReason: null },
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

/** The notification that says as much. A revoked one says it by the date in its transaction, as its notification does. */
const MEANINGS: ReadonlyMap<number | null, Meaning> = new Map<number | null, Meaning>([
  [1, ['DID_RENEW', null]],
  [2, ['EXPIRED', null]],
  [3, ['DID_FAIL_TO_RENEW', null]],
  [4, ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD']],
])

/** Says nothing beside its tokens. */
const NO_MEANING: Meaning = ['ONE_TIME_CHARGE', null]
