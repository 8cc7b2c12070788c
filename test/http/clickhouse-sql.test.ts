import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { Connection } from '../../src/base/db/connection'
import { isUnsupported, queryLimitsOf } from '../../src/insight/sql-editor/child/clickhouse'
import { type Cell, writeResult } from '../../src/insight/sql-editor/child/result'
import { type Compiled, compile } from '../../src/insight/sql-editor/compile/compile'
import type { QueryDialect } from '../../src/insight/sql-editor/compile/dialect'
import { QUERY_LIMITS } from '../../src/insight/sql-editor/model'
import { loadParser } from '../../src/insight/sql-editor/parse'
import { Rejection } from '../../src/insight/sql-editor/rejection'
import { equalAnswer } from '../support/clickhouse/equal'
import { type ClickhouseServer, clickhouseMissing, startClickhouse } from '../support/clickhouse/server'
import { NOW } from '../support/context'
import { isPostgresRun } from '../support/postgres'
import { moreInRelease } from '../support/release'
import { type SqlStage, sqlStage } from '../support/sql-editor'
import { FORMS } from '../support/sql-forms'
import { queries } from '../support/sql-queries'

// The same queries give the same answers in ClickHouse and in the file.

const missing = clickhouseMissing()
const RUNS = Number(process.env.SVC_TEST_RUNS ?? moreInRelease(50, 150))
const MAX_ROWS = 100_000

describe.skipIf(missing !== null || isPostgresRun())('SQL on ClickHouse', () => {
  let server: ClickhouseServer
  let on: SqlStage
  let parse: Awaited<ReturnType<typeof loadParser>>
  let file: Connection
  beforeAll(async () => {
    server = await startClickhouse()
    on = await sqlStage({ SVC_ANALYTICS_URL: await server.create() })
    await on.s.ctx.state.analytics?.copyAll()
    parse = await loadParser()
    const { database } = on.s.ctx.config
    if (database.kind !== 'file') throw new Error('another database')
    file = new Connection(database.path, 50)
    file.exec('PRAGMA case_sensitive_like = 1')
  }, 600_000)
  afterAll(async () => {
    file.close()
    await on.s.close()
    await server.stop()
  })

  function compiled(sql: string, dialect: QueryDialect): Compiled | Rejection {
    try {
      return compile(parse(sql), {
        dialect,
        projectId: on.s.project.id,
        now: NOW,
        timezone: 'UTC',
        parameters: [],
        maxRows: MAX_ROWS,
      })
    } catch (error) {
      if (error instanceof Rejection) return error
      throw error
    }
  }

  async function answer(sql: string, dialect: QueryDialect): Promise<string[] | string> {
    const found = compiled(sql, dialect)
    if (found instanceof Rejection) return found.message
    try {
      const rows = dialect === 'sqlite' ? file.run(found.sql, [...found.values]) : await inClickhouse(found)
      const { text } = writeResult(found, rows as Cell[][], { ...QUERY_LIMITS, rows: MAX_ROWS }, 1)
      return (JSON.parse(text).rows as unknown[]).map((row) => JSON.stringify(row)).sort()
    } catch (error) {
      const { cause, code } = error as { cause?: { code?: unknown }; code?: unknown }
      const told = `${cause instanceof Error ? cause.message : ''} ${error instanceof Error ? error.message : ''}`
      if (/overflow|out of range/i.test(told) || /^(70|153|407)$/.test(String(code))) return 'overflow'
      if (dialect === 'clickhouse' && isUnsupported(error)) return `unsupported: ${told.slice(0, 200)}`
      return `failed: ${told.slice(0, 300)}`
    }
  }

  const inClickhouse = ({ sql, values }: Compiled): Promise<unknown[][]> => {
    const { analytics } = on.s.ctx.state
    if (!analytics) throw new Error('no ClickHouse')
    return analytics.client.query(sql, values, queryLimitsOf(QUERY_LIMITS))
  }

  /** ClickHouse cannot run the statement; then the database itself runs it. */
  const UNSUPPORTED = /^unsupported/

  test('the forms that people write', async () => {
    let unsupported = 0
    for (const sql of FORMS) {
      const found = await answer(sql, 'clickhouse')
      if (typeof found === 'string' && UNSUPPORTED.test(found)) unsupported++
      else expect([sql, found]).toEqual([sql, await answer(sql, 'sqlite')])
    }
    expect(unsupported).toBeLessThan(8)
  }, 600_000)

  test.each([
    'select 1 in (select null::int), 1 not in (select null::int), null::int in (select 1), null::int in (select 1 where false)',
    'select 1 in (2, null), 1 not in (2, null), 1 in (1, null), null::int in (1, 2), 2 not in (1, 3)',
    "select count(*) from subscribers where app_user_id not in (select attributes ->> 'country' from subscribers)",
    "select null and false, null or true, not null::boolean, 'a' || null, coalesce(null, 1), nullif(1, 1)",
    'select sum(amount_micros), avg(amount_micros), max(kind), count(*) from transactions where false',
    'select 7 / 2, -7 / 2, 7 % 3, -7 % 3, 7 / 2.0, 1 / 0, 1 / 0.0, 2147483647 + 1, 10 * 3 - 4 + 1, 2 - 3 - 4',
    'select round(2.5), round(-2.5), round(1.005, 2), round(2.675, 2), floor(-1.5), ceil(1.1), abs(-2.5), abs(-7), 2.9::int',
    'select 9007199254740993 = 9007199254740992, 9007199254740993 + 0 > 9007199254740992, 9223372036854775807',
    "select 'Pro' like 'p%', 'Pro' ilike 'p%', '50%_x' like '50\\%\\_x', 'É' ilike 'é', 'a.b' like 'a.b', 'ab' like 'a\\b'",
    "select occurred_at at time zone 'Europe/Berlin', local_day(occurred_at), null::timestamp at time zone 'Asia/Tokyo' from transactions order by id",
    "select length('é€x'), substr('é€x', 2, 1), left('é€x', 2), strpos('aé€x', '€'), upper('aé'), btrim('  x ')",
    "select x from (select 'b' as x union all select 'B' union all select null union all select 'é') t order by x desc",
    "select date_trunc('month', occurred_at), date_trunc('week', occurred_at), date_trunc('year', occurred_at), extract(doy from occurred_at), extract(dow from occurred_at), to_char(occurred_at, 'YYYY-MM-DD HH24:MI:SS') from transactions order by id",
    'select * from subscribers order by id',
    'select * from purchases order by id',
    'select * from transactions order by id',
    'select * from events order by id',
    'select * from ledger order by id',
    'select * from exposures order by 1, 2',
    'select * from sessions order by occurred_at, type',
    'select * from funnel_sessions',
    'select * from deliveries order by id',
  ])('%s', async (sql) => {
    const found = await answer(sql, 'clickhouse')
    expect(typeof found).not.toBe('string')
    expect(found).toEqual(await answer(sql, 'sqlite'))
  })

  test('what does not fit into 64 bits is refused, and never a smaller number', async () => {
    for (const sql of [
      'select 9223372036854775807 + 1',
      'select 9223372036854775807 * 3',
      'select sum(x) from (select 9223372036854775807 as x union all select 1) t',
    ])
      expect([sql, await answer(sql, 'clickhouse')]).toEqual([sql, 'overflow'])
  })

  test('run there through the API, and what ClickHouse cannot run gives the same answer', async () => {
    await server.statements()
    const [[count] = []] = await on.rows('select count(*) from transactions')
    expect((await server.statements()).some((sql) => sql.includes('from transactions as m'))).toBe(true)
    expect(count).toBe(3)
    const rows = await on.rows(
      'select p.store, (select count(*) from transactions t where t.purchase_id = p.id) from purchases p order by 1, 2',
    )
    expect(rows.map(([, found]) => found)).toEqual([1, 1, 1])
  })

  test('charts of sessions and deliveries, with their rows', async () => {
    const member = on.team.as('CUSTOMER_SUPPORT')
    const window = 'from=2026-11-10&to=2026-11-30'
    for (const id of [
      'sessions',
      'play-time',
      'active-users',
      'weekly-active-users',
      'stickiness',
      'webhook-success',
    ]) {
      await equalAnswer(on.s, member, `/charts/${id}?${window}&grain=day`)
      await equalAnswer(on.s, member, `/charts/${id}/rows?start=2026-11-10&to=2026-11-30&grain=total`)
    }
    const { body } = await equalAnswer(on.s, member, `/charts/sessions?${window}&grain=total`)
    expect(body.data.totals.value).toBe(2)
  })

  test('have every row that was committed before', async () => {
    const before = await on.rows('select distinct currency from ledger order by 1')
    expect(before.length).toBeGreaterThan(0)
    const { virtualCurrencies: v } = on.s.ctx.tables
    await on.s.ctx.write(({ db }) => db.update(v).set({ code: sql`${v.code} || '2'` }))
    const after = await on.rows('select distinct currency from ledger order by 1')
    expect(after).toEqual(before.map(([code]) => [`${code}2`]))
  })

  test('refuse what the others refuse, and end at the limit of time', async () => {
    for (const sql of [
      'select * from system.users',
      "select file('/etc/passwd')",
      "select * from url('http://x', CSV, 'a String')",
    ])
      expect((await on.query(sql)).status).toBe(400)
    for (const fault of ['garbage', 'nonsense'] as const) {
      await server.fail(fault)
      const { status, body, headers } = await on.query('select count(*) from transactions')
      await server.fail('')
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'ANALYTICS_UNREACHABLE', '5'])
    }
  }, 600_000)

  test('random queries', async () => {
    const seen = { same: 0, unsupported: 0, overflowed: 0 }
    await fc.assert(
      fc.asyncProperty(queries(), async (sql) => {
        const [copied, own] = [await answer(sql, 'clickhouse'), await answer(sql, 'sqlite')]
        if (typeof copied === 'string' && UNSUPPORTED.test(copied)) {
          seen.unsupported++
          if (process.env.SHOW) console.log(copied)
        } else if (copied === 'overflow' || own === 'overflow') seen.overflowed++
        else {
          expect([sql, copied]).toEqual([sql, own])
          seen.same++
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
    if (process.env.SHOW) console.log(seen)
    expect(seen.same).toBeGreaterThan(RUNS / 2)
  }, 600_000)
})
