import { parseObject } from '../../base/lib/json'

/** Why a call gave no result. */
export type CallRefusal =
  /** Google has no such purchase or order (400, 404, 410). */
  | { kind: 'not_found'; status: number; reason: string | null }
  /** No answer, or an answer that asks to try later. `Retry-After: 60`. */
  | {
      kind: 'unavailable'
      why: 'network' | 'timeout' | 'circuit_open' | 'status'
      status: number | null
      /** Seconds to wait, when Google named them. */
      retryAfter?: number
    }
  /** An error that would be the same at a second try. */
  | {
      kind: 'rejected'
      why: 'credentials' | 'status' | 'unreadable'
      status: number | null
      /** The reason as Google spells it, when it gave one: `permissionDenied`. */
      reason: string | null
    }

/**
 * The outcome of a call to Google. Unless it is `ok`, it becomes RECEIPT_INVALID, STORE_UNAVAILABLE or STORE_API_ERROR
 * (wire 2.7).
 */
export type PlayAnswer<Body> = { kind: 'ok'; body: Body } | CallRefusal

/** Carries a refusal out of a running call. It is always caught inside this folder. */
export class CallFailure extends Error {
  readonly refusal: CallRefusal

  constructor(refusal: CallRefusal) {
    super(`The call to Google failed: ${refusal.kind}`)
    this.refusal = refusal
  }
}

/** What a call is for: to read a purchase, to change one, or to read a list without naming a purchase. */
export type CallKind = 'resource' | 'command' | 'list'

/** Reads an answer of the API. The body of a success is returned unchanged. */
export function readAnswer(
  status: number,
  text: string,
  asked: CallKind,
  retryAfter: string | null = null,
): PlayAnswer<Record<string, unknown>> {
  const body = parseObject(text)
  if (status >= 200 && status < 300) {
    if (body) return { kind: 'ok', body }
    return text.trim() === '' && asked === 'command' ? { kind: 'ok', body: {} } : unreadable(status)
  }
  const reason = reasonOf(body)
  if (isUnavailableStatus(status)) return { kind: 'unavailable', why: 'status', status, ...waitOf(retryAfter) }
  if (isUnknown(status, asked, reason)) return { kind: 'not_found', status, reason }
  const why = status === 401 || status === 403 ? 'credentials' : 'status'
  return { kind: 'rejected', why, status, reason }
}

export const unreadable = (status: number): CallRefusal => ({
  kind: 'rejected',
  why: 'unreadable',
  status,
  reason: null,
})

/** Google writes seconds. */
const waitOf = (header: string | null): { retryAfter?: number } =>
  /^\d{1,6}$/.test(header ?? '') ? { retryAfter: Number(header) } : {}

/** The request came too early or too often, conflicted with another one, or met a faulty server. */
export const isUnavailableStatus = (status: number): boolean => [408, 409, 425, 429].includes(status) || status >= 500

function isUnknown(status: number, asked: CallKind, reason: string | null): boolean {
  // Google does not know the package. This is a wrong setting and no reason to treat the purchase as gone.
  if (asked === 'list' || reason === 'applicationNotFound') return false
  return status === 400 || status === 404 || status === 410
}

/** The text of `error.errors[0].reason`, or of the newer `error.status`. */
function reasonOf(body: Record<string, unknown> | null): string | null {
  const error = objectOf(body?.error)
  const first = Array.isArray(error?.errors) ? objectOf(error.errors[0]) : null
  const reason = first?.reason ?? error?.status
  return typeof reason === 'string' ? reason.slice(0, 128) : null
}

const objectOf = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null // No better type is known.

/** The refusal that a thrown error means. */
export function failureOf(error: unknown): CallRefusal {
  if (error instanceof CallFailure) return error.refusal
  const names = [error, (error as { cause?: unknown } | null)?.cause].map((one) => (one as Error | null)?.name ?? '')
  const isTimeout = names.some((name) => name === 'TimeoutError' || name === 'AbortError')
  return { kind: 'unavailable', why: isTimeout ? 'timeout' : 'network', status: null }
}
