import { afterAll, describe, expect, test } from 'bun:test'
import { appendFileSync, copyFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  Deployments,
  holdWriteLock,
  PATIENCE_MS,
  read,
  readyStatus,
  type Seen,
  see,
  untilRead,
  whileOthersAreServed,
  within,
  write,
} from '../support/deployment'
import { postgresMissing, startPostgres } from '../support/postgres-server'
import { startProxy } from '../support/proxy'
import { hasSqld, startSqld } from '../support/sqld'

// The tests spend most of their time waiting for locks and timeouts, so they run together.
const all = new Deployments()
afterAll(() => all.end())

const expectUnavailable = (seen: Seen): void =>
  expect(seen).toEqual({ status: 503, code: 'DATABASE_UNAVAILABLE', retryAfter: '5' })

describe('a file locked by another process', () => {
  test.concurrent('for good is 503 to every writer, while reads and health are answered; after it all is well', async () => {
    const on = await all.start()
    await read(on, 'svc_known')
    const lock = await holdWriteLock(on.file)
    const writers = await whileOthersAreServed(on, () =>
      Array.from({ length: 150 }, (_, index) =>
        index % 3 === 0
          ? write(on, 'svc_known', { 'idempotency-key': `locked-${index}` })
          : read(on, `svc_new_${index}`),
      ),
    )
    for (const seen of await Promise.all(writers)) expectUnavailable(seen)
    await lock.release()
    expect((await read(on, 'svc_new_1')).status).toBe(200)
    expect((await write(on, 'svc_known', { 'idempotency-key': 'locked-0' })).status).toBe(200)
    expect(await on.server.kill('SIGTERM')).toBe(0)
    expect(on.server.stderr()).not.toContain('INTERNAL_ERROR')
  }, 600_000)

  test.concurrent('for a moment costs a writer that moment', async () => {
    const lockNew = async () => {
      const on = await all.start()
      return { on, lock: await holdWriteLock(on.file) }
    }
    await within(PATIENCE_MS, lockNew, async ({ on, lock }) => {
      const writing = write(on, 'svc_patient')
      let hasEnded = false
      void writing.then(() => {
        hasEnded = true
      })
      await untilRead(on)
      expect(hasEnded).toBe(false)
      await lock.release()
      expect((await writing).status).toBe(200)
    })
  }, 600_000)
})

describe('a file that is not where it was', () => {
  test.concurrent('moved away is 503 to writers and not ready; moved back it goes on with everything', async () => {
    const on = await all.start()
    await write(on, 'svc_known')
    renameSync(on.file, `${on.file}.away`)
    expectUnavailable(await write(on, 'svc_known'))
    expectUnavailable(await read(on, 'svc_new'))
    expect([200, 503]).toContain((await read(on, 'svc_known')).status)
    expect(await readyStatus(on)).toBe(503)
    renameSync(`${on.file}.away`, on.file)
    expect(await readyStatus(on)).toBe(200)
    for (const seen of [await write(on, 'svc_known'), await read(on, 'svc_new')]) expect(seen.status).toBe(200)
  }, 600_000)

  test.concurrent('replaced by another is 503 to writers for good: nothing is written where nobody would find it', async () => {
    const on = await all.start()
    await write(on, 'svc_known')
    copyFileSync(on.file, `${on.file}.copy`)
    renameSync(`${on.file}.copy`, on.file)
    for (const _ of [1, 2]) expectUnavailable(await write(on, 'svc_known'))
    expect(await readyStatus(on)).toBe(503)
    expect((await see(`${on.server.url}/health`)).status).toBe(200)
  }, 600_000)
})

const canMount = process.getuid?.() === 0 && all.smallDisk() !== null
const mounted = canMount ? test.concurrent : test.skip

/** Fills the disk to the last page, while the server may be writing. */
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
    expect(await on.server.kill('SIGTERM')).toBe(0)
    expect(on.server.stderr()).not.toContain('INTERNAL_ERROR')
  },
  600_000,
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
  await on.server.kill('SIGTERM')
  const log = on.server.stderr()
  for (const word of ['"level":"debug"', '"code":"DATABASE_UNAVAILABLE"', '"requestId":"req_'])
    expect(log).toContain(word)
  for (const secret of [publicKey, secretKey, masterKey, 'hush']) expect(log).not.toContain(secret)
  for (const line of log.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
}, 600_000)

/** Checks the server through all faults of a database server: stopped, started again, hanging, and working again. */
async function expectSurvival(serverUrl: string, stop: () => Promise<void>): Promise<void> {
  all.defer(stop)
  const target = new URL(serverUrl)
  const proxy = await startProxy(Number(target.port))
  target.port = String(proxy.port)
  const on = await all.start({ SVC_DATABASE_URL: target.toString() })
  const callAll = (key: string): Promise<Seen>[] => [
    write(on, 'svc_known'),
    write(on, 'svc_known', { 'idempotency-key': key }),
    read(on, 'svc_known'),
    read(on, `svc_new_${key}`),
  ]
  const expectWell = async (key: string) => {
    for (const seen of await Promise.all(callAll(key))) expect(seen.status).toBe(200)
  }
  await within(PATIENCE_MS, async () => 'well', expectWell)

  const goAndComeBack = async () => {
    await proxy.leave()
    for (const seen of await Promise.all(callAll('away'))) expectUnavailable(seen)
    expect(await readyStatus(on)).toBe(503)
    await untilRead(on)
    await proxy.comeBack()
    return 'away'
  }
  await within(PATIENCE_MS, goAndComeBack, expectWell)

  const freezeAndThaw = async () => {
    proxy.freeze()
    const frozen = await whileOthersAreServed(on, () => callAll('frozen'))
    for (const seen of await Promise.all(frozen)) expectUnavailable(seen)
    proxy.thaw()
    return 'thawed'
  }
  await within(PATIENCE_MS, freezeAndThaw, expectWell)
  expect(await on.server.kill('SIGTERM')).toBe(0)
  for (const failed of on.server
    .stderr()
    .split('\n')
    .filter((line) => line.includes('"request failed"'))) {
    expect(failed).not.toContain('INTERNAL_ERROR')
    expect(failed).not.toContain('CONNECTION_DESTROYED') // It was refused before its connection was closed.
  }
}

const onPostgres = postgresMissing() === null ? test.concurrent : test.skip
onPostgres(
  'a Postgres that is away or hangs is 503 while health is answered; when it is back all is well',
  async () => {
    const { url, stop } = await startPostgres()
    await expectSurvival(url, stop)
  },
  600_000,
)

const onSqld = hasSqld() ? test.concurrent : test.skip
onSqld(
  'a libSQL server that is away or hangs is 503, too',
  async () => {
    const { url, kill } = await startSqld()
    await expectSurvival(url, kill)
  },
  600_000,
)
