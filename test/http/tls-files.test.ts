import { afterEach, describe, expect, test } from 'bun:test'
import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { DAY } from '../../src/base/lib/clock'
import { refreshTls } from '../../src/operators/tls/refresh'
import {
  getSecurely,
  type SecureServer,
  scratchFile,
  shownCertificate,
  startSecureServer,
} from '../support/secure-server'
import { selfSigned } from '../support/self-signed'

const running: SecureServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

async function certificateFiles(name = 'svc.example.com') {
  const pair = await selfSigned(name)
  const [certificate, key] = [scratchFile('cert.pem'), scratchFile('key.pem')]
  writeFileSync(certificate, pair.cert)
  writeFileSync(key, pair.key)
  return { certificate, key, env: { SVC_TLS: `files:${certificate},${key}` } }
}

async function start(env: Record<string, string>): Promise<SecureServer> {
  const server = await startSecureServer(env)
  running.push(server)
  return server
}

describe('own certificate files', () => {
  test('answer by https; the plain port for everybody else only sends there', async () => {
    const { env } = await certificateFiles()
    const { httpsPort, httpPort } = await start(env)
    expect((await getSecurely(httpsPort(), 'svc.example.com', '/health')).status).toBe(200)
    const page = await fetch(`http://127.0.0.1:${httpPort}/docs`, {
      headers: { host: 'svc.example.com' },
      redirect: 'manual',
    })
    expect([page.status, page.headers.get('location')]).toEqual([308, `https://svc.example.com:${httpsPort()}/docs`])
    const call = await fetch(`http://127.0.0.1:${httpPort}/v1/config`, {
      headers: { host: 'svc.example.com', authorization: 'Bearer sk_live_secret' },
      redirect: 'manual',
    })
    expect([call.status, await call.json()]).toEqual([403, { error: { code: 'FORBIDDEN', message: 'Use https' } }])
    const challenge = await fetch(`http://127.0.0.1:${httpPort}/.well-known/acme-challenge/${'a'.repeat(30)}`)
    expect(challenge.status).toBe(404)
  })

  test('an unknown or missing name gets the only certificate, and no order is written', async () => {
    const { env } = await certificateFiles()
    const { httpsPort, ctx } = await start(env)
    const shown = await shownCertificate(httpsPort(), 'svc.example.com')
    for (const name of ['', 'other.example', 'svc.example.net'])
      expect(await shownCertificate(httpsPort(), name)).toBe(shown)
    expect(await ctx.db.select().from(ctx.tables.tlsOrders)).toEqual([])
  })

  test('are read again when both have changed, and a half-written pair changes nothing', async () => {
    const { certificate, key, env } = await certificateFiles()
    const { httpsPort, ctx } = await start(env)
    const before = await shownCertificate(httpsPort(), 'svc.example.com')
    const next = await selfSigned('svc.example.com')
    writeFileSync(certificate, next.cert)
    await refreshTls(ctx)
    expect(await shownCertificate(httpsPort(), 'svc.example.com')).toBe(before)
    expect(ctx.lines.filter((line) => line.includes('the old certificate stays'))).toHaveLength(1)
    await refreshTls(ctx)
    expect(ctx.lines.filter((line) => line.includes('the old certificate stays'))).toHaveLength(1)
    writeFileSync(key, next.key)
    await refreshTls(ctx)
    const [served] = ctx.state.tls.certificates
    expect(served?.fingerprint).not.toBe(before)
    const seen = new Set(
      await Promise.all(Array.from({ length: 20 }, () => shownCertificate(httpsPort(), 'svc.example.com'))),
    )
    expect([...seen].every((one) => one === before || one === served?.fingerprint)).toBe(true)
  })

  test('that could not be served are read again, also when their time is the same then', async () => {
    const { certificate, key, env } = await certificateFiles()
    const { ctx } = await start(env)
    const next = await selfSigned('svc.example.com')
    const earlier = await selfSigned('svc.example.com')
    writeFileSync(certificate, next.cert)
    writeFileSync(key, earlier.key)
    utimesSync(key, new Date(0), new Date(0))
    const { size } = statSync(key)
    const before = ctx.state.tls.certificates[0]?.fingerprint
    await refreshTls(ctx)
    expect(ctx.state.tls.certificates[0]?.fingerprint).toBe(before)
    writeFileSync(key, next.key)
    utimesSync(key, new Date(0), new Date(0))
    expect(statSync(key)).toMatchObject({ size, mtimeMs: 0 })
    await refreshTls(ctx)
    expect(ctx.state.tls.certificates[0]?.fingerprint).not.toBe(before)
    expect(ctx.state.tls.fileFault).toBeNull()
  })

  test('HSTS is sent after the first day, only for names of the certificate', async () => {
    const { env } = await certificateFiles()
    const { httpsPort, ctx } = await start({ ...env, PUBLIC_BASE_URL: 'https://svc.example.com' })
    const strict = async (host: string) =>
      (await getSecurely(httpsPort(), host, '/health')).headers.get('strict-transport-security')
    expect(await strict('svc.example.com')).toBeNull()
    ctx.clock.advance(DAY - 1)
    await refreshTls(ctx)
    expect(await strict('svc.example.com')).toBeNull()
    ctx.clock.advance(1)
    await refreshTls(ctx)
    expect(await strict('svc.example.com')).toBe('max-age=31536000')
    expect(await strict('other.example')).toBeNull()
  })
})

describe('a start that cannot be', () => {
  const refused = async (env: Record<string, string>): Promise<unknown> => {
    const started = await startSecureServer(env).catch((error: unknown) => error)
    if (!(started instanceof Error)) running.push(started as SecureServer)
    return started
  }

  test('without a file', async () => {
    const { certificate, env } = await certificateFiles()
    const missing = { SVC_TLS: `files:${certificate},/nowhere/key.pem` }
    expect(await refused(missing)).toMatchObject({ message: expect.stringMatching(/^SVC_TLS names a file .*key\.pem/) })
    writeFileSync(certificate, 'no pem')
    expect(await refused(env)).toMatchObject({ message: expect.stringContaining('SVC_TLS has no certificate in PEM') })
  })

  test('with a key of another certificate', async () => {
    const [one, other] = [await certificateFiles(), await certificateFiles()]
    expect(await refused({ SVC_TLS: `files:${one.certificate},${other.key}` })).toMatchObject({
      message: expect.stringContaining('SVC_TLS has a key of another certificate'),
    })
  })

  test.each(['SVC_HTTPS_PORT', 'SVC_HTTP_PORT'])('on a taken %s leaves no port open', async (variable) => {
    const { env } = await certificateFiles()
    const taken = createServer()
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
    const { port } = taken.address() as { port: number }
    expect(await refused({ ...env, [variable]: String(port) })).toMatchObject({ port, variable })
    taken.close()
  })
})
