import { afterAll, describe, expect, test } from 'bun:test'
import { appendFileSync, copyFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Storage } from '../../src/db/handle'
import { createWrite } from '../../src/db/write'
import { Deployments, holdWriteLock, read, ready, type Seen, see, write } from '../support/deployment'
import { postgresMissing, startPostgres } from '../support/postgres-server'
import { startProxy } from '../support/proxy'
import { hasSqld, startSqld } from '../support/sqld'

const MOST_MS = 8000
/** More than any answer takes that waits for nothing, on a machine busy with the other tests. */
const SLOW_MS = 2000

// The tests wait for locks and silences most of their time, so they wait together.
const all = new Deployments()
afterAll(() => all.end())

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
    const on = await all.start()
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
    const on = await all.start()
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
    const on = await all.start()
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
    const on = await all.start()
    await write(on, 'svc_known')
    copyFileSync(on.file, `${on.file}.copy`)
    renameSync(`${on.file}.copy`, on.file)
    for (const _ of [1, 2]) expectUnavailable(await write(on, 'svc_known'))
    expect(await ready(on)).toBe(503)
    expect((await see(`${on.server.url}/health`)).status).toBe(200)
  }, 60_000)
})

const canMount = process.getuid?.() === 0 && all.smallDisk() !== null
const mounted = canMount ? test.concurrent : test.skip

/** Takes what room there is, to the last page; the server may be writing at the same time. */
function fill(file: string): void {
  for (const size of [1024 * 1024, 4096]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size))
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ENOSPC') throw error
    }
  }
}

mounted(
  'a full disk is 503 to writers, never 500; with room again everything acknowledged is there',
  async () => {
    const path = all.smallDisk() ?? ''
    const on = await all.start({}, path)
    await write(on, 'svc_known')
    fill(join(path, 'ballast'))
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

test.concurrent('the log holds no key, no device, no body and no attribute, in good times and bad', async () => {
  const masterKey = Buffer.alloc(32, 9).toString('base64')
  const on = await all.start({ SVC_LOG_LEVEL: 'debug', SVC_MASTER_KEY: masterKey })
  const { publicKey, secretKey } = on.project
  const post = (path: string, body: unknown, key = publicKey) =>
    see(`${on.server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-svc-app-user-id': 'svc_hush' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const everything = (round: number) =>
    Promise.all([
      post('/v1/me/attributes', { attributes: { plan: 'hushplan' } }),
      post('/v1/identify', { deviceKey: 'svc_hush', appUserId: 'hush@example.com' }),
      post('/v1/receipts/ios', { receipt: 'hushreceipt', appUserId: 'svc_hush', productId: 'hushproduct' }),
      post('/v1/subscribers/hush%40example.com/attributes', { attributes: { plan: 'hushplan2' } }, secretKey),
      post('/v1/me/attributes', '{"hushbroken'),
      post('/v1/me', {}, 'svc_sec_hushkey'),
      read(on, `svc_hush_${round}`),
      see(`${on.server.url}/v1/web/${publicKey}/me?subscriberId=svc_hush`),
    ])
  await everything(1)
  const lock = await holdWriteLock(on.file)
  await everything(2)
  await lock.release()
  const log = on.server.stderr()
  for (const word of ['"level":"debug"', '"code":"DATABASE_UNAVAILABLE"', '"requestId":"req_'])
    expect(log).toContain(word)
  for (const secret of [publicKey, secretKey, masterKey, 'hush']) expect(log).not.toContain(secret)
  for (const line of log.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
}, 60_000)

/** Through all that can happen to a database server: away, back, hanging, well again. */
async function expectSurvival(serverUrl: string, stop: () => Promise<void>): Promise<void> {
  all.defer(stop)
  const target = new URL(serverUrl)
  const proxy = await startProxy(Number(target.port))
  target.port = String(proxy.port)
  const on = await all.start({ SVC_DATABASE_URL: target.toString() })
  const callAll = async (key: string): Promise<Seen[]> =>
    Promise.all([
      write(on, 'svc_known'),
      write(on, 'svc_known', { 'idempotency-key': key }),
      read(on, 'svc_known'),
      read(on, `svc_new_${key}`),
    ])
  for (const seen of await callAll('well')) expect(seen.status).toBe(200)

  const slowest = watchHealth(on.server.url)
  await proxy.leave()
  for (const seen of await callAll('away')) expectUnavailable(seen)
  expect(await ready(on)).toBe(503)
  await proxy.comeBack()
  await Bun.sleep(300) // Connections are tried again after a pause.
  for (const seen of await callAll('away')) expect(seen.status).toBe(200)

  proxy.freeze()
  for (const seen of await callAll('frozen')) expectUnavailable(seen)
  proxy.thaw()
  for (const seen of await callAll('thawed')) expect(seen.status).toBe(200)
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
    const { url, kill } = await startSqld()
    await expectSurvival(url, kill)
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
  for (const ended of await Promise.allSettled([first, ...behind]))
    expect(ended).toMatchObject({ status: 'rejected', reason: { refusal: 'DATABASE_UNAVAILABLE' } })
  expect(turns).toBe(1)
}, 60_000)
