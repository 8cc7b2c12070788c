import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Connection } from '../../src/base/db/connection'
import { isUnsupported, queryLimitsOf } from '../../src/insight/sql-editor/child/clickhouse'
import { type Cell, writeResult } from '../../src/insight/sql-editor/child/result'
import { type Compiled, compile } from '../../src/insight/sql-editor/compile/compile'
import type { QueryDialect } from '../../src/insight/sql-editor/compile/dialect'
import { QUERY_LIMITS } from '../../src/insight/sql-editor/model'
import { loadParser } from '../../src/insight/sql-editor/parse'
import { Rejection } from '../../src/insight/sql-editor/rejection'
import { type ClickhouseServer, clickhouseMissing, startClickhouse } from '../support/clickhouse/server'
import { NOW } from '../support/context'
import { isPostgresRun } from '../support/postgres'
import { type SqlStage, sqlStage } from '../support/sql-editor'
import { FORMS } from '../support/sql-forms'
import { queries } from '../support/sql-queries'

// The same queries give the same answers in ClickHouse and in the file.

const missing = clickhouseMissing()
const RUNS = Number(process.env.SVC_TEST_RUNS ?? 150)
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
  }, 60_000)
  afterAll(async () => {
    file.close()
    await on.s.close()
    await server.stop()
  })

  function compiled(sql: string, dialect: QueryDialect): Compiled | Rejection {
    try {
      return compile(parse(sql), { dialect, projectId: on.s.project.id, now: NOW, parameters: [], maxRows: MAX_ROWS })
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
  }, 60_000)

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
      { numRuns: RUNS },
    )
    if (process.env.SHOW) console.log(seen)
    expect(seen.same).toBeGreaterThan(RUNS / 2)
  }, 120_000)
})
