import type { DomainAnswer } from './operator-wire'

type Named = Pick<DomainAnswer, 'hostname' | 'unicodeHostname'>
type Shown = Pick<DomainAnswer, 'status' | 'failure' | 'verification' | 'dns' | 'certificate' | 'missingSince'>

/** Both forms of a name, where they differ. */
export const namesOf = ({ hostname, unicodeHostname }: Named): string =>
  unicodeHostname === hostname ? hostname : `${unicodeHostname} (${hostname})`

/** What is missing for a name, the first thing first. */
export function stateOf({ status, failure, verification, dns, certificate, missingSince }: Shown): string {
  if (failure === 'HELD') return 'failed: another project has proved the name'
  if (status === 'FAILED') return 'failed: its TXT record was not seen for 72 hours'
  if (status === 'PENDING')
    return verification.seen.length > 0 ? 'waits: another TXT record' : 'waits for its TXT record'
  if (missingSince !== null) return `its TXT record is gone since ${missingSince}`
  if (!dns.ok) return dns.seen.length > 0 ? 'owned, leads elsewhere' : 'owned, has no address'
  return certificate.status === 'ISSUED' ? 'live' : 'owned, without a certificate'
}
