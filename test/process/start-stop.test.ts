import { afterAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Deployment,
  Deployments,
  holdWriteLock,
  PATIENCE_MS,
  read,
  readyStatus,
  runSvc,
  type Seen,
  untilRead,
  within,
  write,
} from '../support/deployment'
import { holdOpen } from '../support/socket'

const all = new Deployments()
afterAll(() => all.end())

const mounted = process.getuid?.() === 0 && all.smallDisk() !== null ? test.concurrent : test.skip

describe('a start that cannot be', () => {
  async function expectSentence(args: readonly string[], env: Record<string, string>, sentence: RegExp): Promise<void> {
    const { code, out, err } = await runSvc(['serve', '--port', '0', ...args], env)
    expect(err.trim()).toMatch(sentence)
    expect([code, out, err.trim().split('\n').length]).toEqual([1, '', 1])
  }

  mounted(
    'on a read-only folder ends with 1 and one sentence',
    async () => {
      const path = all.smallDisk() ?? ''
      expect((await runSvc(['migrate', '--data', path])).code).toBe(0)
      expect(Bun.spawnSync(['mount', '-o', 'remount,ro', path]).stderr.toString()).toBe('')
      await expectSentence(
        ['--data', path],
        {},
        /^The database cannot be opened \(.*read-?only.*\); check .*SVC_DATA_DIR/,
      )
    },
    600_000,
  )

  test.concurrent('on a folder that cannot be made ends with 1 and one sentence', () =>
    expectSentence(['--data', '/dev/null/x'], {}, /^The database cannot be opened \(.*\); check .*SVC_DATA_DIR/))

  test.concurrent('on a file that is no database ends with 1 and one sentence', async () => {
    const path = all.folder()
    writeFileSync(join(path, 'svc.db'), 'this is no database'.repeat(1000))
    await expectSentence(['--data', path], {}, /^The database cannot be opened \(.*not a database.*\); check /)
  })

  test.concurrent('on a Postgres that refuses ends with 1 and one sentence without the password', async () => {
    const env = { SVC_DATABASE_URL: 'postgres://svc:hunter2@127.0.0.1:1/svc' }
    await expectSentence(
      ['--data', all.folder()],
      env,
      /^The database cannot be opened \(.*ECONNREFUSED.*\); check SVC_DATABASE_URL/,
    )
    expect((await runSvc(['serve', '--data', all.folder()], env)).err).not.toContain('hunter2')
  }, 600_000)

  test.concurrent('on a port in use ends with 1 and names it, and the first server keeps every request', async () => {
    const on = await all.start()
    const { port } = new URL(on.server.url)
    const path = all.folder()
    await expectSentence(['--port', port, '--data', path], {}, new RegExp(`^Port ${port} .* is in use`))
    await expectSentence(['--data', path], { SVC_INTERNAL_PORT: port }, new RegExp(`internal port ${port}.* is in use`))
    for (let index = 0; index < 20; index++) expect((await read(on, 'svc_known')).status).toBe(200)
  }, 600_000)

  test.concurrent('on a port in use without an internal port does not speak of one', async () => {
    const on = await all.start()
    const { port } = new URL(on.server.url)
    const { err } = await runSvc(['serve', '--port', port, '--data', all.folder()], { SVC_INTERNAL_PORT: '0' })
    expect(err).toBe(`Port ${port} of 127.0.0.1 is in use; choose another with --port.\n`)
  }, 600_000)

  test.concurrent('on an internal port in use names that one alone, and frees the other', async () => {
    const on = await all.start()
    const { port } = new URL(on.server.url)
    const { code, out, err } = await runSvc(['serve', '--port', '0', '--data', all.folder(), '--json'], {
      SVC_INTERNAL_PORT: port,
    })
    const sentence = `The internal port ${port} is in use; choose another with SVC_INTERNAL_PORT (0 for none).`
    expect([code, err]).toEqual([1, `${sentence}\n`])
    expect(JSON.parse(out)).toEqual({ error: { code: 'CONFLICT', message: sentence } })
  }, 600_000)

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
    const { code, out, err } = await runSvc(['serve', '--data', all.folder()], env)
    expect([code, out]).toEqual([2, ''])
    const messages = err
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0])
    expect(messages.sort()).toEqual(Object.keys(env).sort())
    for (const line of err.trim().split('\n')) expect(line).toMatch(/^\w+ is .*; it must be .*\.$/)
    for (const secret of ['hunter2', 'c2VjcmV0']) expect(err).not.toContain(secret)
  }, 600_000)
})

/** How long a running request may still take after the process was told to end. */
const DRAIN_MS = 10_000

describe('SIGTERM', () => {
  const lockedServer = async () => {
    const on = await all.start()
    return { on, lock: await holdWriteLock(on.file) }
  }

  /** A write that waits for a lock; null when its connection is cut. */
  async function startWrite(on: Deployment): Promise<{ writing: Promise<Seen | null> }> {
    const writing = write(on, 'svc_in_flight').catch(() => null)
    await untilRead(on)
    return { writing }
  }

  /** Tells a server to end, and waits until it has received the signal. */
  async function end(on: Deployment): Promise<{ ended: Promise<number> }> {
    const ended = on.server.kill('SIGTERM')
    const isListening = () =>
      untilRead(on).then(
        () => true,
        () => false,
      )
    while (await isListening()) await Bun.sleep(5)
    return { ended }
  }

  test.concurrent(
    'lets the requests in flight end, takes no new ones, and ends with 0',
    () =>
      within(PATIENCE_MS, lockedServer, async ({ on, lock }) => {
        const { writing } = await startWrite(on)
        const { ended } = await end(on)
        await expect(read(on, 'svc_late')).rejects.toThrow()
        await lock.release()
        expect((await writing)?.status).toBe(200)
        expect(await ended).toBe(0)
        const again = await all.serve(on.path)
        expect((await read({ ...on, server: again }, 'svc_in_flight')).status).toBe(200)
      }),
    600_000,
  )

  test.concurrent('waits for a request whose body is still on its way', () => {
    const body = '{"deviceKey":"svc_late","appUserId":"late"}'
    return within(
      DRAIN_MS,
      () => all.start(),
      async (on) => {
        const head = `POST /v1/identify HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${on.project.publicKey}\r\n`
        const socket = await holdOpen(on.server.url, `${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`)
        const answered = new Promise<string>((resolve) => {
          socket.once('data', (part) => resolve(part.toString()))
          socket.once('close', () => resolve('nothing'))
        })
        await untilRead(on)
        const { ended } = await end(on)
        await Bun.sleep(300) // Long enough for the end of a server that does not wait.
        socket.write(body.slice(9))
        expect(await answered).toStartWith('HTTP/1.1 200')
        expect(await ended).toBe(0)
      },
    )
  }, 600_000)

  test.concurrent(
    'a second time ends the process at once, and the next start is well',
    () =>
      within(PATIENCE_MS, lockedServer, async ({ on, lock }) => {
        const { writing } = await startWrite(on)
        const { ended } = await end(on)
        await on.server.kill('SIGTERM')
        expect(await ended).not.toBe(0) // The server did not wait for the write, because the lock still blocks it.
        expect(await writing).toBeNull()
        await lock.release()
        const again = await all.serve(on.path)
        expect(await readyStatus({ server: again })).toBe(200)
      }),
    600_000,
  )
})
