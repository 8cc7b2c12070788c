import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import postgres from 'postgres'
import { Connection } from '../../src/base/db/connection'
import type { Dialect } from '../../src/base/db/tables'
import { type Cell, writeResult } from '../../src/insight/sql-editor/child/result'
import { type Compiled, compile } from '../../src/insight/sql-editor/compile/compile'
import { QUERY_LIMITS } from '../../src/insight/sql-editor/model'
import { loadParser } from '../../src/insight/sql-editor/parse'
import { Rejection } from '../../src/insight/sql-editor/rejection'
import { svc } from '../support/backup'
import { NOW, TEST_KEY } from '../support/context'
import { isPostgresRun } from '../support/postgres'
import { tempFolder } from '../support/process'
import { moreInRelease } from '../support/release'
import { FOREIGN, type SqlStage, sqlStage } from '../support/sql-editor'
import { FORMS } from '../support/sql-forms'
import { queries } from '../support/sql-queries'

// Random queries, compiled as in their process and run on a connection of the test: a process for each would take long.

/** More than any of the queries has. */
const MAX_ROWS = 100_000
const RUNS = Number(process.env.SVC_TEST_RUNS ?? moreInRelease(150, 400))

interface Engine {
  dialect: Dialect
  run(compiled: Compiled): Promise<unknown[][]>
  close(): Promise<void>
}

function openFile(path: string): Engine {
  const connection = new Connection(path, 50)
  connection.exec('PRAGMA case_sensitive_like = 1')
  return {
    dialect: 'sqlite',
    run: async ({ sql, values }) => connection.run(sql, [...values]),
    close: async () => connection.close(),
  }
}

function openServer(url: string): Engine {
  const client = postgres(url, { max: 1, prepare: false, onnotice: () => {} })
  return {
    dialect: 'postgres',
    run: async ({ sql, values }) => client.unsafe(sql, [...values]).values(),
    close: () => client.end(),
  }
}

let on: SqlStage
let parse: Awaited<ReturnType<typeof loadParser>>
let engine: Engine
/** Texts that only rows of the other project have. */
let foreign: string[]

beforeAll(async () => {
  on = await sqlStage()
  parse = await loadParser()
  const { database } = on.s.ctx.config
  if (database.kind !== 'file' && database.kind !== 'postgres') throw new Error('another database')
  engine = database.kind === 'file' ? openFile(database.path) : openServer(database.url)
  foreign = await idsOf(on.s.other.id)
})
afterAll(async () => {
  await engine.close()
  await on.s.close()
})

/** The ids of all rows of a project. */
async function idsOf(projectId: string): Promise<string[]> {
  const { db, tables: t } = on.s.ctx
  const rows = [
    ...(await db.select().from(t.subscribers)),
    ...(await db.select().from(t.purchases)),
    ...(await db.select().from(t.transactions)),
    ...(await db.select().from(t.events)),
    ...(await db.select().from(t.ledger)),
  ]
  return rows.filter((row) => row.projectId === projectId).map(({ id }) => id)
}

function compiled(sql: string, dialect = engine.dialect, projectId = on.s.project.id): Compiled | Rejection {
  try {
    return compile(parse(sql), { dialect, projectId, now: NOW, timezone: 'UTC', parameters: [], maxRows: MAX_ROWS })
  } catch (error) {
    if (error instanceof Rejection) return error
    throw error
  }
}

/** Numbers that do not fit. Both databases refuse these, though not always at the same row. */
const OVERFLOW = /overflow|out of range/i

test('an accepted query runs, and shows nothing of another project', async () => {
  const seen = { accepted: 0, refused: 0, overflowed: 0, rows: 0 }
  await fc.assert(
    fc.asyncProperty(queries(), async (sql) => {
      const found = compiled(sql)
      if (found instanceof Rejection) {
        seen.refused++
        expect(['syntax', 'memory']).toContain(found.reason)
        return
      }
      seen.accepted++
      const rows = await engine.run(found).catch((error: Error) => {
        if (!OVERFLOW.test(error.message)) throw new Error(`${error.message}: ${found.sql}`)
        seen.overflowed++
        return []
      })
      seen.rows += rows.length
      const text = JSON.stringify(rows)
      // The queries themselves say "foreign" in full; rows have it only in what it is part of.
      for (const part of [...foreign, `${FOREIGN}@`, `${FOREIGN} 50`, `_${FOREIGN}`, `${FOREIGN}_`, on.s.other.id])
        expect(text.includes(part)).toBe(false)
    }),
    { numRuns: RUNS },
  )
  expect(seen.accepted).toBeGreaterThan(RUNS / 2)
  expect(seen.rows).toBeGreaterThan(RUNS)
  expect(seen.overflowed).toBeLessThan(RUNS / 4)
}, 600_000)

test('the forms that people write run', async () => {
  for (const sql of FORMS) expect([sql, typeof (await answer(engine, sql))]).toEqual([sql, 'object'])
})

test('the other project would show these texts', async () => {
  const found = compiled('select * from subscribers', engine.dialect, on.s.other.id)
  if (found instanceof Rejection) throw found
  expect(JSON.stringify(await engine.run(found))).toContain(`${FOREIGN}@`)
})

/** The rows as an answer has them, in an order of their own: most of the queries name none. */
async function answer(on: Engine, sql: string): Promise<string[] | string> {
  const found = compiled(sql, on.dialect)
  if (found instanceof Rejection) return found.message
  const rows = (await on.run(found)) as Cell[][]
  const { text } = writeResult(found, rows, { ...QUERY_LIMITS, rows: MAX_ROWS }, 1)
  return (JSON.parse(text).rows as unknown[]).map((row) => JSON.stringify(row)).sort()
}

// The rows of PostgreSQL are copied to a file, so that one run has both databases.
test.skipIf(!isPostgresRun())(
  'both databases give the same answers, and the same refusals',
  async () => {
    const { path: folder, remove } = tempFolder()
    const { database } = on.s.ctx.config
    const env = { SVC_MASTER_KEY: TEST_KEY, SVC_DATA_DIR: folder }
    const at = { ...env, SVC_DATABASE_URL: database.kind === 'postgres' ? database.url : '' }
    expect(await svc(['backup', `${folder}/x.gz`], at)).toMatchObject({ code: 0 })
    expect(await svc(['restore', `${folder}/x.gz`], env)).toMatchObject({ code: 0 })
    const file = openFile(`${folder}/svc.db`)
    try {
      const unlimited = queries().filter((sql) => !sql.includes('limit'))
      const isSame = async (sql: string) => expect(await answer(engine, sql)).toEqual(await answer(file, sql))
      for (const sql of FORMS) await isSame(sql)
      await fc.assert(fc.asyncProperty(unlimited, isSame), { numRuns: RUNS })
    } finally {
      await file.close()
      remove()
    }
  },
  600_000,
)

test('any text at all is a statement of the project or a refusal', () => {
  const word = fc.constantFrom(
    ...[
      'select',
      'from',
      'where',
      'purchases',
      'api_keys',
      'id',
      '*',
      '(',
      ')',
      ',',
      ';',
      "'",
      '"',
      '--',
      '/*',
      '*/',
      '$1',
    ],
    ...[
      'union',
      'with',
      'as',
      'pg_sleep(1)',
      'sqlite_master',
      'and',
      '=',
      '1',
      'null',
      'group by',
      '$$',
      '\\',
      '\u0000',
    ],
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(word, { maxLength: 30 }).map((words) => words.join(' ')),
        fc.string(),
      ),
      (text) => {
        const found = compiled(text)
        if (found instanceof Rejection) return
        expect(found.sql).not.toContain('api_keys')
        expect(found.sql).not.toContain('sqlite_master')
      },
    ),
    { numRuns: RUNS * 5 },
  )
})
