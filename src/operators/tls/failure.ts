import { describeError } from '../../base/lib/log'
import { reasonText } from '../../core/reason/reasons'
import type { ChallengeType } from './acme/order'
import { AcmeError } from './acme/problem'
import type { NameErrorCode } from './tables'

/** Why a name has no new certificate. */
export interface NameFailure {
  code: NameErrorCode
  /** A sentence for the person who runs the server or owns the domain. */
  detail: string
  retryAfterMs: number | null
}

/** A fault that is found before the authority is asked, so that no order is wasted. */
export class NotReady extends Error {
  constructor(
    readonly code: NameErrorCode,
    detail: string,
  ) {
    super(detail)
  }
}

const BY_TYPE: Readonly<Record<string, NameErrorCode>> = { rateLimited: 'rate_limited', caa: 'caa', dns: 'dns' }

/** What the authority finds when it looks at the name itself (RFC 8555, 6.7). */
const OF_CHALLENGE = /^(connection|tls|unauthorized|incorrectResponse)$/

/** The failures that no authority reports. */
const OURS = /^(unreachable|malformedAnswer)$/

/** The failure that an attempt ended with; `challenge` is how the name was to be proved. */
export function failureOf(error: unknown, challenge: ChallengeType | null): NameFailure {
  if (error instanceof NotReady) return { code: error.code, detail: error.message, retryAfterMs: null }
  if (!(error instanceof AcmeError)) return { code: 'other', detail: describeError(error), retryAfterMs: null }
  const { type, message, status, retryAfterMs } = error
  const isOfChallenge = status === 0 && OF_CHALLENGE.test(type) && challenge !== null
  const code = isOfChallenge ? (challenge === 'http-01' ? 'port80' : 'port443') : (BY_TYPE[type] ?? 'ca')
  const words = { words: message }
  const detail = OURS.test(type) ? reasonText('TLS_AUTHORITY_UNUSABLE', words) : reasonText('TLS_AUTHORITY_SAYS', words)
  return { code, detail, retryAfterMs }
}
