import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { Type } from '@sinclair/typebox'
import postgres from 'postgres'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { migrate } from '../../src/base/db/migrate'
import { enqueue } from '../../src/base/jobs/queue'
import { createRegistry, cronLine, defineJob } from '../../src/base/jobs/registry'
import { Worker } from '../../src/base/jobs/worker'
import { createContext } from '../../src/create-context'
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres-server'

const Task = Type.Object({ n: Type.Integer({ minimum: 0, maximum: 10_000 }) }, { additionalProperties: false })

/** How many jobs a process runs at the same time. */
const AT_ONCE = 4

// Two real processes on one Postgres. Each is this file, started again with SVC_JOBS_CHILD.
const mode = process.env.SVC_JOBS_CHILD
if (mode) void runChild(mode)
else defineTests()

/**
 * The jobs of a process. Each run is written to `runs` at its beginning, outside of the tested code, and a task ends
 * when `mayEnd` allows it.
 */
function jobsOf(note: (name: string, n: number) => Promise<unknown>, mayEnd: () => Promise<unknown>) {
  const task = defineJob({
    name: 'task',
    payload: Task,
    handle: async (_ctx, { n }) => {
      await note('task', n)
      await mayEnd()
    },
  })
  const beat = defineJob({ name: 'beat', payload: Type.Object({}), handle: () => note('beat', 0) })
  return { task, registry: createRegistry([task], [cronLine({ name: 'beat', pattern: '* * * * * *', job: beat })]) }
}

async function runChild(kind: string): Promise<void> {
  const ctx = await openContext(process.env.SVC_DATABASE_URL ?? '')
  const sql = postgres(process.env.SVC_DATABASE_URL ?? '', { max: 2 })
  const note = (name: string, n: number) => sql`insert into runs (name, n, pid) values (${name}, ${n}, ${process.pid})`
  const isOpen = async () => kind === 'works' && (await sql`select 1 from gate`).length > 0
  const worker = new Worker(ctx, jobsOf(note, () => until(isOpen)).registry)
  process.on('SIGTERM', async () => {
    const stopped = worker.stop(60_000)
    process.stdout.write('stopping\n')
    await stopped
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
    server = given ? { url: given, log: '', stop: async () => {} } : await startPostgres()
  }, 600_000)

  // Each test has its own database, because statements that a killed process has sent may still run after its end.
  beforeEach(async () => {
    if (!server) return
    url = await createDatabase(server.url)
    ctx = await openContext(url)
    await migrate(ctx.storage)
    sql = postgres(url, { max: 2 })
    await sql`create table runs (name text, n int, pid int)`
    await sql`create table gate (is_open boolean)`
    await sql`create table beats (due_at bigint)`
    await sql.unsafe(NOTE_BEATS)
  }, 600_000)

  afterEach(async () => {
    if (!server) return
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(children.splice(0).map(({ exited }) => exited))
    await Promise.all([ctx.close(), sql.end()])
  }, 600_000)

  afterAll(() => server?.stop(), 600_000)

  async function start(kind: 'works' | 'hangs') {
    const env = { ...process.env, SVC_JOBS_CHILD: kind, SVC_DATABASE_URL: url }
    const child = Bun.spawn([process.execPath, import.meta.path], { env, stdout: 'pipe', stderr: 'inherit' })
    children.push(child)
    const reader = child.stdout.getReader()
    let said = ''
    const says = async (word: string) => {
      while (!said.includes(word)) {
        const { value, done } = await reader.read()
        if (done) throw new Error(`the process ended without a word of ${word}`)
        said += Buffer.from(value).toString()
      }
    }
    await says('ready')
    return { pid: child.pid, exited: child.exited, kill: (signal: NodeJS.Signals) => child.kill(signal), says }
  }

  const nothing = async () => {}
  const { task } = jobsOf(nothing, nothing)
  const ask = (...numbers: number[]) =>
    ctx.write(async (tx) => {
      for (const n of numbers) await enqueue(tx, task, { n })
    })
  const openGate = () => sql`insert into gate values (true)`
  const runsOf = (name: string) => sql<{ n: number; pid: number }[]>`select n, pid from runs where name = ${name}`
  const isEmpty = async () => (await sql`select 1 from jobs where name = 'task'`).length === 0

  canRun(
    'two processes share the jobs, and none runs twice',
    async () => {
      const pair = await Promise.all([start('works'), start('works')])
      await ask(...Array(400).keys())
      await until(async () => (await runsOf('task')).length >= 2 * AT_ONCE)
      const first = (await runsOf('task')).map(({ pid }) => pid)
      for (const { pid } of pair) expect(first.filter((one) => one === pid)).toHaveLength(AT_ONCE)
      await openGate()
      await until(isEmpty)
      const runs = await runsOf('task')
      expect(runs).toHaveLength(400)
      expect(new Set(runs.map(({ n }) => n)).size).toBe(400)
    },
    600_000,
  )

  canRun(
    'an instant of a cron line belongs to one of two processes',
    async () => {
      await Promise.all([start('works'), start('works')])
      const asked = async () => (await sql<{ due: string }[]>`select due_at as due from beats`).map(({ due }) => due)
      await until(async () => (await asked()).length >= 4)
      const instants = await asked()
      expect(new Set(instants).size).toBe(instants.length)
      await until(async () => (await runsOf('beat')).length >= 3)
      const runs = (await runsOf('beat')).length
      expect((await asked()).length).toBeGreaterThanOrEqual(runs)
    },
    600_000,
  )

  canRun(
    'what a killed process was running is taken by the other when its lease is over, not before',
    async () => {
      const pidsOf = async (wanted: number) =>
        (await runsOf('task')).filter(({ n }) => n === wanted).map(({ pid }) => pid)
      const beatsOf = async (wanted: number) => (await runsOf('beat')).filter(({ pid }) => pid === wanted).length
      const killed = await start('hangs')
      await ask(0)
      await until(async () => (await pidsOf(0)).length === 1)
      killed.kill('SIGKILL')
      await killed.exited
      await sql`update jobs set leased_until = leased_until + 3600000 where name = 'task'`
      await sql`delete from jobs where name = 'beat'` // The killed process may also have been running this job.
      await openGate()
      const heir = await start('works')
      await ask(1)
      // The other process has looked for leases that have run out, and for jobs, more than once.
      await until(async () => (await pidsOf(1)).length === 1 && (await beatsOf(heir.pid)) >= 2)
      expect(await pidsOf(0)).toEqual([killed.pid])
      await sql`update jobs set leased_until = 0 where name = 'task'`
      await until(isEmpty)
      expect(new Set(await pidsOf(0))).toEqual(new Set([killed.pid, heir.pid]))
      expect(await pidsOf(0)).toHaveLength(2)
    },
    600_000,
  )

  canRun(
    'SIGTERM lets running jobs end and leaves the rest to others',
    async () => {
      const child = await start('works')
      await ask(...Array(2 * AT_ONCE).keys())
      await until(async () => (await runsOf('task')).length >= AT_ONCE)
      child.kill('SIGTERM')
      await child.says('stopping')
      await openGate()
      expect(await child.exited).toBe(0)
      expect(await runsOf('task')).toHaveLength(AT_ONCE)
      const left = await sql`select state, leased_by, attempts::int from jobs where name = 'task'`
      expect([...left]).toEqual(Array(AT_ONCE).fill({ state: 'WAITING', leased_by: null, attempts: 0 }))
    },
    600_000,
  )
}

/** Records for which instants a process enqueues the job of the cron line, whether or not one already waits. */
const NOTE_BEATS = `
  create function note_beat() returns trigger language plpgsql as $$
  begin
    if new.name = 'beat' then insert into beats select last_run_at from cron_runs where name = 'beat'; end if;
    return new;
  end $$;
  create trigger note_beat before insert on jobs for each row execute function note_beat()`

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20)
}

async function createDatabase(serverUrl: string): Promise<string> {
  const name = `svc_jobs_${crypto.randomUUID().replaceAll('-', '')}`
  const client = postgres(serverUrl, { max: 1 })
  await client.unsafe(`create database ${name}`)
  await client.end()
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).toString()
}
