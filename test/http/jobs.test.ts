import { afterEach, expect, spyOn, test } from 'bun:test'
import { type Static, Type } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Context } from '../../src/base/context'
import { AppError } from '../../src/base/errors'
import { type Backoff, backoffMs, DEFAULT_BACKOFF } from '../../src/base/jobs/backoff'
import { enqueue, enqueueNow, listDead, retryDead } from '../../src/base/jobs/queue'
import { type AnyJob, type CronLine, createRegistry, cronLine, defineJob } from '../../src/base/jobs/registry'
import { endLeasesOfBefore, LEASE_MS } from '../../src/base/jobs/run'
import { Worker } from '../../src/base/jobs/worker'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/lib/clock'
import { createIds } from '../../src/base/lib/ids'
import { createContext } from '../../src/create-context'
import { type TestContext, testContext } from '../support/context'

const Note = Type.Object({ note: Type.String({ maxLength: 64 }) }, { additionalProperties: false })
const Nothing = Type.Object({}, { additionalProperties: false })

const opened: Context[] = []
const workers: Worker[] = []

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop(0)
  for (const ctx of opened.splice(0).reverse()) await ctx.close()
})

async function open(): Promise<TestContext> {
  const ctx = await testContext()
  opened.push(ctx)
  return ctx
}

/** A second process on the same database. */
async function openBeside(ctx: TestContext): Promise<Context> {
  const other = await createContext(ctx.config, {
    clock: ctx.clock,
    log: ctx.log,
    ids: createIds(() => ctx.clock.now()),
  })
  opened.push(other)
  return other
}

function workerOf(ctx: Context, jobs: readonly AnyJob[], lines: readonly CronLine[] = []): Worker {
  const worker = new Worker(ctx, createRegistry(jobs, lines))
  workers.push(worker)
  return worker
}

interface NoteOptions {
  name?: string
  maxAttempts?: number
  backoff?: Backoff
  handle?: (payload: Static<typeof Note>) => Promise<void>
}

/** A job that records its payload, and then does what the test says. */
function noteJob({ handle = async () => {}, name = 'test.note', ...options }: NoteOptions = {}) {
  const ran: string[] = []
  const run = async (_ctx: Context, payload: Static<typeof Note>) => {
    ran.push(payload.note)
    await handle(payload)
  }
  return { ran, job: defineJob({ name, payload: Note, ...options, handle: run }) }
}

const rowsOf = ({ db, tables }: Context) => db.select().from(tables.jobs).orderBy(tables.jobs.id)

async function rowOf(ctx: Context) {
  const [row] = await rowsOf(ctx)
  if (!row) throw new Error('no job is left')
  return row
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(5)
}

const linesWith = (ctx: TestContext, text: string) => ctx.lines.filter((line) => line.includes(text))

const fails = async (): Promise<void> => {
  throw new Error('the store is away')
}

test('a job of a rolled back transaction never runs', async () => {
  const ctx = await open()
  const { job, ran } = noteJob()
  const broken = ctx.write(async (tx) => {
    await enqueue(tx, job, { note: 'lost' })
    throw new Error('changed my mind')
  })
  await expect(broken).rejects.toThrow('changed my mind')
  expect(await workerOf(ctx, [job]).runDue()).toBe(0)
  expect(ran).toEqual([])
})

test('a job of a committed transaction runs once, and its row goes', async () => {
  const ctx = await open()
  const { job, ran } = noteJob()
  await ctx.write((tx) => enqueue(tx, job, { note: 'kept' }))
  const worker = workerOf(ctx, [job])
  expect(await worker.runDue()).toBe(1)
  ctx.clock.advance(DAY)
  expect(await worker.runDue()).toBe(0)
  expect(ran).toEqual(['kept'])
  expect(await rowsOf(ctx)).toEqual([])
})

test('what a handler enqueues runs in the same round', async () => {
  const ctx = await open()
  const { job, ran } = noteJob()
  const first = defineJob({
    name: 'test.first',
    payload: Nothing,
    handle: (inner) => inner.write((tx) => enqueue(tx, job, { note: 'second' })),
  })
  await ctx.write((tx) => enqueue(tx, first, {}))
  expect(await workerOf(ctx, [job, first]).runDue()).toBe(2)
  expect(ran).toEqual(['second'])
})

test('a job waits for its instant', async () => {
  const ctx = await open()
  const { job, ran } = noteJob()
  const worker = workerOf(ctx, [job])
  await ctx.write((tx) => enqueue(tx, job, { note: 'later' }, { runAt: tx.clock.now() + HOUR }))
  ctx.clock.advance(HOUR - 1)
  expect(await worker.runDue()).toBe(0)
  ctx.clock.advance(1)
  expect(await worker.runDue()).toBe(1)
  expect(ran).toEqual(['later'])
})

test('a key holds one waiting job of a name, and is free again when that has run', async () => {
  const ctx = await open()
  const { job, ran } = noteJob()
  const other = noteJob({ name: 'test.other' })
  const worker = workerOf(ctx, [job, other.job])
  const ask = (note: string, dedupeKey: string) => ctx.write((tx) => enqueue(tx, job, { note }, { dedupeKey }))
  expect(await ask('first', 'a')).toStartWith('job_')
  expect(await ask('second', 'a')).toBeNull()
  expect(await ask('third', 'b')).toStartWith('job_')
  await ctx.write((tx) => enqueue(tx, other.job, { note: 'fourth' }, { dedupeKey: 'a' }))
  expect(await worker.runDue()).toBe(3)
  expect(ran.toSorted()).toEqual(['first', 'third'])
  expect(other.ran).toEqual(['fourth'])
  expect(await ask('fifth', 'a')).toStartWith('job_')
  expect(await worker.runDue()).toBe(1)
})

test('asked for again while it runs, it runs once more with the newest payload and never beside itself', async () => {
  const ctx = await open()
  const ask = (note: string) => ctx.write((tx) => enqueue(tx, job, { note }, { dedupeKey: 'a' }))
  const { job, ran } = noteJob({
    handle: async ({ note }) => {
      if (note !== 'first') return
      expect(await ask('second')).not.toBeNull()
      await ask('third')
      expect(await workerOf(await openBeside(ctx), [job]).runDue()).toBe(0)
    },
  })
  await ask('first')
  expect(await workerOf(ctx, [job]).runDue()).toBe(2)
  expect(ran).toEqual(['first', 'third'])
  expect(await rowsOf(ctx)).toEqual([])
})

test('asked for again during its last attempt, it starts over instead of dying', async () => {
  const ctx = await open()
  const ask = (note: string) => ctx.write((tx) => enqueue(tx, job, { note }, { dedupeKey: 'a' }))
  const { job, ran } = noteJob({
    maxAttempts: 1,
    handle: async ({ note }) => {
      if (note !== 'first') return
      await ask('second')
      await fails()
    },
  })
  await ask('first')
  expect(await workerOf(ctx, [job]).runDue()).toBe(2)
  expect(ran).toEqual(['first', 'second'])
  expect(await listDead(ctx)).toEqual([])
})

test('waits double from 5 s to 1 h, lie in the upper half of their span, and differ between jobs', () => {
  for (let attempt = 1; attempt <= 20; attempt++) {
    const fullMs = Math.min(HOUR, 5 * SECOND * 2 ** (attempt - 1))
    const waits = ['job_1', 'job_2', 'job_3'].map((id) => backoffMs(DEFAULT_BACKOFF, id, attempt))
    for (const wait of waits) expect(wait).toBeWithin(fullMs / 2, fullMs + 1)
    expect(new Set(waits).size).toBe(3)
    expect(backoffMs(DEFAULT_BACKOFF, 'job_1', attempt)).toBe(waits[0] ?? 0)
  }
})

test('a failed job comes back after its wait and not before, until it is dead and visible', async () => {
  const ctx = await open()
  const { job, ran } = noteJob({ handle: fails })
  const worker = workerOf(ctx, [job])
  const id = (await ctx.write((tx) => enqueue(tx, job, { note: 'x' }))) ?? ''
  for (let attempt = 1; attempt <= 9; attempt++) {
    expect(await worker.runDue()).toBe(1)
    expect(await rowOf(ctx)).toMatchObject({ state: 'WAITING', attempts: attempt, leasedBy: null, leasedUntil: null })
    ctx.clock.advance(backoffMs(DEFAULT_BACKOFF, id, attempt) - 1)
    expect(await worker.runDue()).toBe(0)
    ctx.clock.advance(1)
  }
  expect(await worker.runDue()).toBe(1)
  ctx.clock.advance(365 * DAY)
  expect(await worker.runDue()).toBe(0)
  expect(ran).toHaveLength(10)
  const died = { id, name: 'test.note', payload: { note: 'x' }, attempts: 10, lastError: 'Error: the store is away' }
  expect(await listDead(ctx)).toEqual([expect.objectContaining(died)])
  expect(ctx.lines.filter((line) => line.includes('for the last time'))).toHaveLength(1)
  expect(await ctx.metrics.text()).toContain('svc_outbox_depth{state="DEAD"} 1')
})

test('a job that succeeds after failures leaves nothing behind', async () => {
  const ctx = await open()
  let isBroken = true
  const { job } = noteJob({ handle: async () => (isBroken ? fails() : undefined) })
  const worker = workerOf(ctx, [job])
  await ctx.write((tx) => enqueue(tx, job, { note: 'x' }))
  await worker.runDue()
  isBroken = false
  ctx.clock.advance(MINUTE)
  expect(await worker.runDue()).toBe(1)
  expect(await rowsOf(ctx)).toEqual([])
})

test('a dead job can be tried again, with all its attempts', async () => {
  const ctx = await open()
  let isBroken = true
  const { job, ran } = noteJob({ maxAttempts: 2, handle: async () => (isBroken ? fails() : undefined) })
  const worker = workerOf(ctx, [job])
  const id = (await ctx.write((tx) => enqueue(tx, job, { note: 'x' }))) ?? ''
  await worker.runDue()
  ctx.clock.advance(MINUTE)
  await worker.runDue()
  expect(await listDead(ctx)).toHaveLength(1)
  expect(await retryDead(ctx, 'job_unknown')).toBe(false)
  expect(await retryDead(ctx, id)).toBe(true)
  expect(await rowOf(ctx)).toMatchObject({ id, state: 'WAITING', attempts: 0, lastError: null })
  expect(await retryDead(ctx, id)).toBe(false)
  isBroken = false
  expect(await worker.runDue()).toBe(1)
  expect(ran).toHaveLength(3)
  expect(await rowsOf(ctx)).toEqual([])
})

test('a dead job blocks no new one of its key, stands once for it, and yields to it when tried again', async () => {
  const ctx = await open()
  const { job, ran } = noteJob({ maxAttempts: 1, handle: fails })
  const worker = workerOf(ctx, [job])
  const ask = (note: string) => ctx.write((tx) => enqueue(tx, job, { note }, { dedupeKey: 'a' }))
  await ask('first')
  await worker.runDue()
  await ask('second')
  await worker.runDue()
  const [dead, ...others] = await listDead(ctx)
  expect([dead?.payload, others]).toEqual([{ note: 'second' }, []])
  await ask('third')
  expect(await retryDead(ctx, dead?.id ?? '')).toBe(true)
  expect(await worker.runDue()).toBe(1)
  expect(ran).toEqual(['first', 'second', 'third'])
})

test('the job of a crashed process is taken when its lease has lapsed and not before', async () => {
  const ctx = await open()
  const { job, ran } = noteJob()
  const worker = workerOf(ctx, [job])
  await ctx.write(async (tx) => {
    await enqueue(tx, job, { note: 'orphan' })
    const lease = {
      state: 'RUNNING' as const,
      leasedBy: 'a process that is gone',
      leasedUntil: tx.clock.now() + LEASE_MS,
    }
    await tx.db.update(tx.tables.jobs).set(lease)
  })
  ctx.clock.advance(LEASE_MS - 1)
  expect(await worker.runDue()).toBe(0)
  ctx.clock.advance(1)
  expect(await worker.runDue()).toBe(1)
  expect(ran).toEqual(['orphan'])
  expect(await rowsOf(ctx)).toEqual([])
})

test('the job of a killed server goes on at once when a server starts that is alone on the database', async () => {
  const ctx = await open()
  const { job, ran } = noteJob()
  const worker = workerOf(ctx, [job])
  await ctx.write(async (tx) => {
    await enqueue(tx, job, { note: 'orphan' })
    const leasedUntil = tx.clock.now() + LEASE_MS
    await tx.db.update(tx.tables.jobs).set({ state: 'RUNNING', leasedBy: 'a killed server', leasedUntil })
  })
  expect(await worker.runDue()).toBe(0)
  await endLeasesOfBefore(ctx)
  expect(await worker.runDue()).toBe(1)
  expect([ran, await rowsOf(ctx)]).toEqual([['orphan'], []])
})

test('a job that takes its process down every time dies in the end', async () => {
  const ctx = await open()
  const { job, ran } = noteJob({ maxAttempts: 3 })
  await ctx.write((tx) => enqueue(tx, job, { note: 'poison' }))
  const crash = { state: 'RUNNING' as const, leasedBy: 'a process that is gone', leasedUntil: 0, attempts: 2 }
  await ctx.write((tx) => tx.db.update(tx.tables.jobs).set(crash))
  expect(await workerOf(ctx, [job]).runDue()).toBe(0)
  expect(ran).toEqual([])
  expect(await listDead(ctx)).toMatchObject([{ attempts: 3, diedAt: ctx.clock.now(), payload: { note: 'poison' } }])
})

test('a run that lost its lease changes nothing of the run that follows', async () => {
  const ctx = await open()
  const other = await openBeside(ctx)
  const second = noteJob({ handle: fails })
  const { job } = noteJob({
    handle: async () => {
      ctx.clock.advance(LEASE_MS)
      await workerOf(other, [second.job]).runDue()
    },
  })
  await ctx.write((tx) => enqueue(tx, job, { note: 'slow' }))
  await workerOf(ctx, [job]).runDue()
  expect(second.ran).toEqual(['slow'])
  expect(await rowOf(ctx)).toMatchObject({ state: 'WAITING', attempts: 2 })
  expect(ctx.lines.filter((line) => line.includes('outlived its lease'))).toHaveLength(1)
})

test('the lease of a long run is renewed', async () => {
  const ctx = await open()
  const held = Promise.withResolvers<void>()
  const { job, ran } = noteJob({ handle: () => held.promise })
  workerOf(ctx, [job]).start(5)
  await ctx.write((tx) => enqueue(tx, job, { note: 'long' }))
  await until(() => ran.length === 1)
  for (let minute = 0; minute < 5; minute++) {
    ctx.clock.advance(LEASE_MS / 2)
    await until(async () => (await rowOf(ctx)).leasedUntil === ctx.clock.now() + LEASE_MS)
    expect(await workerOf(await openBeside(ctx), [job]).runDue()).toBe(0)
  }
  held.resolve()
  await until(async () => (await rowsOf(ctx)).length === 0)
  expect(ran).toEqual(['long'])
})

test('a committed job wakes the worker without waiting for its tick', async () => {
  const ctx = await open()
  const { job, ran } = noteJob()
  const worker = workerOf(ctx, [job])
  worker.start(HOUR)
  await until(() => !Reflect.get(worker, 'ticking') && !Reflect.get(worker, 'filling'))
  await ctx.write((tx) => enqueue(tx, job, { note: 'now' }))
  await until(() => ran.length === 1)
})

test('at most four jobs run at once in a process', async () => {
  const ctx = await open()
  let running = 0
  let most = 0
  const four = Promise.withResolvers<void>()
  const { job, ran } = noteJob({
    handle: async () => {
      most = Math.max(most, ++running)
      if (running === 4) four.resolve()
      await four.promise
      await Bun.sleep(2)
      running--
    },
  })
  await ctx.write(async (tx) => {
    for (let n = 0; n < 20; n++) await enqueue(tx, job, { note: `${n}` })
  })
  workerOf(ctx, [job]).start()
  await until(async () => (await rowsOf(ctx)).length === 0)
  expect([ran.length, most]).toEqual([20, 4])
})

test('two processes share 200 jobs, and none runs twice', async () => {
  const ctx = await open()
  const other = await openBeside(ctx)
  const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // The process that comes first continues when the other one has some jobs too.
  const handleOf = (mine: number) => async () => {
    both[mine]?.resolve()
    await Promise.all(both.map(({ promise }) => promise))
    await Bun.sleep(20)
  }
  const { job, ran } = noteJob({ handle: handleOf(0) })
  const beside = noteJob({ handle: handleOf(1) })
  await ctx.write(async (tx) => {
    for (let n = 0; n < 200; n++) await enqueue(tx, job, { note: `${n}` })
  })
  const counts = await Promise.all([workerOf(ctx, [job]).runDue(), workerOf(other, [beside.job]).runDue()])
  await Promise.all(workers.map((worker) => worker.runDue()))
  const all = [...ran, ...beside.ran]
  expect(all).toHaveLength(200)
  expect(new Set(all).size).toBe(200)
  expect(Math.min(...counts)).toBeGreaterThan(0)
  // What another process commits is read from the next turn of the event loop on.
  await new Promise(setImmediate)
  expect(await rowsOf(ctx)).toEqual([])
})

test('a job of an unknown name stays waiting, is told once, and holds up nothing', async () => {
  const ctx = await open()
  const unknown = noteJob({ name: 'test.of_tomorrow' })
  const { job, ran } = noteJob()
  const worker = workerOf(ctx, [job])
  await ctx.write(async (tx) => {
    for (let n = 0; n < 10; n++) await enqueue(tx, unknown.job, { note: `${n}` })
  })
  ctx.clock.advance(1)
  await ctx.write((tx) => enqueue(tx, job, { note: 'known' }))
  expect(await worker.runDue()).toBe(1)
  expect(await worker.runDue()).toBe(0)
  expect(ran).toEqual(['known'])
  expect((await rowsOf(ctx)).map(({ state, attempts }) => [state, attempts])).toEqual(Array(10).fill(['WAITING', 0]))
  expect(ctx.lines.filter((line) => line.includes('test.of_tomorrow'))).toHaveLength(1)
})

test('a payload is checked when it is enqueued', async () => {
  const ctx = await open()
  const { job } = noteJob()
  const wrong: { note: string } = JSON.parse('{"note":"x","extra":1}')
  await expect(ctx.write((tx) => enqueue(tx, job, wrong))).rejects.toThrow(
    'payload of job test.note does not fit at /extra',
  )
  await expect(enqueueNow(ctx, job, wrong, { queue: 'dsar' })).rejects.toThrow(TypeError)
  expect(await rowsOf(ctx)).toEqual([])
})

test('a payload is checked when it is taken, since another version may have written it', async () => {
  const ctx = await open()
  const { job, ran } = noteJob()
  await ctx.write(async (tx) => {
    await enqueue(tx, job, { note: 'x' })
    await tx.db.update(tx.tables.jobs).set({ payload: { note: 'hunter2'.repeat(20) } })
  })
  expect(await workerOf(ctx, [job]).runDue()).toBe(1)
  expect(ran).toEqual([])
  const { state, attempts, lastError } = await rowOf(ctx)
  expect([state, attempts]).toEqual(['WAITING', 1])
  expect(lastError).toContain('does not fit at /note')
  expect(lastError).not.toContain('hunter2')
})

const failures: [name: string, thrown: unknown, linesWith: string][] = [
  [
    'a refusal',
    new AppError('STORE_UNAVAILABLE'),
    'STORE_UNAVAILABLE: The store does not answer at present; try again later',
  ],
  [
    'an address',
    new Error('POST https://me:pw@hooks.example/T00/secret?k=v refused'),
    'Error: POST https://hooks.example refused',
  ],
  ['a token', new Error('bad key svc_sec_a1b2c3d4e5f6a7b8c9d0 given'), 'Error: bad key […] given'],
  ['a mail address', new Error('no mailbox ada@example.com'), 'Error: no mailbox […]'],
  [
    'a cause',
    new Error('outer', { cause: new Error('inner of ada@example.com') }),
    'Error: outer <- Error: inner of […]',
  ],
  ['many lines', new Error('first\nsecond'), 'Error: first'],
  ['no error', { secret: 1 }, 'thrown: object'],
]
for (const [name, thrown, linesWith] of failures)
  test(`the last error keeps no secret: ${name}`, async () => {
    const ctx = await open()
    const { job } = noteJob({ handle: () => Promise.reject(thrown) })
    await ctx.write((tx) => enqueue(tx, job, { note: 'x' }))
    await workerOf(ctx, [job]).runDue()
    expect((await rowOf(ctx)).lastError).toBe(linesWith)
  })

test('the last error of a refused statement shows neither the statement nor its values', async () => {
  const ctx = await open()
  const clash = async (inner: Context) => {
    const row = { name: 'hunter2', lastRunAt: 1 }
    await inner.write((tx) => tx.db.insert(tx.tables.cronRuns).values([row, row]))
  }
  const job = defineJob({ name: 'test.clash', payload: Nothing, handle: clash })
  await ctx.write((tx) => enqueue(tx, job, {}))
  await workerOf(ctx, [job]).runDue()
  const { lastError } = await rowOf(ctx)
  expect(lastError).toContain('cron_runs')
  expect(lastError).not.toContain('hunter2')
  expect(lastError).not.toContain('insert')
})

test('a cron line never seen is due at once, then once an instant, and missed instants are one', async () => {
  const ctx = await open()
  const { job, ran } = noteJob()
  const worker = workerOf(
    ctx,
    [job],
    [cronLine({ name: 'hourly', pattern: '0 * * * *', job, payload: { note: 'tick' } })],
  )
  expect([await worker.runDue(), await worker.runDue()]).toEqual([1, 0])
  ctx.clock.advance(HOUR - 1)
  expect(await worker.runDue()).toBe(0)
  ctx.clock.advance(1)
  expect([await worker.runDue(), await worker.runDue()]).toEqual([1, 0])
  ctx.clock.advance(7 * HOUR + MINUTE)
  expect([await worker.runDue(), await worker.runDue()]).toEqual([1, 0])
  ctx.clock.advance(HOUR - MINUTE)
  expect(await worker.runDue()).toBe(1)
  expect(ran).toHaveLength(4)
  const [line] = await ctx.db.select().from(ctx.tables.cronRuns)
  expect(line).toEqual({ name: 'hourly', lastRunAt: ctx.clock.now() })
})

test('a restarted process does not repeat the instant that was run before, and writes nothing for it', async () => {
  const ctx = await open()
  const { job } = noteJob()
  const lines = [cronLine({ name: 'hourly', pattern: '0 * * * *', job, payload: { note: 'tick' } })]
  expect(await workerOf(ctx, [job], lines).runDue()).toBe(1)
  ctx.clock.advance(HOUR - 1)
  const writes = spyOn(ctx, 'write')
  expect(await workerOf(ctx, [job], lines).runDue()).toBe(0)
  expect(writes).not.toHaveBeenCalled()
  writes.mockRestore()
  ctx.clock.advance(3 * HOUR)
  expect(await workerOf(ctx, [job], lines).runDue()).toBe(1)
})

test('two processes run each instant of a cron line once', async () => {
  const ctx = await open()
  const { job, ran } = noteJob()
  const lines = [cronLine({ name: 'minutely', pattern: '* * * * *', job, payload: { note: 'tick' } })]
  const pair = [workerOf(ctx, [job], lines), workerOf(await openBeside(ctx), [job], lines)]
  for (let minute = 1; minute <= 10; minute++) {
    await Promise.all(pair.map((worker) => worker.runDue()))
    expect(ran).toHaveLength(minute)
    ctx.clock.advance(MINUTE)
  }
})

test('cron patterns are read in UTC, to the second', async () => {
  const ctx = await open()
  const { job, ran } = noteJob()
  const worker = workerOf(
    ctx,
    [job],
    [cronLine({ name: 'nightly', pattern: '30 0 3 * * *', job, payload: { note: 'tick' } })],
  )
  await worker.runDue()
  ctx.clock.set(Date.UTC(2026, 10, 21, 3, 0, 29, 999))
  expect(await worker.runDue()).toBe(0)
  ctx.clock.advance(1)
  expect(await worker.runDue()).toBe(1)
  expect(ran).toHaveLength(2)
})

test('a registry refuses at start what would fail later', () => {
  const { job } = noteJob()
  const line = { name: 'line', pattern: '* * * * *', job, payload: { note: 'x' } }
  expect(() => createRegistry([job, noteJob().job])).toThrow('two jobs or cron lines are named test.note')
  expect(() => createRegistry([], [cronLine(line), cronLine(line)])).toThrow('are named line')
  expect(() => createRegistry([], [cronLine({ ...line, pattern: 'at night' })])).toThrow('invalid configuration format')
  expect(() => createRegistry([], [cronLine({ name: 'line', pattern: '* * * * *', job })])).toThrow(
    'does not fit at /note',
  )
  expect([...createRegistry([job], [cronLine(line)]).jobs.keys()]).toEqual(['test.note'])
})

test('QUEUE_UNAVAILABLE when the row cannot be written', async () => {
  const ctx = await open()
  const { job } = noteJob()
  await ctx.storage.runScript(['DROP TABLE jobs'])
  const refusal = await enqueueNow(ctx, job, { note: 'x' }, { queue: 'import' }).catch((error: unknown) => error)
  if (!(refusal instanceof AppError)) throw new Error('no refusal')
  expect(refusal).toMatchObject({
    refusal: 'QUEUE_UNAVAILABLE',
    status: 503,
    retryAfter: 5,
    details: { queue: 'import' },
  })
})

test('QUEUE_UNAVAILABLE after 2 s, and the job does not appear later', async () => {
  const ctx = await open()
  const other = await openBeside(ctx)
  const { job } = noteJob()
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const blocking = other.write(async (tx) => {
    await enqueue(tx, job, { note: 'blocking' }, { dedupeKey: 'a' })
    locked.resolve()
    await held.promise
  })
  await locked.promise
  const refused = enqueueNow(ctx, job, { note: 'late' }, { queue: 'dsar', dedupeKey: 'a' })
  await expect(refused).rejects.toMatchObject({ refusal: 'QUEUE_UNAVAILABLE', details: { queue: 'dsar' } })
  held.resolve()
  await blocking
  await ctx.write(async () => {})
  expect((await rowsOf(ctx)).map(({ payload }) => payload)).toEqual([{ note: 'blocking' }])
})

test('enqueueNow writes its row and gives the id', async () => {
  const ctx = await open()
  const { job } = noteJob()
  const id = await enqueueNow(ctx, job, { note: 'x' }, { queue: 'webhook', runAt: ctx.clock.now() + HOUR })
  expect(await rowOf(ctx)).toMatchObject({ id, runAt: ctx.clock.now() + HOUR, payload: { note: 'x' } })
})

test('stop waits for what runs and takes nothing new', async () => {
  const ctx = await open()
  const held = Promise.withResolvers<void>()
  const { job, ran } = noteJob({ handle: () => held.promise })
  const worker = workerOf(ctx, [job])
  worker.start(5)
  await ctx.write((tx) => enqueue(tx, job, { note: 'running' }))
  await until(() => ran.length === 1)
  const order: string[] = []
  const stopped = worker.stop(HOUR).then(() => order.push('stopped'))
  await ctx.write((tx) => enqueue(tx, job, { note: 'too late' }))
  order.push('let go')
  held.resolve()
  await stopped
  expect(order).toEqual(['let go', 'stopped'])
  expect(ran).toEqual(['running'])
  expect((await rowsOf(ctx)).map(({ state, payload }) => [state, payload])).toEqual([['WAITING', { note: 'too late' }]])
})

test('stop gives back the lease of what does not end, and another process runs it at once', async () => {
  const ctx = await open()
  const held = Promise.withResolvers<void>()
  const { job, ran } = noteJob({ handle: () => held.promise })
  const beside = noteJob()
  const worker = workerOf(ctx, [job])
  worker.start(5)
  await ctx.write((tx) => enqueue(tx, job, { note: 'stuck' }))
  await until(() => ran.length === 1)
  await worker.stop(30)
  expect(await rowOf(ctx)).toMatchObject({ state: 'WAITING', leasedBy: null, leasedUntil: null, attempts: 0 })
  expect(await workerOf(await openBeside(ctx), [beside.job]).runDue()).toBe(1)
  held.resolve()
  expect(beside.ran).toEqual(['stuck'])
  expect(await rowsOf(ctx)).toEqual([])
})

test('the loop outlives faults of the database and logs them once', async () => {
  const ctx = await open()
  const { job, ran } = noteJob()
  await ctx.storage.runScript(['ALTER TABLE jobs RENAME TO jobs_away'])
  workerOf(ctx, [job]).start(5)
  await until(() => linesWith(ctx, 'jobs do not run').length >= 2)
  // Each loop iteration reads the time and fails, so several of them pass.
  const turns = spyOn(ctx.clock, 'now')
  await until(() => turns.mock.calls.length > 20)
  await ctx.storage.runScript(['ALTER TABLE jobs_away RENAME TO jobs'])
  await ctx.write((tx) => enqueue(tx, job, { note: 'after' }))
  await until(() => ran.length === 1)
  await until(() => linesWith(ctx, 'jobs run again').length >= 2)
  for (const line of ['jobs do not run', 'jobs run again']) expect(linesWith(ctx, line)).toHaveLength(2)
})

test('the depth of the queue is told by state', async () => {
  const ctx = await open()
  const { job } = noteJob()
  await ctx.write(async (tx) => {
    for (const n of [1, 2, 3]) await enqueue(tx, job, { note: `${n}` }, { runAt: tx.clock.now() + HOUR })
    const { jobs } = tx.tables
    const [first] = await tx.db.select({ id: jobs.id }).from(jobs).limit(1)
    const lease = { state: 'RUNNING' as const, leasedBy: 'x', leasedUntil: tx.clock.now() + HOUR }
    await tx.db
      .update(jobs)
      .set(lease)
      .where(eq(jobs.id, first?.id ?? ''))
  })
  await workerOf(ctx, [job]).runDue()
  const text = await ctx.metrics.text()
  for (const line of ['{state="WAITING"} 2', '{state="RUNNING"} 1', '{state="DEAD"} 0'])
    expect(text).toContain(`svc_outbox_depth${line}`)
})
