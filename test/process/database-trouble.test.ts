import { afterAll, describe, expect, test } from 'bun:test'
import { copyFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Storage } from '../../src/db/handle'
import { createWrite } from '../../src/db/write'
import type { CastProject } from '../support/cast'
import { holdWriteLock, makeDeployment, runSvc } from '../support/deployment'
import { postgresMissing, startPostgres } from '../support/postgres-server'
import { type ServerProcess, startServerProcess, tempFolder } from '../support/process'
import { startProxy } from '../support/proxy'
import { holdOpen } from '../support/socket'
import { hasSqld, startSqld } from '../support/sqld'

const MOST_MS = 8000
/** More than any answer takes that waits for nothing, on a machine busy with the other tests. */
const SLOW_MS = 2000

// The tests wait for locks and silences most of their time, so they wait together.
const undo: (() => unknown)[] = []
afterAll(async () => {
  for (const action of undo.splice(0).reverse()) await action()
})

interface Deployment {
  path: string
  file: string
  project: CastProject
  env: Record<string, string>
  server: ServerProcess
}

function ownFolder(): string {
  const { path, remove } = tempFolder()
  undo.push(remove)
  return path
}

/** A running server over a folder of its own. */
async function deploy(env: Record<string, string> = {}, path = ownFolder()): Promise<Deployment> {
  const project = await makeDeployment({ SVC_DATA_DIR: path, ...env })
  const server = await startServerProcess(path, env)
  undo.push(() => server.kill('SIGKILL'))
  return { path, file: join(path, 'svc.db'), project, env, server }
}

interface Seen {
  status: number
  code: string | undefined
  retryAfter: string | null
  ms: number
}

async function see(url: string, init: RequestInit = {}): Promise<Seen> {
  const startedAt = performance.now()
  const response = await fetch(url, { keepalive: false, ...init })
  const body = (await response.json()) as { error?: { code: string } }
  const retryAfter = response.headers.get('retry-after')
  return { status: response.status, code: body.error?.code, retryAfter, ms: performance.now() - startedAt }
}

const read = ({ server, project }: Deployment, device: string): Promise<Seen> =>
  see(`${server.url}/v1/me`, {
    headers: { authorization: `Bearer ${project.publicKey}`, 'x-svc-app-user-id': device },
  })

/** Sets an attribute of a device; a new value for each call, so that each writes. */
let count = 0
const write = ({ server, project }: Deployment, device: string, headers: Record<string, string> = {}): Promise<Seen> =>
  see(`${server.url}/v1/me/attributes`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${project.publicKey}`,
      'x-svc-app-user-id': device,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ attributes: { plan: `value ${++count}` } }),
  })

const ready = ({ server }: Deployment): Promise<number> =>
  see(`${server.url}/health/ready`).then(({ status }) => status)

function expectUnavailable(seen: Seen): void {
  expect(seen).toMatchObject({ status: 503, code: 'DATABASE_UNAVAILABLE', retryAfter: '5' })
  expect(seen.ms).toBeLessThan(MOST_MS)
}

/** Asks for health until told to stop; the slowest answer in milliseconds. */
function watchHealth(url: string): () => Promise<number> {
  let isOn = true
  let slowest = 0
  const watching = (async () => {
    while (isOn) {
      const { status, ms } = await see(`${url}/health`)
      expect(status).toBe(200)
      slowest = Math.max(slowest, ms)
      await Bun.sleep(20)
    }
  })()
  return async () => {
    isOn = false
    await watching
    return slowest
  }
}

describe('a file locked by another process', () => {
  test.concurrent('for good is 503 to every writer within 8 s, while reads and health are answered; after it all is well', async () => {
    const on = await deploy()
    await read(on, 'svc_known')
    const lock = await holdWriteLock(on.file)
    const slowest = watchHealth(on.server.url)
    const writers = Array.from({ length: 150 }, (_, index) =>
      index % 3 === 0 ? write(on, 'svc_known', { 'idempotency-key': `locked-${index}` }) : read(on, `svc_new_${index}`),
    )
    expect((await read(on, 'svc_known')).status).toBe(200)
    for (const seen of await Promise.all(writers)) expectUnavailable(seen)
    expect(await slowest()).toBeLessThan(SLOW_MS)
    await lock.release()
    expect((await read(on, 'svc_new_1')).status).toBe(200)
    expect((await write(on, 'svc_known', { 'idempotency-key': 'locked-0' })).status).toBe(200)
    expect(on.server.stderr()).not.toContain('INTERNAL_ERROR')
  }, 60_000)

  test.concurrent('for a moment costs a writer that moment', async () => {
    const on = await deploy()
    const lock = await holdWriteLock(on.file)
    const writing = write(on, 'svc_patient')
    await Bun.sleep(300)
    await lock.release()
    const { status, ms } = await writing
    expect([status, ms > 250]).toEqual([200, true])
  }, 60_000)
})

describe('a file that is not where it was', () => {
  test.concurrent('moved away is 503 to writers and not ready; moved back it goes on with everything', async () => {
    const on = await deploy()
    await write(on, 'svc_known')
    renameSync(on.file, `${on.file}.away`)
    expectUnavailable(await write(on, 'svc_known'))
    expectUnavailable(await read(on, 'svc_new'))
    expect([200, 503]).toContain((await read(on, 'svc_known')).status)
    expect(await ready(on)).toBe(503)
    renameSync(`${on.file}.away`, on.file)
    expect(await ready(on)).toBe(200)
    for (const seen of [await write(on, 'svc_known'), await read(on, 'svc_new')]) expect(seen.status).toBe(200)
  }, 60_000)

  test.concurrent('replaced by another is 503 to writers for good: nothing is written where nobody would find it', async () => {
    const on = await deploy()
    await write(on, 'svc_known')
    copyFileSync(on.file, `${on.file}.copy`)
    renameSync(`${on.file}.copy`, on.file)
    for (const _ of [1, 2]) expectUnavailable(await write(on, 'svc_known'))
    expect(await ready(on)).toBe(503)
    expect((await see(`${on.server.url}/health`)).status).toBe(200)
  }, 60_000)
})

/** A file system of 8 MB in memory, or null where this process may not mount one. */
function mountSmall(): string | null {
  const path = ownFolder()
  const mount = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', path], { stderr: 'ignore' })
  if (mount.exitCode !== 0) return null
  undo.push(() => Bun.spawnSync(['umount', '-l', path]))
  return path
}

const canMount = process.getuid?.() === 0 && mountSmall() !== null
const mounted = canMount ? test.concurrent : test.skip

mounted(
  'a full disk is 503 to writers, never 500; with room again everything acknowledged is there',
  async () => {
    const path = mountSmall() ?? ''
    const on = await deploy({}, path)
    await write(on, 'svc_known')
    const { bavail, bsize } = statfsSync(path)
    writeFileSync(join(path, 'ballast'), Buffer.alloc(bavail * bsize))
    const seen: Seen[] = []
    for (let index = 0; index < 40; index++) seen.push(await read(on, `svc_full_${index}`))
    for (const one of seen) if (one.status !== 200) expectUnavailable(one)
    expect(seen.at(-1)?.status).toBe(503)
    expect((await see(`${on.server.url}/health`)).status).toBe(200)
    rmSync(join(path, 'ballast'))
    expect((await write(on, 'svc_known')).status).toBe(200)
    for (let index = 0; index < 40; index++) expect((await read(on, `svc_full_${index}`)).status).toBe(200)
    expect(on.server.stderr()).not.toContain('INTERNAL_ERROR')
    expect(await on.server.kill('SIGTERM')).toBe(0)
  },
  60_000,
)

describe('a start that cannot be', () => {
  async function expectSentence(args: readonly string[], env: Record<string, string>, sentence: RegExp): Promise<void> {
    const { code, out, err } = await runSvc(['serve', '--port', '0', ...args], env)
    expect(err.trim()).toMatch(sentence)
    expect([code, out, err.trim().split('\n').length]).toEqual([1, '', 1])
  }

  mounted(
    'on a read-only folder ends with 1 and one sentence',
    async () => {
      const path = mountSmall() ?? ''
      expect((await runSvc(['migrate', '--data', path])).code).toBe(0)
      expect(Bun.spawnSync(['mount', '-o', 'remount,ro', path]).stderr.toString()).toBe('')
      await expectSentence(
        ['--data', path],
        {},
        /^The database cannot be opened \(.*read-?only.*\); check .*SVC_DATA_DIR/,
      )
    },
    60_000,
  )

  test.concurrent('on a folder that cannot be made ends with 1 and one sentence', () =>
    expectSentence(['--data', '/dev/null/x'], {}, /^The database cannot be opened \(.*\); check .*SVC_DATA_DIR/))

  test.concurrent('on a file that is no database ends with 1 and one sentence', async () => {
    const path = ownFolder()
    writeFileSync(join(path, 'svc.db'), 'this is no database'.repeat(1000))
    await expectSentence(['--data', path], {}, /^The database cannot be opened \(.*not a database.*\); check /)
  })

  test.concurrent('on a Postgres that refuses ends with 1 and one sentence without the password', async () => {
    const env = { SVC_DATABASE_URL: 'postgres://svc:hunter2@127.0.0.1:1/svc' }
    await expectSentence(
      ['--data', ownFolder()],
      env,
      /^The database cannot be opened \(.*ECONNREFUSED.*\); check SVC_DATABASE_URL/,
    )
    expect((await runSvc(['serve', '--data', ownFolder()], env)).err).not.toContain('hunter2')
  }, 60_000)

  test.concurrent('on a port in use ends with 1 and names it, and the first server keeps every request', async () => {
    const on = await deploy()
    const { port } = new URL(on.server.url)
    const path = ownFolder()
    await expectSentence(['--port', port, '--data', path], {}, new RegExp(`^Port ${port} .* is in use`))
    await expectSentence(['--data', path], { SVC_INTERNAL_PORT: port }, new RegExp(`internal port ${port}.* is in use`))
    for (let index = 0; index < 20; index++) expect((await read(on, 'svc_known')).status).toBe(200)
  }, 60_000)

  test.concurrent('by a wrong configuration ends with 2 and tells every fault at once, but no secret', async () => {
    const env = {
      SVC_PORT: '99999',
      SVC_MODE: 'fast',
      SVC_DATABASE_URL: 'mysql://svc:hunter2@host/svc',
      SVC_MASTER_KEY: 'c2VjcmV0LWtleQ==',
      PUBLIC_BASE_URL: 'ftp://svc.example',
      SVC_TRUSTED_PROXIES: '-1',
      SVC_RATE_KEY: 'many',
      SVC_RATE_IP: '1.5',
      SVC_LOG_LEVEL: 'loud',
      SVC_INTERNAL_PORT: 'x',
      SVC_SIMULATOR: 'maybe',
      SVC_IOS_EXTRA_ROOTS: '/nowhere.pem',
    }
    const { code, out, err } = await runSvc(['serve', '--data', ownFolder()], env)
    expect([code, out]).toEqual([2, ''])
    const told = err
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0])
    expect(told.sort()).toEqual(Object.keys(env).sort())
    for (const line of err.trim().split('\n')) expect(line).toMatch(/^\w+ is .*; it must be .*\.$/)
    for (const secret of ['hunter2', 'c2VjcmV0']) expect(err).not.toContain(secret)
  }, 60_000)
})

describe('SIGTERM', () => {
  /** A server with a write in flight that waits for a lock. */
  async function busy() {
    const on = await deploy()
    const lock = await holdWriteLock(on.file)
    const writing = write(on, 'svc_in_flight').catch(() => null)
    await Bun.sleep(150)
    return { on, lock, writing }
  }

  test.concurrent('lets the requests in flight end, takes no new ones, and ends with 0', async () => {
    const { on, lock, writing } = await busy()
    const ended = on.server.kill('SIGTERM')
    await Bun.sleep(150)
    await expect(read(on, 'svc_late')).rejects.toThrow()
    await lock.release()
    expect((await writing)?.status).toBe(200)
    expect(await ended).toBe(0)
    const again = await startServerProcess(on.path)
    undo.push(() => again.kill('SIGKILL'))
    expect((await read({ ...on, server: again }, 'svc_in_flight')).status).toBe(200)
  }, 60_000)

  test.concurrent('waits for a request whose body is still on its way', async () => {
    const { server, project } = await deploy()
    const body = '{"deviceKey":"svc_late","appUserId":"late"}'
    const head = `POST /v1/identify HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${project.publicKey}\r\n`
    const socket = await holdOpen(server.url, `${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`)
    const answered = new Promise<string>((resolve) => socket.once('data', (part) => resolve(part.toString())))
    await Bun.sleep(100)
    const ended = server.kill('SIGTERM')
    await Bun.sleep(300)
    socket.write(body.slice(9))
    expect(await answered).toStartWith('HTTP/1.1 200')
    expect(await ended).toBe(0)
  }, 60_000)

  test.concurrent('a second time ends the process at once, and the next start is well', async () => {
    const { on, lock, writing } = await busy()
    const startedAt = performance.now()
    const ended = on.server.kill('SIGTERM')
    await Bun.sleep(100)
    await on.server.kill('SIGTERM')
    expect(await ended).not.toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(2000)
    expect(await writing).toBeNull()
    await lock.release()
    const again = await startServerProcess(on.path)
    undo.push(() => again.kill('SIGKILL'))
    expect(await ready({ ...on, server: again })).toBe(200)
  }, 60_000)
})

test.concurrent('the log holds no key, no device, no body and no attribute, in good times and bad', async () => {
  const masterKey = Buffer.alloc(32, 9).toString('base64')
  const on = await deploy({ SVC_LOG_LEVEL: 'debug', SVC_MASTER_KEY: masterKey })
  const { publicKey, secretKey } = on.project
  const post = (path: string, body: unknown, key = publicKey) =>
    see(`${on.server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-svc-app-user-id': 'svc_hush' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const everything = () =>
    Promise.all([
      post('/v1/me/attributes', { attributes: { plan: 'hushplan' } }),
      post('/v1/identify', { deviceKey: 'svc_hush', appUserId: 'hush@example.com' }),
      post('/v1/receipts/ios', { receipt: 'hushreceipt', appUserId: 'svc_hush', productId: 'hushproduct' }),
      post('/v1/subscribers/hush%40example.com/attributes', { attributes: { plan: 'hushplan2' } }, secretKey),
      post('/v1/me/attributes', '{"hushbroken'),
      post('/v1/me', {}, 'svc_sec_hushkey'),
      read(on, `svc_hush_${++count}`),
      see(`${on.server.url}/v1/web/${publicKey}/me?subscriberId=svc_hush`),
    ])
  await everything()
  const lock = await holdWriteLock(on.file)
  await everything()
  await lock.release()
  const log = on.server.stderr()
  for (const word of ['"level":"debug"', '"code":"DATABASE_UNAVAILABLE"', '"requestId":"req_'])
    expect(log).toContain(word)
  for (const secret of [publicKey, secretKey, masterKey, 'hush']) expect(log).not.toContain(secret)
  for (const line of log.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
}, 60_000)

/** Through all that can happen to a database server: away, back, hanging, well again. */
async function expectSurvival(serverUrl: string, stop: () => Promise<void>): Promise<void> {
  undo.push(stop)
  const target = new URL(serverUrl)
  const proxy = await startProxy(Number(target.port))
  target.port = String(proxy.port)
  const on = await deploy({ SVC_DATABASE_URL: target.toString() })
  const all = async (key: string): Promise<Seen[]> =>
    Promise.all([
      write(on, 'svc_known'),
      write(on, 'svc_known', { 'idempotency-key': key }),
      read(on, 'svc_known'),
      read(on, `svc_new_${key}`),
    ])
  for (const seen of await all('well')) expect(seen.status).toBe(200)

  const slowest = watchHealth(on.server.url)
  await proxy.leave()
  for (const seen of await all('away')) expectUnavailable(seen)
  expect(await ready(on)).toBe(503)
  await proxy.comeBack()
  for (const seen of await all('away')) expect(seen.status).toBe(200)

  proxy.freeze()
  for (const seen of await all('frozen')) expectUnavailable(seen)
  proxy.thaw()
  for (const seen of await all('thawed')) expect(seen.status).toBe(200)
  expect(await slowest()).toBeLessThan(SLOW_MS)
  expect(on.server.stderr()).not.toContain('INTERNAL_ERROR')
  expect(await on.server.kill('SIGTERM')).toBe(0)
}

const onPostgres = postgresMissing() === null ? test.concurrent : test.skip
onPostgres(
  'a Postgres that is away or hangs is 503 within 8 s while health is answered; when it is back all is well',
  async () => {
    const { url, stop } = await startPostgres()
    await expectSurvival(url, stop)
  },
  60_000,
)

const onSqld = hasSqld() ? test.concurrent : test.skip
onSqld(
  'a libSQL server that is away or hangs is 503 within 8 s, too',
  async () => {
    const { url, stop } = await startSqld()
    await expectSurvival(url, stop)
  },
  60_000,
)

test.concurrent('writers that wait behind one that hung are let go with it', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  let turns = 0
  const storage = { driver: 'remote', assertPresent() {}, transaction: () => (turns++ === 0 ? promise : null) }
  const write = createWrite(storage as unknown as Storage, { begin: (tx) => tx, committed() {} })
  const first = write(async () => 1)
  await Bun.sleep(20)
  const behind = Array.from({ length: 100 }, () => write(async () => 1))
  setTimeout(() => reject(Object.assign(new Error('silence'), { code: 'CONNECT_TIMEOUT' })), 5200)
  for (const waiting of [first, ...behind])
    await expect(waiting).rejects.toMatchObject({ refusal: 'DATABASE_UNAVAILABLE' })
  expect(turns).toBe(1)
}, 60_000)
