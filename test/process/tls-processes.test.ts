import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { type AcmeProxy, startAcmeProxy } from '../support/acme-proxy'
import { runSvc } from '../support/deployment'
import { freePorts, type Pebble, pebbleMissing, startPebble } from '../support/pebble'
import { type ServerProcess, startServerProcess, tempFolder } from '../support/process'
import { getSecurely, shownCertificate } from '../support/secure-server'

const missing = pebbleMissing()
if (missing !== null) console.warn(`Skipped: the processes with a certificate authority (${missing}).`)

let pebble: Pebble
let proxy: AcmeProxy
const processes: ServerProcess[] = []
const folders: { path: string; remove(): void }[] = []

beforeAll(async () => {
  if (missing !== null) return
  pebble = await startPebble()
  proxy = await startAcmeProxy(pebble)
})
afterEach(async () => {
  for (const one of processes.splice(0)) await one.kill('SIGKILL')
  for (const one of folders.splice(0)) one.remove()
  if (!proxy) return
  proxy.disturb = () => undefined
  proxy.orders = 0
})
afterAll(async () => {
  await proxy?.stop()
  await pebble?.stop()
})

const NAME = 'svc.example.com'

function folder(): string {
  const made = tempFolder()
  folders.push(made)
  return made.path
}

async function serve(path: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const started = await startServerProcess(path, { ...proxy.env, SVC_DOMAINS: NAME, SVC_HOST: '127.0.0.1', ...env })
  processes.push(started)
  return started
}

/** The certificate of a port, once it is another than `before`. */
async function untilShown(port: number, before = ''): Promise<string> {
  for (const until = performance.now() + 90_000; performance.now() < until; await Bun.sleep(20)) {
    const shown = await shownCertificate(port, NAME).catch(() => before)
    if (shown !== before) return shown
  }
  throw new Error(`port ${port} shows no other certificate`)
}

describe.skipIf(missing !== null)('svc serve --domain', () => {
  test('every process takes a new certificate, and no request is lost meanwhile', async () => {
    const path = folder()
    const [plain, secure] = await freePorts(2)
    await serve(path)
    await serve(path, { SVC_HTTP_PORT: String(plain), SVC_HTTPS_PORT: String(secure) })
    const ports = [pebble.tlsPort, secure] as [number, number]
    const first = await untilShown(ports[0])
    expect(await untilShown(ports[1])).toBe(first)
    let isOver = false
    const load = Promise.all(Array.from({ length: 4 }, () => askOften(ports[0], 250, () => isOver)))
    expect(await runSvc(['tls', 'renew', NAME, '--data', path], { ...proxy.env, SVC_DOMAINS: NAME })).toMatchObject({
      code: 0,
    })
    const second = await untilShown(ports[0], first)
    expect(await untilShown(ports[1], first)).toBe(second)
    isOver = true
    const statuses = (await load).flat()
    expect(statuses.length).toBeGreaterThanOrEqual(1000)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(proxy.orders).toBe(2)
  }, 600_000)

  test('an order that kill -9 interrupts is continued, and no second one is made', async () => {
    const path = folder()
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    proxy.disturb = (called) => {
      if (!called.startsWith('/finalize-order/')) return undefined
      resolve()
      return new Promise<Response>(() => {})
    }
    const killed = await serve(path)
    await asked
    await killed.kill('SIGKILL')
    proxy.disturb = () => undefined
    await serve(path)
    await untilShown(pebble.tlsPort)
    expect(proxy.orders).toBe(1)
    const { code, out } = await runSvc(['tls', 'status', '--json', '--data', path], { ...proxy.env, SVC_DOMAINS: NAME })
    expect([code, JSON.parse(out).names[0].status]).toEqual([0, 'VALID'])
  }, 600_000)

  test('terms of the authority must be accepted once', async () => {
    const path = folder()
    const env = { ...proxy.env, SVC_ACCEPT_CA_TERMS: 'off', SVC_PORT: '0', SVC_TLS: '' }
    const args = ['serve', '--data', path, '--domain', NAME]
    const refused = await runSvc(args, env)
    expect([refused.code, refused.out]).toEqual([2, ''])
    expect(refused.err).toContain('data:text/plain,Do%20what%20thou%20wilt')
    expect(proxy.orders).toBe(0)
    const accepted = await serve(path)
    await accepted.kill('SIGTERM')
    const again = await serve(path, { SVC_ACCEPT_CA_TERMS: 'off' })
    expect(again.url).toBe(`https://${NAME}:${pebble.tlsPort}`)
  }, 600_000)

  test('a taken port is one sentence', async () => {
    const taken = createServer()
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
    const { port } = taken.address() as { port: number }
    const env = { ...proxy.env, SVC_HOST: '127.0.0.1', SVC_PORT: '0', SVC_HTTPS_PORT: String(port), SVC_DOMAINS: NAME }
    const { code, err } = await runSvc(['serve', '--data', folder()], env)
    taken.close()
    expect([code, err.trim()]).toEqual([
      1,
      `Port ${port} is in use; stop the program that has it (see: ss -ltnp), or set SVC_HTTPS_PORT.`,
    ])
  })
})

/** Asks on a new connection each time, so often at least, until it is over. */
async function askOften(port: number, count: number, isOver: () => boolean): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < count || !isOver(); at++)
    statuses.push((await getSecurely(port, NAME, '/health', { keepalive: false })).status)
  return statuses
}
