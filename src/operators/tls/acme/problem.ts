/** What a certificate authority answered in place of success, or why there was no answer. */
export class AcmeError extends Error {
  constructor(
    /** The last part of `urn:ietf:params:acme:error:…` (RFC 8555, 6.7); `unreachable` and `malformedAnswer` are ours. */
    readonly type: string,
    detail: string,
    readonly status = 0,
    /** How long the authority asks to wait; null = it does not say. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(detail)
  }
}

const MAX_DETAIL = 500

/** The error of an answer. An authority in trouble, or a proxy before it, may answer with anything. */
export function toProblem(status: number, body: unknown, retryAfterMs: number | null): AcmeError {
  const { type, detail } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const name = typeof type === 'string' ? type.replace(/^.*:/, '').slice(0, 100) : 'malformedAnswer'
  const said = typeof detail === 'string' ? detail : `it answered with status ${status}`
  return new AcmeError(name, said.slice(0, MAX_DETAIL), status, retryAfterMs)
}

/** The problem inside an authorisation or an order. */
export const problemOf = (body: unknown, otherwise: string): AcmeError => {
  const { type, detail } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  return typeof type === 'string' ? toProblem(0, { type, detail }, null) : new AcmeError('malformedAnswer', otherwise)
}

/** Milliseconds of a `Retry-After` header: seconds or a date. Null for anything else. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d{1,8}$/.test(header.trim())) return Number(header.trim()) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
