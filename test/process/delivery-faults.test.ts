import { afterAll, expect, test } from 'bun:test'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Endpoint, Fleet, Load, type Manner, SENDING, untilNoneOpen } from '../support/delivery-fleet'
import { Deployments, holdWriteLock, see } from '../support/deployment'
import { postgresMissing, startPostgres } from '../support/postgres-server'
import type { ServerProcess } from '../support/process'
import { startProxy } from '../support/proxy'

// The tests spend most of their time waiting for locks and timeouts, so they run together.
const all = new Deployments()
afterAll(() => all.end())

const SUBSCRIBERS = 8

interface Setting {
  path: string
  env: Record<string, string>
  fleet: Fleet
  server: ServerProcess
  load: Load
}

async function setUp(endpoints: readonly Endpoint[], more: Record<string, string> = {}, path = all.folder()) {
  const env = { ...more, SVC_DATA_DIR: path }
  const fleet = await Fleet.make(env, endpoints)
  all.defer(() => fleet.close())
  const load = new Load(fleet.project, SUBSCRIBERS, 100)
  const server = await serve({ path, env })
  await load.prepare(server.url)
  await fleet.look((ctx) => untilNoneOpen(fleet, ctx))
  return { path, env, fleet, server, load }
}

const serve = ({ path, env }: Pick<Setting, 'path' | 'env'>) =>
  all.serve(path, { ...SENDING, ...env, SVC_LOG_LEVEL: 'info' })

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(20)
}

const STOPPED = '"delivery worker failed"'
const GOES_ON = '"delivery worker recovered"'

const [STOP, ON] = [expect.stringContaining(STOPPED), expect.stringContaining(GOES_ON)]

const saidBy = (server: ServerProcess): string[] =>
  server
    .stderr()
    .split('\n')
    .filter((line) => line.includes(STOPPED) || line.includes(GOES_ON))

/** An endpoint that keeps its callers waiting while it is shut. */
function gate() {
  let isShut = false
  let open = () => {}
  let opened = Promise.resolve()
  const manner = async () => {
    await opened
    return 200
  }
  return {
    endpoint: { path: '/gate', isOrdered: true, manner },
    shut() {
      if (isShut) return
      isShut = true
      opened = new Promise((resolve) => {
        open = resolve
      })
    },
    open: () => open(),
  }
}

/** Two events of each subscriber; the attempts of the first ones are under way. */
async function begin({ fleet, server, load }: Setting, shut: () => void): Promise<void> {
  shut()
  const before = fleet.receipts.length
  for (let n = 0; n < SUBSCRIBERS; n++) for (const _ of [1, 2]) await load.once(server.url, n)
  await until(() => fleet.receipts.length >= before + 4) // As many as one endpoint gets at once.
}

/** The fault lasts until the server has tried to write again several times. */
async function duringFault({ server }: Setting, open: () => void, forMs: number): Promise<void> {
  open()
  await until(() => server.stderr().includes(STOPPED))
  const endsAt = performance.now() + forMs
  while (performance.now() < endsAt) {
    expect((await see(`${server.url}/health`)).status).toBe(200)
    await Bun.sleep(100)
  }
  expect(saidBy(server)).toEqual([STOP])
}

async function expectAllOnce(at: Setting): Promise<void> {
  const { fleet, server, load } = at
  await fleet.look(async (ctx) => {
    await untilNoneOpen(fleet, ctx)
    const events = await ctx.db.select().from(ctx.tables.events)
    const booked = events.map(({ data }) => data.referenceId)
    expect(load.acknowledged.filter((key) => !booked.includes(key))).toEqual([])
    expect(events.map(({ id }) => [id, fleet.of('/gate', id).length])).toEqual(events.map(({ id }) => [id, 1]))
  })
  await until(() => server.stderr().includes(GOES_ON))
  expect(await server.kill('SIGTERM')).toBe(0)
}

test.concurrent('a file locked by another process stops deliveries, says so once, and nothing is sent twice', async () => {
  const door = gate()
  const at = await setUp([door.endpoint])
  await begin(at, door.shut)
  const lock = await holdWriteLock(join(at.path, 'svc.db'))
  await duringFault(at, door.open, 8000)
  await lock.release()
  await expectAllOnce(at)
  expect(saidBy(at.server)).toEqual([STOP, ON])
}, 600_000)

const disk = process.getuid?.() === 0 ? all.smallDisk() : null
const mounted = disk === null ? test.skip : test.concurrent
mounted(
  'a full disk stops deliveries, says so once, and nothing is sent twice',
  async () => {
    const path = disk ?? ''
    const door = gate()
    const at = await setUp([door.endpoint], {}, path)
    await begin(at, door.shut)
    const ballast = join(path, 'ballast')
    for (const size of [1024 * 1024, 4096]) {
      try {
        for (;;) appendFileSync(ballast, Buffer.alloc(size))
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' })
      }
    }
    // What is left of the log's last page takes some writes.
    const filling = setInterval(() => void at.load.once(at.server.url, 0), 20)
    await duringFault(at, door.open, 3000)
    clearInterval(filling)
    rmSync(ballast)
    await expectAllOnce(at)
    expect(saidBy(at.server)).toEqual([STOP, ON])
  },
  600_000,
)

const onPostgres = postgresMissing() === null ? test.concurrent : test.skip
onPostgres(
  'a database server that is away stops deliveries, which says so once, and nothing is sent twice',
  async () => {
    const { url, stop } = await startPostgres()
    all.defer(stop)
    const target = new URL(url)
    const proxy = await startProxy(Number(target.port))
    target.port = String(proxy.port)
    const door = gate()
    const at = await setUp([door.endpoint], { SVC_DATABASE_URL: target.toString() })
    await begin(at, door.shut)
    await proxy.leave()
    await duringFault(at, door.open, 4000)
    await proxy.comeBack()
    await expectAllOnce(at)
    // A server under load may lose a connection once more: every stop is said once, and that it is over.
    expect(saidBy(at.server)).toEqual(saidBy(at.server).map((_, index) => (index % 2 === 0 ? STOP : ON)))
  },
  600_000,
)

const databases = [
  ['a file', test.concurrent, async () => ({})],
  [
    'PostgreSQL',
    onPostgres,
    async () => {
      const { url, stop } = await startPostgres()
      all.defer(stop)
      return { SVC_DATABASE_URL: url }
    },
  ],
] as const

for (const [name, run, databaseOf] of databases)
  run(
    `SIGTERM on ${name}: attempts that end in time are recorded, the others released, and sent at the next start`,
    async () => {
      let isEnding = false
      const brief: Manner = async () => {
        await until(() => isEnding)
        return 200
      }
      const hanging: Manner = async () => {
        if (!isEnding) await Bun.sleep(30_000)
        return 200
      }
      const env = { ...(await databaseOf()), SVC_DATA_DIR: all.folder() }
      const fleet = await Fleet.make(env, [
        { path: '/brief', manner: brief },
        { path: '/hanging', manner: hanging },
      ])
      all.defer(() => fleet.close())
      const first = await serve({ path: env.SVC_DATA_DIR, env })
      const load = new Load(fleet.project, 1, 1)
      await load.prepare(first.url)
      await load.once(first.url, 0)
      await until(() => fleet.receipts.length >= 2)
      const ending = first.kill('SIGTERM')
      await Bun.sleep(500)
      isEnding = true
      expect(await ending).toBe(0)
      await fleet.look(async (ctx) => {
        const rows = await ctx.db.select().from(ctx.tables.deliveries)
        const sent = rows.filter(
          ({ eventId, targetId }) => fleet.of(fleet.pathOf.get(targetId) ?? '', eventId ?? '')[0],
        )
        expect(sent.length).toBeGreaterThanOrEqual(2)
        for (const { targetId, status, dueAt, leaseId } of sent)
          expect([status, dueAt !== null && dueAt <= Date.now(), leaseId]).toEqual(
            fleet.pathOf.get(targetId) === '/brief' ? ['SUCCEEDED', false, null] : ['PENDING', true, null],
          )
        const next = await serve({ path: env.SVC_DATA_DIR, env })
        const startedAt = performance.now()
        await untilNoneOpen(fleet, ctx)
        expect(performance.now() - startedAt).toBeLessThan(30_000) // A lease would have lasted for a minute.
        expect(await next.kill('SIGTERM')).toBe(0)
        for (const { targetId, eventId } of sent) {
          const path = fleet.pathOf.get(targetId) ?? ''
          expect([path, fleet.of(path, eventId ?? '').length]).toEqual([path, path === '/brief' ? 1 : 2])
        }
      })
    },
    600_000,
  )
