import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { makeKey } from '../../src/operators/tls/acme/crypto'
import { runIssuer } from '../../src/operators/tls/issuer'
import { saveTlsOrder } from '../../src/operators/tls/queries'
import { sealFor, vaultOf } from '../../src/operators/tls/sealed'
import { type AcmeProxy, problem, startAcmeProxy } from '../support/acme-proxy'
import { type Pebble, pebbleMissing, startPebble } from '../support/pebble'
import {
  getSecurely,
  issueNow,
  nameOf,
  type SecureServer,
  shownCertificate,
  startSecureServer,
} from '../support/secure-server'

const missing = pebbleMissing()
const isThere = missing === null
if (missing !== null) console.warn(`Skipped: the tests with a certificate authority (${missing}).`)

let pebble: Pebble
let proxy: AcmeProxy
const running: SecureServer[] = []

beforeAll(async () => {
  if (!isThere) return
  pebble = await startPebble()
  proxy = await startAcmeProxy(pebble)
})
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
  if (!proxy) return
  proxy.disturb = () => undefined
  proxy.window = null
  proxy.calls.length = 0
  proxy.orders = 0
})
afterAll(async () => {
  await proxy?.stop()
  await pebble?.stop()
})

async function start(domains: string, env: Record<string, string> = {}): Promise<SecureServer> {
  const server = await startSecureServer({ ...proxy.env, SVC_DOMAINS: domains, ...env })
  running.push(server)
  return server
}

describe.skipIf(!isThere)('certificates', () => {
  test('come for every name by http-01, though one nonce in five is refused; no handshake asks for one', async () => {
    const server = await start('svc.example.com,two.example.com')
    await issueNow(server)
    expect(await nameOf(server, 'svc.example.com')).toMatchObject({ status: 'VALID', errorCode: null, failures: 0 })
    const [first, second] = server.ctx.state.tls.certificates
    expect([first?.names, second?.names]).toEqual([['svc.example.com'], ['two.example.com']])
    const port = server.httpsPort()
    expect((await getSecurely(port, 'svc.example.com', '/health')).status).toBe(200)
    expect(proxy.orders).toBe(2)
    const unknown = Array.from({ length: 100 }, (_, at) => shownCertificate(port, at === 0 ? '' : `n${at}.example.net`))
    expect(new Set(await Promise.all(unknown))).toEqual(new Set([first?.fingerprint ?? '']))
    await issueNow(server)
    expect(proxy.orders).toBe(2)
    const keys = server.ctx.state.tls.certificates.map(({ key }) => key)
    expect(new Set(keys).size).toBe(2)
  })

  test('nothing of an account, an order or a key is in the database in clear', async () => {
    const server = await start('svc.example.com')
    await issueNow(server)
    const { ctx } = server
    const { tlsAccounts, tlsCertificates, tlsOrders } = ctx.tables
    const rows = [await ctx.db.select().from(tlsAccounts), await ctx.db.select().from(tlsCertificates)]
    expect(rows.map((list) => list.length)).toEqual([1, 1])
    expect(JSON.stringify(rows)).not.toMatch(/PRIVATE KEY|"d":|BEGIN CERTIFICATE/)
    expect(await ctx.db.select().from(tlsOrders)).toEqual([])
  })

  test('a renewal has a new key', async () => {
    const server = await start('svc.example.com')
    await issueNow(server)
    const [before] = server.ctx.state.tls.certificates
    server.ctx.clock.set((await nameOf(server, 'svc.example.com'))?.renewAt ?? 0)
    proxy.disturb = (path) => (path === '/dir' ? withoutDate() : undefined)
    await issueNow(server)
    const [after] = server.ctx.state.tls.certificates
    expect(proxy.orders).toBe(2)
    expect(after?.fingerprint).not.toBe(before?.fingerprint)
    expect(after?.key).not.toBe(before?.key)
  })
})

/** The clock of a test is years ahead of that of the authority. */
const withoutDate = async (): Promise<Response> => {
  const answer = await fetch(pebble.directory, { tls: { rejectUnauthorized: false } })
  const text = (await answer.text()).replaceAll(
    new URL(pebble.directory).host,
    new URL(proxy.env.SVC_ACME_URL ?? '').host,
  )
  return new Response(text, { headers: { date: 'none', 'content-type': 'application/json' } })
}

describe.skipIf(!isThere)('no order is made', () => {
  test('for a name without an address, or one that leads elsewhere; the others are not held up', async () => {
    await pebble.refuse('nowhere.example.com')
    await pebble.setAddress('elsewhere.example.com', '127.0.0.2')
    const server = await start('nowhere.example.com,elsewhere.example.com,svc.example.com')
    await issueNow(server)
    expect(await nameOf(server, 'nowhere.example.com')).toMatchObject({ status: 'FAILED', errorCode: 'dns' })
    expect(await nameOf(server, 'elsewhere.example.com')).toMatchObject({
      ...{ status: 'FAILED', errorCode: 'port80' },
      errorDetail: expect.stringContaining(
        'elsewhere.example.com does not reach this server: 127.0.0.2 does not answer',
      ),
    })
    expect(await nameOf(server, 'svc.example.com')).toMatchObject({ status: 'VALID' })
    expect(proxy.orders).toBe(1)
  })

  test('when the clock of this machine is wrong', async () => {
    const server = await start('svc.example.com')
    server.ctx.clock.advance(-30 * DAY)
    await server.ctx.write((tx) => tx.db.delete(tx.tables.tlsNames))
    await issueNow(server)
    expect(await nameOf(server, 'svc.example.com')).toMatchObject({
      ...{ status: 'FAILED', errorCode: 'other' },
      errorDetail: 'The clock of this machine is 720 h behind that of the certificate authority; set it',
    })
    expect(proxy.orders).toBe(0)
  })
})

describe.skipIf(!isThere)('an authority that answers badly', () => {
  const failing = async (disturb: AcmeProxy['disturb']) => {
    proxy.disturb = disturb
    const server = await start('svc.example.com')
    await issueNow(server)
    return { server, row: await nameOf(server, 'svc.example.com') }
  }

  test.each([
    ['a page', () => new Response('<html>Bad gateway</html>', { headers: { 'content-type': 'text/html' } })],
    ['an empty body', () => new Response('')],
    ['a list', () => Response.json([])],
    ['addresses without https', () => Response.json({ newNonce: 'http://x/', newAccount: 'file:///x', newOrder: '' })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:1/' } })],
    ['more than 256 KB', () => new Response('x'.repeat(300_000))],
  ])('by %s in place of its directory is an error of the authority', async (_name, answer) => {
    const { server, row } = await failing((path) => (path === '/dir' ? answer() : undefined))
    expect(row).toMatchObject({ status: 'FAILED', errorCode: 'ca', failures: 1 })
    expect(row?.errorDetail).toStartWith('The certificate authority gave no usable answer: it')
    expect(server.httpsPort()).toBe(0)
  })

  test('by 503 is asked again at once, and later when it wants a longer pause', async () => {
    let busy = 2
    const { row } = await failing((path) =>
      path === '/order-plz' && busy-- > 0 ? problem(503, 'serverInternal', 'busy', { 'retry-after': '0' }) : undefined,
    )
    expect(row).toMatchObject({ status: 'VALID' })
  })

  test('by a limit is left alone as long as it asks for', async () => {
    const { server, row } = await failing((path) =>
      path === '/order-plz' ? problem(429, 'rateLimited', 'too many', { 'retry-after': '18000' }) : undefined,
    )
    expect(row).toMatchObject({ status: 'FAILED', errorCode: 'rate_limited' })
    expect(row?.nextAttemptAt).toBe(server.ctx.clock.now() + 5 * HOUR)
    const asked = proxy.calls.length
    server.ctx.clock.advance(5 * HOUR - 1)
    await issueNow(server)
    expect(proxy.calls).toHaveLength(asked)
  })

  test('by refusals is asked again after 1 h, 3 h, 12 h and 24 h', async () => {
    const { server } = await failing((path) =>
      path === '/dir' ? Promise.resolve(new Response('', { status: 404 })) : undefined,
    )
    const waits: number[] = []
    for (let attempt = 1; attempt <= 5; attempt++) {
      const at = (await nameOf(server, 'svc.example.com'))?.nextAttemptAt ?? 0
      waits.push((at - server.ctx.clock.now()) / HOUR)
      server.ctx.clock.set(at)
      await issueNow(server)
    }
    expect(waits).toEqual([1, 3, 12, 24, 24])
  })

  test('that does not know the account any more gets a new one', async () => {
    const server = await start('svc.example.com')
    await issueNow(server)
    const before = await accountOf(server)
    let refusals = 1
    proxy.disturb = (path) =>
      path === '/order-plz' && refusals-- > 0 ? problem(401, 'unauthorized', 'the account is deactivated') : undefined
    await server.ctx.write((tx) => tx.db.update(tx.tables.tlsNames).set({ nextAttemptAt: 0 }))
    await issueNow(server)
    expect(await nameOf(server, 'svc.example.com')).toMatchObject({ status: 'VALID', failures: 0 })
    const after = await accountOf(server)
    expect(after?.accountUrl).not.toBe(before?.accountUrl)
    expect(after?.accountUrl).toStartWith('https://')
  })

  test('forbids a name by CAA: the code says so', async () => {
    const { row } = await failing((path) => (path === '/order-plz' ? problem(403, 'caa', 'CAA forbids it') : undefined))
    expect(row).toMatchObject({ errorCode: 'caa', errorDetail: 'The certificate authority says: CAA forbids it' })
  })
})

const accountOf = async ({ ctx }: SecureServer) => (await ctx.db.select().from(ctx.tables.tlsAccounts))[0]

describe.skipIf(!isThere)('renewal information', () => {
  test('decides when a certificate is renewed, and is asked every 6 h', async () => {
    const server = await start('svc.example.com')
    const { clock } = server.ctx
    proxy.window = { start: new Date(clock.now() + 10 * DAY), end: new Date(clock.now() + 12 * DAY) }
    await issueNow(server)
    await issueNow(server)
    const row = await nameOf(server, 'svc.example.com')
    expect(row?.renewAt).toBeGreaterThanOrEqual(proxy.window.start.getTime())
    expect(row?.renewAt).toBeLessThan(proxy.window.end.getTime())
    expect(row?.nextAttemptAt).toBe(row?.renewAt ?? 0)
    const asked = () => proxy.calls.filter((call) => call.startsWith('GET /renewal/')).length
    expect(asked()).toBe(1)
    clock.advance(6 * HOUR - 1)
    await issueNow(server)
    expect(asked()).toBe(1)
    await server.ctx.write((tx) => tx.db.update(tx.tables.tlsNames).set({ renewalCheckedAt: 0 }))
    proxy.disturb = (path) =>
      path === '/dir' ? problem(503, 'serverInternal', 'busy', { 'retry-after': '60' }) : undefined
    await issueNow(server)
    expect((await nameOf(server, 'svc.example.com'))?.renewAt).toBe(row?.renewAt ?? 0)
  })

  test('in the past renews at once, but never within two hours of the last certificate', async () => {
    const server = await start('svc.example.com')
    const { clock } = server.ctx
    proxy.window = { start: new Date(clock.now() - 2 * DAY), end: new Date(clock.now() - DAY) }
    await issueNow(server)
    for (let at = 0; at < 5; at++) await issueNow(server)
    expect(proxy.orders).toBe(1)
    const [row] = await server.ctx.db.select().from(server.ctx.tables.tlsCertificates)
    expect((await nameOf(server, 'svc.example.com'))?.nextAttemptAt).toBe((row?.notBefore ?? 0) + 2 * HOUR)
  })
})

describe.skipIf(!isThere)('tls-alpn-01', () => {
  test('proves a name while port 80 is closed, also when https is served already, and calls go on', async () => {
    const server = await start('svc.example.com', { SVC_HTTP_PORT: '0' })
    await issueNow(server)
    expect(await nameOf(server, 'svc.example.com')).toMatchObject({ status: 'VALID' })
    const port = server.httpsPort()
    expect(port).toBe(pebble.tlsPort)
    const [before] = server.ctx.state.tls.certificates
    await server.ctx.write((tx) => tx.db.update(tx.tables.tlsNames).set({ nextAttemptAt: 0 }))
    let isDone = false
    const calls = (async () => {
      const statuses: number[] = []
      while (!isDone) statuses.push((await getSecurely(port, 'svc.example.com', '/health')).status)
      return statuses
    })()
    await issueNow(server)
    isDone = true
    const statuses = await calls
    expect(statuses.length).toBeGreaterThan(3)
    expect(new Set(statuses)).toEqual(new Set([200]))
    const [after] = server.ctx.state.tls.certificates
    expect(after?.fingerprint).not.toBe(before?.fingerprint)
    expect(proxy.orders).toBe(2)
    expect((await getSecurely(port, 'svc.example.com', '/health')).status).toBe(200)
  })

  test('is not tried when the port is reached by nobody', async () => {
    await pebble.setAddress('away.example.com', '127.0.0.3')
    const server = await start('away.example.com', { SVC_HTTP_PORT: '0' })
    await issueNow(server)
    expect(await nameOf(server, 'away.example.com')).toMatchObject({
      errorCode: 'port80',
      errorDetail: expect.stringMatching(/on port 80.*, and 127\.0\.0\.3 does not answer on port 443$/),
    })
    expect(proxy.orders).toBe(0)
  })
})

describe.skipIf(!isThere)('other accounts and names', () => {
  test('an IP address is a name', async () => {
    const server = await start('127.0.0.1')
    await issueNow(server)
    expect(await nameOf(server, '127.0.0.1')).toMatchObject({ status: 'VALID', errorCode: null })
    expect(server.ctx.state.tls.certificates[0]?.names).toEqual(['127.0.0.1'])
    expect(server.ctx.config.publicBaseUrl).toBe(`https://127.0.0.1:${pebble.tlsPort}`)
  })

  test('a profile that the authority does not have is refused without an order', async () => {
    const server = await start('svc.example.com', { SVC_ACME_PROFILE: 'nosuch' })
    await issueNow(server)
    expect(await nameOf(server, 'svc.example.com')).toMatchObject({
      ...{ status: 'FAILED', errorCode: 'ca' },
      errorDetail: expect.stringContaining('has no profile nosuch (SVC_ACME_PROFILE)'),
    })
    expect(proxy.orders).toBe(0)
  })

  test('an authority that binds accounts takes the right key and no other', async () => {
    const key = Buffer.alloc(32, 5).toString('base64url')
    const bound = await startPebble({ bindings: { 'kid-1': key } })
    const env = { ...bound.env, SVC_DOMAINS: 'svc.example.com' }
    for (const [eab, status] of [
      [`kid-1:${key}`, 'VALID'],
      [`kid-1:${Buffer.alloc(32, 6).toString('base64url')}`, 'FAILED'],
      ['', 'FAILED'],
    ] as const) {
      const server = await startSecureServer({ ...env, SVC_ACME_EAB: eab })
      await issueNow(server)
      expect(await nameOf(server, 'svc.example.com')).toMatchObject({ status })
      await server.stop()
    }
    await bound.stop()
  })
})

describe.skipIf(!isThere)('an order that was begun', () => {
  test('is continued by the next process with the same key', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-tls-'))
    const env = { SVC_DATA_DIR: folder, SVC_DATABASE_URL: `file:${join(folder, 'svc.db')}` }
    const first = await startSecureServer({ ...proxy.env, ...env, SVC_DOMAINS: 'svc.example.com' })
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    proxy.disturb = (path) => {
      if (!path.startsWith('/finalize-order/')) return undefined
      resolve()
      return new Promise<Response>(() => {})
    }
    await runIssuer(first.ctx)
    await asked
    await first.stop()
    proxy.disturb = () => undefined
    const second = await startSecureServer({ ...proxy.env, ...env, SVC_DOMAINS: 'svc.example.com' })
    running.push(second)
    await issueNow(second)
    expect(await nameOf(second, 'svc.example.com')).toMatchObject({ status: 'VALID', failures: 0 })
    expect(proxy.orders).toBe(1)
  })

  test('and that the authority does not know any more is replaced by a new one', async () => {
    const server = await start('svc.example.com')
    const url = `${new URL(proxy.env.SVC_ACME_URL ?? '').origin}/my-order/nosuch`
    const sealed = sealFor(vaultOf(server.ctx), 'order', 'svc.example.com', { url, key: await makeKey() })
    await server.ctx.write((tx) => saveTlsOrder(tx, { name: 'svc.example.com', sealed, createdAt: tx.clock.now() }))
    await issueNow(server)
    expect(await nameOf(server, 'svc.example.com')).toMatchObject({ status: 'VALID', failures: 0 })
  })
})
