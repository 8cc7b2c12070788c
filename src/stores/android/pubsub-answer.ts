import { parseObject } from '../../base/lib/json'
import { type CallRefusal, isUnavailableStatus } from './answer'

/** Why a call to Pub/Sub gave no result. */
export type PubSubRefusal =
  /** No answer, or an answer that asks to try later. */
  | { ok: false; kind: 'unavailable' }
  /** Google gives the service account no access token. */
  | { ok: false; kind: 'account' }
  /** The Pub/Sub API is not enabled in the cloud project. */
  | { ok: false; kind: 'api_disabled' }
  | { ok: false; kind: 'forbidden' }
  | { ok: false; kind: 'not_found' }
  | { ok: false; kind: 'exists' }
  /** A rule of the organisation, or the state of the object, does not allow it. */
  | { ok: false; kind: 'precondition' }
  /** Another error that would be the same at a second try. */
  | { ok: false; kind: 'other'; status: number | null; reason: string | null }

export type PubSubAnswer<Body> = { ok: true; body: Body } | PubSubRefusal

/** Reads an answer of the API: JSON in every case, an empty object after a deletion. */
export function readPubSubAnswer(status: number, text: string): PubSubAnswer<Record<string, unknown>> {
  const body = parseObject(text)
  if (status >= 200 && status < 300) return body ? { ok: true, body } : unreadableAnswer(status)
  const error = recordOf(body?.error)
  const reason = typeof error?.status === 'string' ? error.status.slice(0, 128) : null
  if (status === 409 && reason === 'ALREADY_EXISTS') return { ok: false, kind: 'exists' }
  if (isUnavailableStatus(status)) return { ok: false, kind: 'unavailable' }
  if (status === 404) return { ok: false, kind: 'not_found' }
  if (status === 403) return { ok: false, kind: isApiDisabled(error) ? 'api_disabled' : 'forbidden' }
  if (status === 412 || reason === 'FAILED_PRECONDITION') return { ok: false, kind: 'precondition' }
  return { ok: false, kind: 'other', status, reason }
}

export const unreadableAnswer = (status: number): PubSubRefusal => ({ ok: false, kind: 'other', status, reason: null })

/** The refusal of a token request, or of a call that brought no answer. */
export function refusalOf(refusal: CallRefusal): PubSubRefusal {
  if (refusal.kind === 'unavailable') return { ok: false, kind: 'unavailable' }
  if (refusal.kind === 'rejected' && refusal.why === 'credentials') return { ok: false, kind: 'account' }
  return unreadableAnswer(refusal.status ?? 0)
}

/** The reason is in `details` (google.rpc.ErrorInfo); older answers have it in `errors`. */
function isApiDisabled(error: Record<string, unknown> | null): boolean {
  const reasons = [error?.details, error?.errors].flatMap((list) =>
    Array.isArray(list) ? list.map((one) => recordOf(one)?.reason) : [],
  )
  return reasons.includes('SERVICE_DISABLED') || reasons.includes('accessNotConfigured')
}

const recordOf = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null // No better type is known.
