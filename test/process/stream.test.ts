import { afterAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { join } from 'node:path'
import { readConfig } from '../../src/base/config'
import { createContext } from '../../src/create-context'
import { writeStreamToken } from '../../src/targeting/remote-config/stream-token'
import { hasChromium, launchBrowser } from '../support/browser'
import { TEST_KEY } from '../support/context'
import { type Deployment, Deployments, makeDeployment, read, readyStatus, runSvc } from '../support/deployment'
import { applyFlags, holdUnread, openEventSource, requestStream } from '../support/stream-socket'

const all = new Deployments()
afterAll(() => all.end(), 600_000)

const metricsOf = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
const openIn = async (port: number): Promise<number> =>
  Number(/^svc_sse_clients (\d+)/m.exec(await metricsOf(port))?.[1])

/**
 * A deployment on a port that is known before the start. The port is below the range from which systems assign ports.
 */
async function startAt(setting: 'SVC_PORT' | 'SVC_INTERNAL_PORT'): Promise<{ on: Deployment; port: number }> {
  const path = all.folder()
  const project = await makeDeployment({ SVC_DATA_DIR: path })
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    try {
      const server = await all.serve(path, { [setting]: String(port) })
      return { on: { path, file: join(path, 'svc.db'), project, server }, port }
    } catch (error) {
      if (!String(error).includes('is in use')) throw error
    }
  }
}

/** A deployment with a known port for its metrics. */
const startMeasured = () => startAt('SVC_INTERNAL_PORT')

/** Only the timeout of the test ends the wait. */
async function eventually(fits: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await fits())) await Bun.sleep(20)
}

describe('the stock event source', () => {
  test.concurrent('sees what `svc apply` changes in another process, and a revoked key ends it', async () => {
    const on = await all.start()
    const listener = openEventSource(on, 'svc_ada')
    all.defer(() => listener.source.close())
    await listener.until('initial', ({ projectId }) => projectId === on.project.id)
    await applyFlags(on.path, { version: 1 })
    await listener.until('invalidate', ({ flags }) => flags.version === 1)
    expect(listener.source.readyState).toBe(1)
    expect((await runSvc(['key', 'revoke', on.project.keyId, '--data', on.path])).code).toBe(0)
    await eventually(() => listener.source.readyState === 2) // The stream ended, and the next attempt was refused.
  }, 600_000)

  test.concurrent('comes again by itself after a restart', async () => {
    const { on, port } = await startAt('SVC_PORT')
    const listener = openEventSource(on, 'svc_ada')
    all.defer(() => listener.source.close())
    await listener.until('initial', () => true)
    expect(await on.server.kill('SIGTERM')).toBe(0)
    await applyFlags(on.path, { version: 2 })
    await all.serve(on.path, { SVC_PORT: String(port) })
    await listener.until('initial', ({ flags }) => flags.version === 2)
  }, 600_000)
})

test.concurrent('SIGTERM ends every stream at once, of those too who never read', async () => {
  const on = await all.start()
  const sockets = await Promise.all(['svc_a', 'svc_b', 'svc_c'].map((device) => holdUnread(on, device)))
  const listener = openEventSource(on, 'svc_ada')
  await listener.until('initial', () => true)
  await applyFlags(on.path, { large: 'x'.repeat(60_000) })
  await listener.until('invalidate', () => true)
  expect(await on.server.kill('SIGTERM')).toBe(0)
  listener.source.close()
  for (const socket of sockets) socket.destroy()
  expect(on.server.stderr()).toBe('') // Otherwise the log has a line about requests that did not end in time.
}, 600_000)

test.concurrent('a client that never reads is cut, and the others are told', async () => {
  const { on, port } = await startMeasured()
  const socket = await holdUnread(on, 'svc_stuck')
  const cut = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const listener = openEventSource(on, 'svc_quick')
  all.defer(() => listener.source.close())
  await listener.until('initial', () => true)
  // The buffers of the kernel take some megabytes before anything waits in the server.
  const large = (version: number) => 'x'.repeat(60_000) + version
  const flags = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`large_${index}`, large(0)]))
  await applyFlags(on.path, { ...flags, version: 0 })
  await listener.until('invalidate', ({ flags: told }) => told.version === 0)
  for (let version = 1; (await openIn(port)) > 1 && version < 12; version++) {
    await applyFlags(on.path, { version })
    await listener.until('invalidate', ({ flags: told }) => told.version === version)
  }
  expect(await openIn(port)).toBe(1)
  socket.resume()
  await cut
  expect(await metricsOf(port)).toContain('svc_config_streams_dropped_total 1')
  expect((await read(on, 'svc_other')).status).toBe(200)
}, 600_000)

test.concurrent('half requests, half closed sockets and sudden ends leave nothing behind', async () => {
  const { on, port } = await startMeasured()
  const { port: at } = new URL(on.server.url)
  const request = requestStream(on.project.publicKey, 'svc_half')
  const answered: Promise<void>[] = []
  const sockets = Array.from({ length: 120 }, (_, index) => {
    const socket = connect(Number(at), '127.0.0.1')
    socket.on('error', () => {})
    socket.on('data', () => {})
    const device = request.replace('svc_half', `svc_half${index}`)
    if (index % 3 === 0) socket.write(device.slice(0, 40))
    else if (index % 3 === 1) socket.write(device, () => setTimeout(() => socket.resetAndDestroy(), index % 40))
    else {
      socket.write(device)
      answered.push(new Promise((resolve) => socket.once('data', () => resolve())))
    }
    return socket
  })
  await Promise.all(answered)
  await eventually(async () => (await openIn(port)) === answered.length)
  for (const socket of sockets) socket.destroy()
  await eventually(async () => (await openIn(port)) === 0)
  expect(await readyStatus(on)).toBe(200)
  expect(on.server.stderr()).toBe('')
}, 600_000)

test.concurrent('a storm of reconnecting clients is served, without a 5xx', async () => {
  const { on, port } = await startMeasured()
  const statuses = new Set<number>()
  const clients = Array.from({ length: 60 }, async (_, index) => {
    for (let turn = 0; turn < 8; turn++) {
      const abort = new AbortController()
      const url = `${on.server.url}/v1/config/stream?subscriberId=svc_storm${index % 25}`
      const headers = { authorization: `Bearer ${on.project.publicKey}` }
      const response = await fetch(url, { headers, signal: abort.signal })
      statuses.add(response.status)
      const { value } = (await response.body?.getReader().read()) ?? {}
      expect(Buffer.from(value ?? []).toString()).toStartWith('event: initial\n')
      abort.abort()
    }
  })
  await Promise.all(clients)
  expect([...statuses]).toEqual([200])
  await eventually(async () => (await openIn(port)) === 0)
  await eventually(async () => (await metricsOf(port)).includes('route="/v1/config/stream",status="200"} 480'))
  expect(await metricsOf(port)).not.toMatch(/status="5\d\d"/)
}, 600_000)

const inBrowser = hasChromium ? test.concurrent : test.skip

inBrowser(
  'Chromium holds it: its own EventSource by a token, and fetch by the public key from an allowed page',
  async () => {
    const on = await all.start({ SVC_MASTER_KEY: TEST_KEY })
    const page = Bun.serve({ port: 0, fetch: () => new Response('<title>page</title>', HTML) })
    all.defer(() => page.stop(true))
    const allowed = `http://localhost:${page.port}`
    const made = await runSvc([...KEY, '--origin', allowed, '--data', on.path, '--json'], { SVC_MASTER_KEY: TEST_KEY })
    const { publicKey, id: keyId } = JSON.parse(made.out)
    const mount = `${on.server.url}/v1/web/${publicKey}/config/stream`
    const ctx = await createContext(readConfig({ SVC_DATA_DIR: on.path, SVC_MASTER_KEY: TEST_KEY }))
    const grant = { projectId: on.project.id, keyId, presented: 'public', subscriber: 'svc_page', env: 'PROD' } as const
    const token = writeStreamToken(ctx.mac, grant, Date.now())
    await ctx.close()
    const chrome = await launchBrowser()
    all.defer(() => chrome.close())
    const tab = await chrome.newPage()
    await tab.goto(allowed, { timeout: 0 })
    await tab.evaluate(LISTEN, { sourceUrl: `${mount}?st=${token}`, url: `${mount}?subscriberId=svc_page`, publicKey })
    const received = () =>
      tab.evaluate('globalThis.received') as Promise<{ source: string[]; fetched: string[]; refused: string }>
    await eventually(async () => (await received()).source.length > 0 && (await received()).fetched.length > 0)
    await applyFlags(on.path, { version: 7 }, { SVC_MASTER_KEY: TEST_KEY })
    await eventually(async () => {
      const { source, fetched } = await received()
      return `${source.at(-1)}`.includes('"version":7') && `${fetched.at(-1)}`.includes('"version":7')
    })
    expect((await received()).source[0]).toStartWith('initial {"flags":{},"experiments":{}')
    // A page whose origin is not listed is refused in spite of the right key.
    const elsewhere = await chrome.newPage()
    await elsewhere.goto(allowed.replace('localhost', '127.0.0.1'), { timeout: 0 })
    const status = await elsewhere.evaluate(
      async ({ url, key }) => (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status,
      { url: `${mount}?subscriberId=svc_page`, key: publicKey },
    )
    expect(status).toBe(403)
  },
  600_000,
)

const HTML = { headers: { 'content-type': 'text/html' } }
const KEY = ['key', 'create', '--project', 'project-1', '--kind', 'public', '--label', 'web']

interface Page {
  sourceUrl: string
  url: string
  publicKey: string
}

/** Runs in the page: both ways to read the stream at the same time. */
function LISTEN({ sourceUrl, url, publicKey }: Page): void {
  const received = { source: [] as string[], fetched: [] as string[] }
  Object.assign(globalThis, { received })
  // The EventSource of the page, which Bun's types do not contain.
  const source = new (EventSource as unknown as new (url: string) => EventTarget)(sourceUrl)
  for (const type of ['initial', 'invalidate'])
    source.addEventListener(type, (event) => received.source.push(`${type} ${(event as MessageEvent).data}`))
  void fetch(url, { headers: { authorization: `Bearer ${publicKey}` } }).then(async ({ body }) => {
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      received.fetched.push(part.value)
  })
}
