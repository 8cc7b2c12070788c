import { MINUTE } from '../../src/base/lib/clock'
import type { Answer, Stage } from './cast'
import type { DnsStandIn } from './dns'
import { dataOf } from './operator'
import type { StaffCalls } from './staff'

/** The configuration with which names are checked at a stand-in. */
export const domainEnv = (dns: DnsStandIn) => ({
  PUBLIC_BASE_URL: 'https://svc.example.com',
  SVC_DNS: dns.address,
  SVC_PUBLIC_IPS: '198.51.100.7',
})

/** Sets both records of a domain as its owner would. */
export function setRecords(dns: DnsStandIn, domain: { hostname: string; verification: { value: string } }): void {
  dns.names.set(`_svc.${domain.hostname}`, { TXT: ['unrelated', domain.verification.value] })
  dns.names.set(domain.hostname, { CNAME: ['svc.example.com'] })
}

/** A domain that is verified; the members are those of the request. */
export async function verifiedDomain(s: Stage, dev: StaffCalls, dns: DnsStandIn, body: { hostname: string }) {
  const created = await dataOf(dev.post('/custom-domains', body))
  setRecords(dns, created)
  // Another minute, so that no limit of a minute counts what a test did before.
  s.ctx.clock.advance(MINUTE)
  const verified = await dataOf(dev.post(`/custom-domains/${created.id}/verify`))
  if (verified.status !== 'VERIFIED') throw new Error(`${body.hostname} is ${verified.status}`)
  return verified
}

/** Calls a host as a browser does. */
export async function browse(
  s: Stage,
  url: string,
  {
    form,
    cookie,
    headers = {},
  }: { form?: Record<string, string>; cookie?: string; headers?: Record<string, string> } = {},
): Promise<Answer & { text: string; location: string | null }> {
  const request = new Request(url, {
    headers: { ...(cookie !== undefined && { cookie }), ...headers },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  const answer = await s.app.handle(request)
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return {
    ...{ status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null },
    location: answer.headers.get('location'),
  }
}
