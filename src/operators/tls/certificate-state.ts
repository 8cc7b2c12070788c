import type { Handle } from '../../base/db/handle'
import { findTlsCertificate, findTlsName } from './queries'
import type { NameErrorCode } from './tables'

/** The certificate of a name, as a domain shows it. Instants are milliseconds. */
export interface CertificateState {
  /** PENDING: none yet. VALID: there is one. EXPIRED: it has ended. FAILED: there is none, and the last attempt failed. */
  status: 'PENDING' | 'VALID' | 'EXPIRED' | 'FAILED'
  notAfter: number | null
  issuer: string | null
  nextAttemptAt: number | null
  /** Why the last attempt failed; also beside a certificate that is still valid. */
  error: { code: NameErrorCode; detail: string } | null
}

/** The certificates of names that this deployment gets, by name; a name that it gets none for is not in the answer. */
export async function certificateStatesOf(
  handle: Handle,
  names: readonly string[],
  now: number,
): Promise<Map<string, CertificateState>> {
  const states = new Map<string, CertificateState>()
  for (const name of names) {
    const row = await findTlsName(handle, name)
    if (row?.isWanted) states.set(name, toState(row, await findTlsCertificate(handle, name), now))
  }
  return states
}

/** The state from both rows. */
export function toState(
  row: { nextAttemptAt: number | null; errorCode: NameErrorCode | null; errorDetail: string | null },
  certificate: { notAfter: number; issuer: string } | null,
  now: number,
): CertificateState {
  const { nextAttemptAt, errorCode, errorDetail } = row
  const error = errorCode === null ? null : { code: errorCode, detail: errorDetail ?? '' }
  const without = error === null ? 'PENDING' : 'FAILED'
  return {
    status: certificate === null ? without : certificate.notAfter <= now ? 'EXPIRED' : 'VALID',
    notAfter: certificate?.notAfter ?? null,
    issuer: certificate?.issuer ?? null,
    nextAttemptAt,
    error,
  }
}
