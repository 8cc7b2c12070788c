import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { QUERY_LIMITS } from '../../src/insight/sql-editor/model'
import { RunPool } from '../../src/insight/sql-editor/run-pool'
import type { Answer } from '../support/cast'
import { type ClickhouseServer, clickhouseMissing, startClickhouse } from '../support/clickhouse/server'
import { ENDLESS, GREEDY, SENT_HOSTILE } from '../support/hostile-sql'
import { FOREIGN, type SqlStage, sqlStage } from '../support/sql-editor'

// Texts that try to do harm where queries run in ClickHouse: each is refused with its reason before ClickHouse hears of it,
// none has rows of another project, and what is heavy is ended there too.

const missing = clickhouseMissing()
const MEGABYTE = 1024 * 1024

describe.skipIf(missing !== null)('with ClickHouse', () => {
  let server: ClickhouseServer
  let on: SqlStage
  beforeAll(async () => {
    server = await startClickhouse()
    on = await sqlStage({ SVC_ANALYTICS_URL: await server.create() })
    await on.s.ctx.state.analytics?.copyAll()
  }, 600_000)
  afterEach(() => limited({}))
  afterAll(async () => {
    await on.s.close()
    await server.stop()
  })

  const limited = (limits: Partial<Record<keyof typeof QUERY_LIMITS, number>>) => {
    on.s.ctx.state.sqlQueries = new RunPool({ ...QUERY_LIMITS, ...limits })
  }
  const expectRejected = ({ status, body }: Answer, reason: string) =>
    expect([status, body.error?.code, body.error?.details]).toEqual([400, 'QUERY_REJECTED', { reason }])

  test('every text is refused with its reason, or has only rows of its project', async () => {
    await server.statements()
    // One with U+0000 is no text for the route.
    const texts = SENT_HOSTILE.filter(([, sql]) => !sql.includes('\u0000'))
    const found: unknown[] = []
    for (const [reason, sql] of texts) {
      const { status, body } = await on.query(sql)
      if (reason !== 'NONE') found.push([sql, status, body.error?.details?.reason])
      else found.push([sql, status, JSON.stringify(body).includes(FOREIGN) ? 'FOREIGN' : undefined])
    }
    expect(found).toEqual(
      texts.map(([reason, sql]) => [sql, reason === 'NONE' ? 200 : 400, reason === 'NONE' ? undefined : reason]),
    )
    const told = (await server.statements()).filter((sql) => /^\s*(select|with)\b/i.test(sql))
    expect(told.length).toBeLessThanOrEqual(texts.filter(([reason]) => reason === 'NONE').length)
    expect(told.length).toBeGreaterThan(10)
    expect(told.join('\n')).not.toMatch(/api_keys|svc_migrations|system\.|passwd|sleep|drop table/i)
  }, 600_000)

  /** Whether ClickHouse got a query over events. */
  const hasReached = async () =>
    (await server.statements()).some((one) => /^\s*(select|with)\b/i.test(one) && /\bevents\b/.test(one))

  /** The engine does one thing after the other: it answers again only when it has ended what it did. */
  async function expectIdle(): Promise<void> {
    const running = "select count() from system.processes where query not like '%system.processes%'"
    expect(await server.query(running, on.s.ctx.config.analytics)).toEqual([[0]])
  }

  /** A busy machine can use up a short limit before the query has left for ClickHouse: then it is given a longer one. */
  async function askUntilReached(sql: string): Promise<void> {
    await server.statements()
    for (let timeMs = 3000; ; timeMs *= 2) {
      limited({ timeMs })
      expectRejected(await on.query(sql), 'timeout')
      if (await hasReached()) return
    }
  }

  describe('a query that would run for hours', () => {
    for (const [index, sql] of ENDLESS.entries())
      test(`number ${index + 1} is ended, there too`, async () => {
        await askUntilReached(sql)
        await expectIdle()
        limited({})
        expect(await on.rows('select 1')).toEqual([[1]])
      }, 600_000)
  })

  describe('a query that takes more and more memory', () => {
    for (const [index, sql] of GREEDY.entries())
      test(`number ${index + 1} is ended, there too`, async () => {
        limited({ databaseBytes: 64 * MEGABYTE })
        await server.statements()
        const { status, body } = await on.query(sql)
        expect(await hasReached()).toBe(true)
        expect([status, body.error?.code]).toEqual([400, 'QUERY_REJECTED'])
        expect(['memory', 'timeout']).toContain(body.error.details.reason)
        await expectIdle()
        expect(await on.rows('select 1')).toEqual([[1]])
      }, 600_000)
  })

  test('a result of more rows or bytes than allowed is cut, or memory', async () => {
    const rows = 'events a, events b, events c, events d, events e'
    const { body } = await on.query(`select a.seq from ${rows}`)
    expect([body.data.rowCount, body.data.truncated]).toEqual([5000, true])
    limited({ bytes: MEGABYTE })
    expectRejected(await on.query(`select a.data, a.after, b.data from ${rows}`), 'memory')
    await expectIdle()
  }, 600_000)

  test('the other project has its own rows only', async () => {
    for (const table of [
      'subscribers',
      'purchases',
      'transactions',
      'events',
      'ledger',
      'exposures',
      'sessions',
      'deliveries',
    ]) {
      const text = JSON.stringify(await on.rows(`select * from ${table}`))
      expect([table, text.includes(FOREIGN)]).toEqual([table, false])
    }
    expect(JSON.stringify(await on.rows('select * from subscribers'))).toContain('own@example.com')
  })
})
