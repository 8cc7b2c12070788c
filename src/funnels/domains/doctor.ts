import type { Examination } from '../../base/cli/doctor'
import { type Finding, finding } from '../../core/finding/findings'
import type { CertificateState } from './model'
import { type DomainRow, listDomains } from './queries'

/** Whether visitors reach the names of a project: a line for each that lacks something. */
export const domainExamination: Examination = {
  name: 'custom-domains',
  async project({ handle, now }, { id }) {
    const rows = await listDomains(handle, id)
    const verified = rows.filter(({ status }) => status === 'VERIFIED')
    return {
      faults: verified.flatMap((row) => faultOf(row, now) ?? []),
      gaps: rows.flatMap((row) => gapOf(row) ?? []),
    }
  },
}

function faultOf({ hostname, certificate }: DomainRow, now: number): Finding | null {
  if (!isExpired(certificate, now)) return null
  return finding(
    'CERTIFICATE_EXPIRED',
    { hostname },
    `The certificate of ${hostname} has expired; visitors are warned. Renew it.`,
  )
}

const isExpired = (certificate: CertificateState | null, now: number): boolean =>
  certificate?.notAfter != null && Date.parse(certificate.notAfter) <= now

function gapOf({ hostname, status, failure, address, missingSince }: DomainRow): Finding | null {
  if (failure === 'HELD')
    return finding(
      'DOMAIN_HELD',
      { hostname },
      `Another project has proved the custom domain ${hostname}; delete it, or have the other project give it up: svc domain delete ${hostname}`,
    )
  if (status === 'FAILED')
    return finding(
      'DOMAIN_FAILED',
      { hostname },
      `The custom domain ${hostname} failed: its TXT record was not seen for 72 hours; set it, and run: svc domain verify ${hostname}`,
    )
  if (status === 'PENDING')
    return finding(
      'DOMAIN_PENDING',
      { hostname },
      `The custom domain ${hostname} waits for its TXT record; see: svc domain list`,
    )
  if (missingSince !== null)
    return finding(
      'DOMAIN_RECORD_GONE',
      { hostname },
      `The TXT record of ${hostname} is gone; set it again, or its pages stop 7 days after it was gone.`,
    )
  if (address?.ok === false)
    return finding(
      'DOMAIN_ELSEWHERE',
      { hostname },
      `The custom domain ${hostname} does not lead to this server; see: svc domain verify ${hostname}`,
    )
  return null
}
