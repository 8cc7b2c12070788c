import { toIso } from '../../base/lib/time'
import type { CertificateState as Issued } from '../../operators/tls/certificate-state'
import type { CertificateState } from './model'

const STATUS = { PENDING: 'PENDING', VALID: 'ISSUED', EXPIRED: 'FAILED', FAILED: 'FAILED' } as const
const ENDED = { code: 'other', detail: 'The certificate has expired' } as const

/** A certificate that this server issues, in the words of a domain (wire 4.3). */
export function issuedState({ status, notAfter, issuer, nextAttemptAt, error }: Issued): CertificateState {
  return {
    status: STATUS[status],
    notAfter: isoOrNull(notAfter),
    issuer,
    nextAttemptAt: isoOrNull(nextAttemptAt),
    error: status === 'EXPIRED' ? (error ?? ENDED) : error,
  }
}

const isoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at))
