import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { queryPostgres } from '../../src/insight/sql-editor/child/postgres'
import { querySqlite } from '../../src/insight/sql-editor/child/sqlite'
import { QUERY_LIMITS } from '../../src/insight/sql-editor/model'
import { RunPool } from '../../src/insight/sql-editor/run-pool'
import type { Answer } from '../support/cast'
import { eventually } from '../support/context'
import { ENDLESS, GREEDY } from '../support/hostile-sql'
import { isRunning } from '../support/process'
import { type SqlStage, sqlStage } from '../support/sql-editor'

const MEGABYTE = 1024 * 1024

let on: SqlStage
beforeAll(async () => {
  on = await sqlStage()
})
afterEach(() => limited({}))
afterAll(() => on.s.close())

/** A query that is to end at another limit than its time. Its process may start late on a slow machine. */
const UNHURRIED = { timeMs: 100_000 }

/** From now on queries have other limits. */
const limited = (limits: Partial<Record<keyof typeof QUERY_LIMITS, number>>) => {
  on.s.ctx.state.sqlQueries = new RunPool({ ...QUERY_LIMITS, ...limits })
}

const isGone = async (pid: number): Promise<void> => {
  await eventually(async () => !isRunning(pid))
  expect(isRunning(pid)).toBe(false)
}
const processes = () => on.s.ctx.state.sqlQueries.processes
/** Waits until the process of a query that was just sent runs. */
async function started(): Promise<number> {
  await eventually(async () => processes().length > 0)
  return processes()[0] ?? 0
}

const expectRejected = ({ status, body }: Answer, reason: string) =>
  expect([status, body.error]).toMatchObject([400, { code: 'QUERY_REJECTED', details: { reason } }])

/** How many queries of this test's database PostgreSQL still runs. */
async function backends(): Promise<number> {
  // The type of both dialects has only the calls of SQLite.
  const db = on.s.ctx.db as unknown as { execute(text: string): Promise<{ count: string }[]> }
  const [row] = await db.execute(
    "select count(*) as count from pg_stat_activity where application_name = 'svc-query' and datname = current_database()",
  )
  return Number(row?.count)
}
const isPostgres = () => on.s.ctx.storage.driver === 'postgres'

describe('a query that would run for hours', () => {
  for (const [index, sql] of ENDLESS.entries())
    test(`number ${index + 1} is ended as timeout, and its process is gone`, async () => {
      limited({ timeMs: 1200 })
      const answer = on.query(sql)
      const pid = await started()
      expectRejected(await answer, 'timeout')
      await isGone(pid)
      if (isPostgres()) {
        await eventually(async () => (await backends()) === 0)
        expect(await backends()).toBe(0)
      }
      limited(UNHURRIED)
      expect(await on.rows('select 1')).toEqual([[1]])
    })

  test('has eight seconds', async () => {
    const { body } = await on.query(ENDLESS[0] ?? '')
    expect(body.error).toMatchObject({ message: 'The query was ended after 8 s', details: { reason: 'timeout' } })
  })

  test('does not keep the server from answering', async () => {
    limited({ timeMs: 2000 })
    const endless = on.query(ENDLESS[0] ?? '')
    await started()
    expect((await on.s.get('/v1/me', 'svc_own_ada')).status).toBe(200)
    expectRejected(await endless, 'timeout')
  })
})

describe('a query that takes more and more memory', () => {
  for (const [index, sql] of GREEDY.entries())
    test(`number ${index + 1} is ended as memory`, async () => {
      limited({ ...UNHURRIED, databaseBytes: 16 * MEGABYTE })
      expectRejected(await on.query(sql), 'memory')
    })

  test('is ended when its process is too large, whatever of it is', async () => {
    limited({ ...UNHURRIED, memoryBytes: 8 * MEGABYTE })
    expectRejected(await on.query(ENDLESS[0] ?? ''), 'memory')
  })
})

describe('a large result', () => {
  const ROWS = 'events a, events b, events c, events d, events e, events f'

  test('of more rows than allowed is cut, and says so', async () => {
    limited(UNHURRIED)
    const { body } = await on.query(`select a.seq from ${ROWS}`)
    expect([body.data.rows.length, body.data.rowCount, body.data.truncated]).toEqual([5000, 5000, true])
    const exact = await on.query(`select a.seq from ${ROWS} limit 5000`)
    expect([exact.body.data.rowCount, exact.body.data.truncated]).toEqual([5000, false])
  })

  test('of more bytes than allowed is memory', async () => {
    limited({ ...UNHURRIED, bytes: MEGABYTE })
    expectRejected(await on.query(`select a.data, a.after, b.data from ${ROWS}`), 'memory')
    expect(await on.rows(`select count(*) from events where data is not null`)).not.toEqual([[0]])
  })
})

describe('nobody waits any more', () => {
  test('when the caller leaves: the process ends', async () => {
    limited(UNHURRIED)
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => on.s.app.handle(request) })
    const origin = `http://127.0.0.1:${server.port}`
    const leaving = new AbortController()
    const answer = fetch(`${origin}/dashboard/projects/${on.s.project.id}/queries/execute`, {
      method: 'POST',
      headers: { cookie: 'svc_session=DEVELOPER', origin, 'content-type': 'application/json' },
      body: JSON.stringify({ sql: ENDLESS[0] }),
      signal: leaving.signal,
    }).catch(() => null)
    try {
      const pid = await started()
      expect(isRunning(pid)).toBe(true)
      leaving.abort()
      expect(await answer).toBeNull()
      await isGone(pid)
      await eventually(async () => processes().length === 0)
      expect(processes()).toEqual([])
    } finally {
      await server.stop(true)
    }
  })

  test('when the server stops: the process ends, and the caller hears of it', async () => {
    limited(UNHURRIED)
    const answer = on.query(ENDLESS[0] ?? '')
    const pid = await started()
    on.s.ctx.state.sqlQueries.drain()
    expect((await answer).body.error.code).toBe('DATABASE_UNAVAILABLE')
    await isGone(pid)
    expect((await on.query('select 1')).body.error.code).toBe('DATABASE_UNAVAILABLE')
  })

  test('when the server is killed: the process ends by itself', async () => {
    const { database } = on.s.ctx.config
    const request = {
      sql: ENDLESS[0],
      parameters: [],
      projectId: on.s.project.id,
      now: 1,
      database,
      limits: QUERY_LIMITS,
    }
    const script = `
      const { startQuery } = await import('${import.meta.dir}/../../src/insight/sql-editor/child/spawn')
      console.log(startQuery(${JSON.stringify(request)}).pid)`
    const server = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
    const reader = server.stdout.getReader()
    const { value } = await reader.read()
    const pid = Number(Buffer.from(value ?? []).toString())
    expect(isRunning(pid)).toBe(true)
    server.kill('SIGKILL')
    await isGone(pid)
  })

  test('a process that is killed from outside is memory, and the next query runs', async () => {
    limited(UNHURRIED)
    const answer = on.query(ENDLESS[0] ?? '')
    process.kill(await started(), 'SIGKILL')
    expectRejected(await answer, 'memory')
    expect(await on.rows('select 1')).toEqual([[1]])
  })
})

test('a connection of a query can read and cannot write, even if the compiler let it', async () => {
  const { database } = on.s.ctx.config
  const limits = { ...QUERY_LIMITS, timeMs: 100_000_000, databaseBytes: 4096 * MEGABYTE }
  const run = async (sql: string) => {
    const compiled = { sql, values: [], columns: [{ name: 'c1', type: 'text' as const }] }
    if (database.kind === 'file') return querySqlite(database.path, compiled, limits)
    if (database.kind === 'postgres') return queryPostgres(database.url, compiled, limits)
    throw new Error('another database')
  }
  const failure = async (sql: string): Promise<string> =>
    (await run(sql).catch((error: Error) => error.message)).toString()
  expect(await run('select slug as c1 from projects order by slug limit 1')).toEqual([['project-1']])
  for (const sql of [
    "insert into svc_migrations (tag, hash) values ('x', 'y')",
    'delete from saved_queries',
    'drop table saved_queries',
    'create table x (y integer)',
  ])
    expect(await failure(sql)).toMatch(/readonly|read-only/)
})
