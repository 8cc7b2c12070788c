import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import postgres from 'postgres'
import { Connection } from '../../src/base/db/connection'
import { type Compiled, compile } from '../../src/insight/sql-editor/compile/compile'
import { loadParser } from '../../src/insight/sql-editor/parse'
import { Rejection } from '../../src/insight/sql-editor/rejection'
import { FOREIGN, type SqlStage, sqlStage } from '../support/sql-editor'
import { queries } from '../support/sql-queries'

// Random queries, compiled as in their process and run on a connection of the test: a process for each would take long.

const RUNS = Number(process.env.SVC_TEST_RUNS ?? 400)

let on: SqlStage
let parse: Awaited<ReturnType<typeof loadParser>>
let run: (compiled: Compiled) => Promise<unknown[][]>
let close: () => Promise<void>
/** Texts that only rows of the other project have. */
let foreign: string[]

beforeAll(async () => {
  on = await sqlStage()
  parse = await loadParser()
  const { database } = on.s.ctx.config
  if (database.kind === 'postgres') {
    const client = postgres(database.url, { max: 1, prepare: false, onnotice: () => {} })
    run = async ({ sql, values }) => client.unsafe(sql, [...values]).values()
    close = () => client.end()
  } else if (database.kind === 'file') {
    const connection = new Connection(database.path, 50)
    connection.exec('PRAGMA case_sensitive_like = 1')
    run = async ({ sql, values }) => connection.run(sql, [...values])
    close = async () => connection.close()
  }
  foreign = await idsOf(on.s.other.id)
})
afterAll(async () => {
  await close()
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

const compiled = (sql: string): Compiled | Rejection => {
  const dialect = on.s.ctx.storage.driver === 'postgres' ? 'postgres' : 'sqlite'
  try {
    return compile(parse(sql), {
      dialect,
      projectId: on.s.project.id,
      now: on.s.ctx.clock.now(),
      parameters: [],
      maxRows: 500,
    })
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
      const rows = await run(found).catch((error: Error) => {
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
}, 120_000)

test('the other project would show these texts', async () => {
  const other = compile(parse('select * from subscribers'), {
    dialect: on.s.ctx.storage.driver === 'postgres' ? 'postgres' : 'sqlite',
    projectId: on.s.other.id,
    now: 1,
    parameters: [],
    maxRows: 10,
  })
  expect(JSON.stringify(await run(other))).toContain(`${FOREIGN}@`)
})

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
