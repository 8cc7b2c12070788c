import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Stage, stage } from '../support/cast'
import type { Ran } from '../support/command'
import { domainEnv, setRecords, verifiedDomain } from '../support/custom-domains'
import { DnsStandIn } from '../support/dns'
import { publishFunnel } from '../support/funnels'
import { dataOf } from '../support/operator'
import { listen, machineEnv, type RemoteServer, runWith } from '../support/remote-command'
import { type StaffCalls, staff } from '../support/staff'

const P = ['--project', 'project-1']
let s: Stage
let dns: DnsStandIn
let server: RemoteServer
let dev: StaffCalls
let funnel: string

beforeAll(async () => {
  dns = await DnsStandIn.start()
  s = await stage({ env: domainEnv(dns) })
  dev = staff(s).as('DEVELOPER')
  funnel = await publishFunnel(dev, 'quiz')
  server = listen(s)
})
beforeEach(async () => {
  dns.names.clear()
  for (const { id } of (await dataOf(dev.get('/custom-domains'))).items)
    await dataOf(dev.delete(`/custom-domains/${id}`))
})
afterAll(async () => {
  await server.close()
  await s.close()
  dns.close()
})

const env = () => ({ ...machineEnv(s), ...domainEnv(dns) })
const here = (...args: string[]) => runWith(s, ['domain', ...args, ...P], { env: env() })
const there = (...args: string[]) =>
  runWith(s, ['domain', ...args, ...P], { env: { SVC_URL: server.url, SVC_TOKEN: server.tokenOf('DEVELOPER') } })
const PLACES: [place: string, run: (...args: string[]) => Promise<Ran>][] = [
  ['on the machine', here],
  ['on a server', there],
]

describe.each(PLACES)('%s', (_place, run) => {
  test('a name is added with its records, listed, checked and deleted', async () => {
    expect((await run('list')).out).toBe('There is no custom domain.')
    const added = await run('add', 'Müsli.example.com', '--root', 'quiz')
    expect([added.code, added.err]).toEqual([0, ''])
    expect(added.out).toContain('müsli.example.com (xn--msli-0ra.example.com)')
    expect(added.out).toMatch(/TXT +_svc\.xn--msli-0ra\.example\.com +svc-verify=\w{32}/)
    expect(added.out).toMatch(/CNAME +xn--msli-0ra\.example\.com +svc\.example\.com/)
    const { domains } = JSON.parse((await run('list', '--json')).out)
    expect(domains).toMatchObject([{ rootFunnelId: funnel, status: 'PENDING' }])
    const waiting = await run('verify', 'müsli.example.com')
    expect([waiting.code, waiting.out.includes('waits for its TXT record')]).toEqual([1, true])
    setRecords(dns, domains[0])
    const verified = await run('verify', 'xn--msli-0ra.example.com')
    expect([verified.code, verified.out.includes('right')]).toEqual([0, true])
    expect((await run('list')).out).toContain('owned, without a certificate')
    expect((await run('delete', 'MÜSLI.example.com')).out).toContain('is deleted')
    expect((await run('list')).out).toBe('There is no custom domain.')
  })

  test('a root can lead to an address, and JSON has the whole domain', async () => {
    const { code, out } = await run('add', 'go.example.com', '--redirect', 'https://www.example.com/', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ hostname: 'go.example.com', redirectTo: 'https://www.example.com/' })
  })

  const refusals: [args: string[], code: number, says: string][] = [
    [['add'], 2, 'domain add takes one hostname'],
    [['add', 'a.example.com', 'b.example.com'], 2, 'domain add takes one hostname'],
    [['add', 'https://a.example.com'], 1, 'without https://'],
    [['add', 'svc.example.com'], 1, 'address of this server'],
    [['add', 'a.example.com', '--root', 'nothing'], 1, 'The project has no funnel nothing.'],
    [['add', 'a.example.com', '--root', 'quiz', '--redirect', 'https://b.example/'], 1, 'only one of them'],
    [['add', 'a.example.com', '--redirect', 'http://b.example/'], 1, '--redirect must be an https address'],
    [['verify', 'nothing.example.com'], 1, 'The project has no custom domain nothing.example.com.'],
    [['delete', 'nothing.example.com'], 1, 'The project has no custom domain nothing.example.com.'],
    [['delete'], 2, 'domain delete takes one hostname'],
    [['list', 'x'], 2, 'domain list takes no name'],
    [['remove'], 2, 'domain takes list, add, verify, delete'],
    [['toString'], 2, 'domain takes list, add'],
  ]
  for (const [args, code, says] of refusals)
    test(`svc domain ${args.join(' ')} is refused`, async () => {
      const ran = await run(...args)
      expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(says)])
      expect((await dataOf(dev.get('/custom-domains'))).items).toEqual([])
    })
})

test('svc doctor has a line for each name that lacks something', async () => {
  const hostname = 'doctor.example.com'
  const doctor = async () => (await runWith(s, ['doctor'], { env: env() })).out
  expect(await doctor()).not.toContain('The custom domain')
  await dataOf(dev.post('/custom-domains', { hostname }))
  expect(await doctor()).toContain(`The custom domain ${hostname} waits for its TXT record`)
  const [{ id }] = (await dataOf(dev.get('/custom-domains'))).items
  await dataOf(dev.delete(`/custom-domains/${id}`))
  await verifiedDomain(s, dev, dns, { hostname })
  expect(await doctor()).not.toContain(hostname)
  dns.names.set(hostname, { A: ['203.0.113.9'] })
  await here('verify', hostname)
  expect(await doctor()).toContain(`${hostname} does not lead to this server`)
})
