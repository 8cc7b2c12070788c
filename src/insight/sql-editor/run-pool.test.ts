import { describe, expect, test } from 'bun:test'
import type { AppError } from '../../base/errors'
import type { QueryRequest } from './child/protocol'
import type { QueryAnswer, RunningQuery } from './child/spawn'
import { QUERY_LIMITS } from './model'
import { RunPool } from './run-pool'

/** A pool whose queries end when the test says so. */
function pool() {
  const started: { request: QueryRequest; end(answer: QueryAnswer): void; isKilled: boolean }[] = []
  const start = (request: QueryRequest): RunningQuery => {
    const { promise, resolve } = Promise.withResolvers<QueryAnswer>()
    const entry = { request, end: resolve, isKilled: false }
    started.push(entry)
    const kill = () => {
      entry.isKilled = true
      resolve(null)
    }
    return { pid: started.length, answer: promise, kill }
  }
  const runs = new RunPool(QUERY_LIMITS, start)
  const run = (projectId: string, signal?: AbortSignal) => {
    const request = {
      sql: 'x',
      parameters: [],
      projectId,
      now: 1,
      timezone: 'UTC',
      database: { kind: 'file', path: '/x' },
    } as const
    const answer = runs.run(request, signal)
    // What a test leaves waiting is refused after the patience, when other tests run.
    answer.catch(() => {})
    return answer
  }
  const projects = () => started.map(({ request }) => request.projectId)
  return { runs, run, started, projects }
}

const ANSWER: QueryAnswer = { head: { kind: 'ok', rowCount: 0 }, result: new Uint8Array() }
const codeOf = (error: AppError): string => error.toWire().code
const settled = () => new Promise(setImmediate)

describe('a pool', () => {
  test('runs two queries at once, and the next when one has ended', async () => {
    const { run, started, projects } = pool()
    const all = [run('a'), run('b'), run('c')]
    await settled()
    expect(projects()).toEqual(['a', 'b'])
    started[1]?.end(ANSWER)
    expect(await all[1]).toEqual(ANSWER)
    await settled()
    expect(projects()).toEqual(['a', 'b', 'c'])
  })

  test('a project has one query running, and four waiting; the next is refused with when to come again', async () => {
    const { run, started, projects } = pool()
    for (let index = 0; index < 5; index++) void run('a')
    const refused = await run('a').catch((error: AppError) => error.toWire())
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterSeconds: 5 } })
    void run('b')
    await settled()
    expect(projects()).toEqual(['a', 'b'])
    started[0]?.end(ANSWER)
    await settled()
    expect(projects()).toEqual(['a', 'b', 'a'])
  })

  test('the query of a caller who leaves is killed, and its place is free', async () => {
    const { run, started, projects } = pool()
    const leaving = new AbortController()
    const first = run('a', leaving.signal)
    void run('b')
    void run('c')
    await settled()
    leaving.abort()
    expect(await first).toBeNull()
    await settled()
    expect([started[0]?.isKilled, started[1]?.isKilled]).toEqual([true, false])
    expect(projects()).toEqual(['a', 'b', 'c'])
  })

  test('a caller who leaves while waiting gets no place', async () => {
    const { run, started, projects } = pool()
    void run('a')
    void run('d')
    const leaving = new AbortController()
    const waiting = run('b', leaving.signal).catch(codeOf)
    void run('c')
    leaving.abort()
    expect(await waiting).toBe('HTTP_ERROR')
    started[0]?.end(ANSWER)
    await settled()
    expect(projects()).toEqual(['a', 'd', 'c'])
  })

  test('one who left before is never started', async () => {
    const { run, started } = pool()
    expect(await run('a', AbortSignal.abort())).toBeNull()
    void run('b')
    void run('c')
    await settled()
    expect(started).toHaveLength(2)
  })

  test('the end of the server kills what runs, refuses what waits, and starts nothing more', async () => {
    const { runs, run, started } = pool()
    const all = ['a', 'b', 'c'].map((project) => run(project).catch(codeOf))
    await settled()
    runs.drain()
    expect(await Promise.all(all)).toEqual(Array.from({ length: 3 }, () => 'DATABASE_UNAVAILABLE'))
    expect(started.map(({ isKilled }) => isKilled)).toEqual([true, true])
    expect(await run('d').catch(codeOf)).toBe('DATABASE_UNAVAILABLE')
    expect(started).toHaveLength(2)
    await runs.close()
  })

  test('a query that cannot be started gives its place back', async () => {
    let count = 0
    const runs = new RunPool(QUERY_LIMITS, () => {
      count++
      throw new Error('no processes')
    })
    const request = {
      sql: 'x',
      parameters: [],
      projectId: 'a',
      now: 1,
      timezone: 'UTC',
      database: { kind: 'file', path: '/x' },
    } as const
    for (let index = 0; index < 5; index++) expect(runs.run(request)).rejects.toThrow('no processes')
    await settled()
    expect(count).toBe(5)
  })
})
