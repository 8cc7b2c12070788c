import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { Type } from '@sinclair/typebox'
import postgres from 'postgres'
import { readConfig } from '../../src/config'
import { type Context, createContext } from '../../src/context'
import { migrate } from '../../src/db/migrate'
import { enqueue } from '../../src/jobs/queue'
import { createRegistry, cronLine, defineJob } from '../../src/jobs/registry'
import { Worker } from '../../src/jobs/worker'
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres-server'

const Task = Type.Object(
  { n: Type.Integer({ minimum: 0, maximum: 10_000 }), ms: Type.Integer({ minimum: 0, maximum: 60_000 }) },
  { additionalProperties: false },
)

// Two real processes on one Postgres: this file started again with SVC_JOBS_CHILD is one of them.
const mode = process.env.SVC_JOBS_CHILD
if (mode) void runChild(mode)
else defineTests()

/** The jobs of a process; each run is written to `runs` at its beginning, outside of what is tested. */
function jobsOf(note: (name: string, n: number) => Promise<unknown>, hangs: boolean) {
  const task = defineJob({
    name: 'task',
    payload: Task,
    handle: async (_ctx, { n, ms }) => {
      await note('task', n)
      await Bun.sleep(hangs ? 3_600_000 : ms)
    },
  })
  const beat = defineJob({ name: 'beat', payload: Type.Object({}), handle: () => note('beat', 0) })
  return { task, registry: createRegistry([task], [cronLine({ name: 'beat', pattern: '* * * * * *', job: beat })]) }
}

async function runChild(kind: string): Promise<void> {
  const ctx = await openContext(process.env.SVC_DATABASE_URL ?? '')
  const sql = postgres(process.env.SVC_DATABASE_URL ?? '', { max: 2 })
  const note = (name: string, n: number) => sql`insert into runs (name, n, pid) values (${name}, ${n}, ${process.pid})`
  const worker = new Worker(ctx, jobsOf(note, kind === 'hangs').registry)
  process.on('SIGTERM', async () => {
    await worker.stop()
    await Promise.all([ctx.close(), sql.end()])
    process.exit(0)
  })
  worker.start()
  process.stdout.write('ready\n')
}

function openContext(url: string): Promise<Context> {
  return createContext(
    readConfig({ SVC_DATABASE_URL: url, SVC_DATA_DIR: tmpdir(), SVC_MASTER_KEY: 'off', SVC_LOG_LEVEL: 'off' }),
  )
}

function defineTests(): void {
  const given = process.env.SVC_TEST_POSTGRES_URL
  const canRun = test.skipIf(!given && postgresMissing() !== null)
  const children: Bun.Subprocess[] = []
  let server: PostgresServer | null = null
  let ctx: Context
  let sql: postgres.Sql
  let url = ''

  beforeAll(async () => {
    if (!given && postgresMissing() !== null) return
    server = given ? { url: given, stop: async () => {} } : await startPostgres()
    url = await createDatabase(server.url)
    ctx = await openContext(url)
    await migrate(ctx.storage)
    sql = postgres(url, { max: 2 })
    await sql`create table runs (name text, n int, pid int)`
  }, 60_000)

  afterEach(async () => {
    if (!server) return
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(children.splice(0).map(({ exited }) => exited))
    await sql`truncate runs, jobs, cron_runs`
  })

  afterAll(async () => {
    await Promise.all([ctx?.close(), sql?.end()])
    await server?.stop()
  }, 30_000)

  async function start(kind: 'works' | 'hangs'): Promise<Bun.Subprocess> {
    const env = { ...process.env, SVC_JOBS_CHILD: kind, SVC_DATABASE_URL: url }
    const child = Bun.spawn([process.execPath, import.meta.path], { env, stdout: 'pipe', stderr: 'inherit' })
    children.push(child)
    await child.stdout.getReader().read()
    return child
  }

  const { task } = jobsOf(async () => {}, false)
  const ask = (count: number, ms: number) =>
    ctx.write(async (tx) => {
      for (let n = 0; n < count; n++) await enqueue(tx, task, { n, ms })
    })
  const runsOf = (name: string) => sql<{ n: number; pid: number }[]>`select n, pid from runs where name = ${name}`
  const isEmpty = async () => (await sql`select 1 from jobs where name = 'task'`).length === 0

  canRun(
    'two processes share the jobs, none runs twice, and a cron instant belongs to one',
    async () => {
      const startedAt = performance.now()
      const pair = await Promise.all([start('works'), start('works')])
      await ask(400, 2)
      await until(isEmpty)
      const runs = await runsOf('task')
      expect(runs).toHaveLength(400)
      expect(new Set(runs.map(({ n }) => n)).size).toBe(400)
      expect(new Set(runs.map(({ pid }) => pid))).toEqual(new Set(pair.map(({ pid }) => pid)))
      await Bun.sleep(3500)
      const beats = (await runsOf('beat')).length
      expect(beats).toBeWithin(3, Math.ceil((performance.now() - startedAt) / 1000) + 2)
    },
    30_000,
  )

  canRun(
    'what a killed process was running is taken by the other when its lease is over, not before',
    async () => {
      const killed = await start('hangs')
      await ask(1, 0)
      await until(async () => (await runsOf('task')).length === 1)
      killed.kill('SIGKILL')
      await killed.exited
      const heir = await start('works')
      await Bun.sleep(2500)
      expect((await runsOf('task')).map(({ pid }) => pid)).toEqual([killed.pid])
      await sql`update jobs set leased_until = 0 where name = 'task'`
      await until(isEmpty)
      expect((await runsOf('task')).map(({ pid }) => pid)).toEqual([killed.pid, heir.pid])
    },
    30_000,
  )

  canRun(
    'SIGTERM lets running jobs end and leaves the rest to others',
    async () => {
      const child = await start('works')
      await ask(8, 700)
      await until(async () => (await runsOf('task')).length === 4)
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
      expect(await runsOf('task')).toHaveLength(4)
      const left = await sql`select state, leased_by, attempts::int from jobs where name = 'task'`
      expect([...left]).toEqual(Array(4).fill({ state: 'WAITING', leased_by: null, attempts: 0 }))
    },
    30_000,
  )
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20)
}

async function createDatabase(serverUrl: string): Promise<string> {
  const name = `svc_jobs_${process.pid}`
  const client = postgres(serverUrl, { max: 1 })
  await client.unsafe(`create database ${name}`)
  await client.end()
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).toString()
}
