import { AppError, type ErrorCode } from '../../base/errors'
import type { CallName } from './calls'

/** A refusal of the other protocol: an integer code, and a message at the top level of the body. */
export class SdkRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly extra: Readonly<Record<string, unknown>> = {},
    readonly retryAfter?: number,
  ) {
    super(message)
  }
}

export const INVALID_KEY = 7225
export const INVALID_RECEIPT = 7103
export const RECEIPT_IN_USE = 7102
export const BAD_REQUEST = 7226
export const INVALID_PERSON = 7220
export const UNKNOWN_PERSON = 7259
/** The store or the payment provider is in trouble. */
export const STORE_TROUBLE = 7101
const INTERNAL = 7110
const TOO_MANY = 7114

/** Our refusals of receipts that can never be accepted. Every other refusal is temporary. */
const FINAL: Partial<Record<ErrorCode, number>> = {
  RECEIPT_INVALID: INVALID_RECEIPT,
  RECEIPT_IN_USE: RECEIPT_IN_USE,
}

const RETRY_SECONDS = 60

/**
 * The refusal that an SDK is answered with. A receipt is refused with 4xx only when no repetition can succeed, because
 * the SDKs finish the purchase for ever on any 4xx.
 */
export function toSdkRefusal(name: CallName, thrown: unknown): SdkRefusal {
  if (thrown instanceof SdkRefusal) return name === 'receipts' ? keptReceipt(thrown) : thrown
  if (!(thrown instanceof AppError)) return new SdkRefusal(500, INTERNAL, 'Internal server error')
  return name === 'receipts' ? ofReceipt(thrown) : ofOther(name, thrown)
}

const FINAL_CODES: ReadonlySet<number> = new Set([INVALID_RECEIPT, RECEIPT_IN_USE])

function keptReceipt(refusal: SdkRefusal): SdkRefusal {
  if (refusal.status >= 500 || FINAL_CODES.has(refusal.code)) return refusal
  return new SdkRefusal(503, INTERNAL, refusal.message, {}, refusal.retryAfter ?? RETRY_SECONDS)
}

function ofReceipt({ refusal, status, message, retryAfter }: AppError): SdkRefusal {
  const code = FINAL[refusal]
  if (code !== undefined) return new SdkRefusal(status, code, message)
  return new SdkRefusal(503, INTERNAL, message, {}, retryAfter ?? RETRY_SECONDS)
}

/** Calls that the SDKs repeat only after a 5xx: after any other answer they drop what they sent. */
const KEPT_ON_FAILURE: ReadonlySet<CallName> = new Set<CallName>(['attributes', 'attribution', 'adServicesAttribution'])

function ofOther(name: CallName, { refusal, status, message, retryAfter }: AppError): SdkRefusal {
  if (status >= 500) return new SdkRefusal(status, INTERNAL, message, {}, retryAfter)
  if (refusal === 'RATE_LIMITED' && KEPT_ON_FAILURE.has(name))
    return new SdkRefusal(503, INTERNAL, message, {}, retryAfter)
  if (refusal === 'RATE_LIMITED') return new SdkRefusal(429, TOO_MANY, message, {}, retryAfter)
  if (status === 401 || status === 403) return new SdkRefusal(status, INVALID_KEY, message)
  if (refusal === 'SUBSCRIBER_UNRESOLVABLE') return new SdkRefusal(status, UNKNOWN_PERSON, message)
  return new SdkRefusal(status, BAD_REQUEST, message)
}
