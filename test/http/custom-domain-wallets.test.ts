import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createRegistry } from '../../src/base/jobs/registry'
import { Worker } from '../../src/base/jobs/worker'
import { DAY } from '../../src/base/lib/clock'
import { checkDue } from '../../src/funnels/domains/jobs'
import { walletJobs } from '../../src/funnels/domains/wallets'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { type Stage, stage } from '../support/cast'
import { domainEnv, verifiedDomain } from '../support/custom-domains'
import { DnsStandIn } from '../support/dns'
import { publishPaidFunnel } from '../support/funnel-payments'
import { dataOf } from '../support/operator'
import { type PaymentStage, paymentStage, sellThrough } from '../support/payment'
import { type StaffCalls, staff } from '../support/staff'

/** Runs the jobs that wait. */
const work = (on: Stage) => new Worker(on.ctx, createRegistry(walletJobs)).runDue()

let dns: DnsStandIn
let s: PaymentStage
let dev: StaffCalls

beforeAll(async () => {
  dns = await DnsStandIn.start()
  s = await paymentStage({ env: domainEnv(dns) })
  await sellThrough(s, s.project, null, 'test', 'pk_test_stage')
  dev = staff(s).as('DEVELOPER')
})
beforeEach(() => {
  s.server.faults = NO_FAULTS
})
afterAll(async () => {
  await s.close()
  dns.close()
})

const registered = () => [...s.world.methodDomains.values()].map(({ domain_name, enabled }) => [domain_name, enabled])
const stateOf = (hostname: string) => registered().find(([name]) => name === hostname)?.[1]
const wrote = (from: number) =>
  s.server.requests.slice(from).filter(({ method, path }) => method !== 'GET' && path.includes('domains'))

describe('at the account of the project', () => {
  test('a verified name is registered once, and its wallets are shown', async () => {
    const hostname = 'pay.example.com'
    const created = await dataOf(dev.post('/custom-domains', { hostname }))
    expect([created.wallets, stateOf(hostname)]).toEqual([null, undefined])
    await dataOf(dev.post(`/custom-domains/${created.id}/verify`))
    expect(stateOf(hostname)).toBeUndefined()
    dns.names.set(`_svc.${hostname}`, { TXT: [created.verification.value] })
    const from = s.server.requests.length
    const verified = await dataOf(dev.post(`/custom-domains/${created.id}/verify`))
    const on = { status: 'ACTIVE', error: null }
    expect(verified.wallets).toEqual({ applePay: on, googlePay: on, link: on, paypal: { ...on, status: 'INACTIVE' } })
    await dataOf(dev.post(`/custom-domains/${created.id}/verify`))
    expect(wrote(from).map(({ form }) => form.domain_name)).toEqual([hostname])
    const funnel = await publishPaidFunnel(s)
    const shown = await s.call('GET', `/public/funnels/${funnel.slug}?hostname=${hostname}`, { key: null })
    expect(shown.body.data.payment.wallets).toMatchObject({ applePay: 'ACTIVE', paypal: 'INACTIVE' })
  })

  test('a wallet that is off says why in the words of the provider, and is asked for again', async () => {
    const hostname = 'apple.example.com'
    const { id } = await verifiedDomain(s, dev, dns, { hostname })
    const [domain] = [...s.world.methodDomains.values()].filter((one) => one.domain_name === hostname)
    if (!domain) throw new Error('it was not registered')
    const refusal = { status: 'inactive' as const, status_details: { error_message: 'The file was not found' } }
    s.world.methodDomains.set(domain.id, { ...domain, apple_pay: refusal })
    const from = s.server.requests.length
    const { wallets } = await dataOf(dev.post(`/custom-domains/${id}/verify`))
    expect(wallets.applePay).toEqual({ status: 'INACTIVE', error: 'The file was not found' })
    expect(wrote(from).map(({ path }) => path)).toEqual([`/v1/payment_method_domains/${domain.id}/validate`])
  })

  test('a provider that does not answer keeps no name from its pages, and the next check registers it', async () => {
    s.server.faults = { ...NO_FAULTS, status: 503 }
    const hostname = 'slow.example.com'
    const domain = await verifiedDomain(s, dev, dns, { hostname })
    expect(domain).toMatchObject({ status: 'VERIFIED', wallets: { applePay: { status: 'INACTIVE' } } })
    expect(domain.wallets.applePay.error).toContain('does not answer')
    expect(stateOf(hostname)).toBeUndefined()
    s.server.faults = NO_FAULTS
    s.ctx.clock.advance(DAY)
    await checkDue(s.ctx)
    expect(stateOf(hostname)).toBe(true)
  })

  test('a deleted name is switched off, and on again when the project takes it back', async () => {
    const hostname = 'back.example.com'
    const { id } = await verifiedDomain(s, dev, dns, { hostname })
    await dataOf(dev.delete(`/custom-domains/${id}`))
    expect(stateOf(hostname)).toBe(true)
    await work(s)
    expect(stateOf(hostname)).toBe(false)
    await verifiedDomain(s, dev, dns, { hostname })
    await work(s)
    expect(registered().filter(([name]) => name === hostname)).toEqual([[hostname, true]])
  })

  test('a name that lost its record is switched off', async () => {
    const hostname = 'lost.example.com'
    const { id } = await verifiedDomain(s, dev, dns, { hostname })
    dns.names.delete(`_svc.${hostname}`)
    s.ctx.clock.advance(DAY)
    await checkDue(s.ctx)
    await work(s)
    expect(stateOf(hostname)).toBe(true)
    s.ctx.clock.advance(7 * DAY)
    await checkDue(s.ctx)
    await work(s)
    expect(stateOf(hostname)).toBe(false)
    expect((await dataOf(dev.get(`/custom-domains/${id}`))).wallets).toBeNull()
  })
})

describe('without an account', () => {
  const withStage = async (env: Record<string, string>, look: (other: Stage, calls: StaffCalls) => Promise<void>) => {
    const other = await stage({ env: { ...domainEnv(dns), ...env } })
    try {
      await look(other, staff(other).as('DEVELOPER'))
    } finally {
      await other.close()
    }
  }

  test('the test store takes the name, and forgets a deleted one', () =>
    withStage({}, async (other, calls) => {
      const hostname = 'test.example.com'
      const sales = other.ctx.state.testStores.sales(other.project.id)
      const { id, wallets } = await verifiedDomain(other, calls, dns, { hostname })
      expect(await sales?.hasDomain(hostname)).toBe(true)
      expect(wallets.applePay).toEqual({ status: 'INACTIVE', error: expect.stringContaining('test store') })
      await dataOf(calls.delete(`/custom-domains/${id}`))
      await work(other)
      expect(await sales?.hasDomain(hostname)).toBe(false)
    }))

  test('and without the test store nothing is registered', () =>
    withStage({ SVC_SIMULATOR: 'off' }, async (other, calls) => {
      expect((await verifiedDomain(other, calls, dns, { hostname: 'none.example.com' })).wallets).toBeNull()
    }))
})
