import { AppError } from '../../../base/errors'

/** How the paths of the protocol start, at the root and below a browser's mount. */
export const OFREP_PREFIX = '/ofrep/'

const OFREP_PATH = /^\/(v1\/web\/[^/]+\/)?ofrep\//

/** The codes by which an OpenFeature client distinguishes refusals. */
export type OfrepCode = 'TARGETING_KEY_MISSING' | 'INVALID_CONTEXT' | 'PARSE_ERROR' | 'FLAG_NOT_FOUND' | 'GENERAL'

/** A refusal that has a code of the protocol. */
export class OfrepRefusal extends AppError<'VALIDATION_ERROR' | 'NOT_FOUND'> {
  constructor(
    readonly errorCode: OfrepCode,
    message: string,
    /** The flag that was asked for, where the path does not have it as it was sent. */
    readonly key: string | null = null,
  ) {
    super(errorCode === 'FLAG_NOT_FOUND' ? 'NOT_FOUND' : 'VALIDATION_ERROR', undefined, { message })
  }
}

/** Clients act on these statuses alone; the envelope is kept for people and for the clients of svc. */
const BY_STATUS: ReadonlySet<number> = new Set([401, 403, 429])

/**
 * The body of a refusal as clients of the protocol read it (wire 2.23); null for other paths. Only refusals that the
 * protocol itself defines are sent without the envelope.
 */
export function ofrepFailure(path: string, refusal: AppError): object | null {
  if (!OFREP_PATH.test(path)) return null
  const key = (refusal instanceof OfrepRefusal ? refusal.key : null) ?? keyIn(path)
  const errorCode = codeOf(refusal, key)
  if (refusal instanceof OfrepRefusal && errorCode === 'FLAG_NOT_FOUND') return { key: key ?? '', errorCode }
  const answer = { ...(key !== null && { key }), errorCode, errorDetails: refusal.message }
  if (refusal.status === 400) return answer
  const error = refusal.toWire()
  return BY_STATUS.has(refusal.status) ? { error, errorCode } : { error, ...answer }
}

function codeOf(refusal: AppError, key: string | null): OfrepCode {
  if (refusal instanceof OfrepRefusal) return refusal.errorCode
  // Also a key that no route accepts, such as an empty one: to the caller it is a flag that does not exist.
  if (refusal.status === 404 && key !== null) return 'FLAG_NOT_FOUND'
  return refusal.status === 400 ? 'PARSE_ERROR' : 'GENERAL'
}

/** The flag that a path names, or null for one that names none. */
function keyIn(path: string): string | null {
  const escaped = /\/evaluate\/flags\/(.*)$/.exec(path)?.[1]
  if (escaped === undefined) return null
  try {
    return decodeURIComponent(escaped)
  } catch {
    return escaped
  }
}
