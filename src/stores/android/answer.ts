/** A call that brought nothing, and why. */
export type CallRefusal =
  /** Google knows no such purchase or order (400, 404, 410). */
  | { kind: 'not_found'; status: number; reason: string | null }
  /** No answer, or one that says: later. `Retry-After: 60`. */
  | { kind: 'unavailable'; why: 'network' | 'timeout' | 'circuit_open' | 'status'; status: number | null }
  /** An answer that asking again will not better. */
  | {
      kind: 'rejected'
      why: 'credentials' | 'status' | 'unreadable'
      status: number | null
      /** Google's own word, when it gave one: `permissionDenied`. */
      reason: string | null
    }

/** What became of a call to Google (wire 2.7): RECEIPT_INVALID, STORE_UNAVAILABLE or STORE_API_ERROR unless it is ok. */
export type PlayAnswer<Body> = { kind: 'ok'; body: Body } | CallRefusal

/** Carries a refusal out of the middle of a call; it never leaves this folder. */
export class CallFailure extends Error {
  readonly refusal: CallRefusal

  constructor(refusal: CallRefusal) {
    super(`The call to Google failed: ${refusal.kind}`)
    this.refusal = refusal
  }
}

/** What a call asks for: a purchase, that something be done to one, or a list that no purchase is named for. */
export type CallKind = 'resource' | 'command' | 'list'

/** Reads the answer of the API; the body of a success is returned as it came. */
export function readAnswer(status: number, text: string, asked: CallKind): PlayAnswer<Record<string, unknown>> {
  const body = readObject(text)
  if (status >= 200 && status < 300) {
    if (body) return { kind: 'ok', body }
    return text.trim() === '' && asked === 'command' ? { kind: 'ok', body: {} } : unreadable(status)
  }
  const reason = reasonOf(body)
  if (isUnavailableStatus(status)) return { kind: 'unavailable', why: 'status', status }
  if (isUnknown(status, asked, reason)) return { kind: 'not_found', status, reason }
  const why = status === 401 || status === 403 ? 'credentials' : 'status'
  return { kind: 'rejected', why, status, reason }
}

const unreadable = (status: number): CallRefusal => ({ kind: 'rejected', why: 'unreadable', status, reason: null })

/** A request that came too early, too often, in each other's way, or to a server in trouble. */
export const isUnavailableStatus = (status: number): boolean => [408, 409, 425, 429].includes(status) || status >= 500

function isUnknown(status: number, asked: CallKind, reason: string | null): boolean {
  // Not the purchase but the package is unknown: ours to correct, and no reason to give a purchase up.
  if (asked === 'list' || reason === 'applicationNotFound') return false
  return status === 400 || status === 404 || status === 410
}

/** `error.errors[0].reason`, or the newer `error.status`. */
function reasonOf(body: Record<string, unknown> | null): string | null {
  const error = objectOf(body?.error)
  const first = Array.isArray(error?.errors) ? objectOf(error.errors[0]) : null
  const reason = first?.reason ?? error?.status
  return typeof reason === 'string' ? reason.slice(0, 128) : null
}

export function readObject(text: string): Record<string, unknown> | null {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    return null // Not JSON.
  }
}

const objectOf = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null // No better type is known.

/** What a call that threw came to. */
export function failureOf(error: unknown): CallRefusal {
  if (error instanceof CallFailure) return error.refusal
  const names = [error, (error as { cause?: unknown } | null)?.cause].map((one) => (one as Error | null)?.name ?? '')
  const isTimeout = names.some((name) => name === 'TimeoutError' || name === 'AbortError')
  return { kind: 'unavailable', why: isTimeout ? 'timeout' : 'network', status: null }
}
