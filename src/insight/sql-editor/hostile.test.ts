import { beforeAll, expect, test } from 'bun:test'
import { HOSTILE } from '../../../test/support/hostile-sql'
import { compile } from './compile/compile'
import { loadParser } from './parse'
import { Rejection } from './rejection'

let parse: Awaited<ReturnType<typeof loadParser>>
beforeAll(async () => {
  parse = await loadParser()
})

const PROJECT = 'prj_marker'

/** The statement, or the reason for which the query is refused. */
function outcome(sql: string, dialect: 'sqlite' | 'postgres' | 'clickhouse') {
  try {
    return compile(parse(sql), {
      dialect,
      projectId: PROJECT,
      now: 1_795_000_000_000,
      timezone: 'UTC',
      parameters: [],
      maxRows: 10,
    })
  } catch (error) {
    if (error instanceof Rejection) return error.reason
    throw error
  }
}

test('there are at least 200 texts, and none twice', () => {
  expect(new Set(HOSTILE.map(([, sql]) => sql)).size).toBe(HOSTILE.length)
  expect(HOSTILE.length).toBeGreaterThan(200)
})

for (const [reason, sql] of HOSTILE)
  test(`${reason}: ${sql.slice(0, 100)}`, () => {
    for (const dialect of ['sqlite', 'postgres', 'clickhouse'] as const) {
      const found = outcome(sql, dialect)
      expect(typeof found === 'string' ? found : 'NONE').toBe(reason)
    }
  })

test('no text of a query reaches the statement, and every table of it is of the project', () => {
  const marker = 'zz9marker'
  const sql = `with "${marker}a" as (select id as "${marker}b", '${marker}c' as "${marker}d" from purchases as "${marker}e")
    select "${marker}f"."${marker}b" as "${marker}g", $1 from "${marker}a" as "${marker}f" where "${marker}d" like '${marker}%'`
  for (const dialect of ['sqlite', 'postgres'] as const) {
    const target = { dialect, projectId: PROJECT, now: 1, timezone: 'UTC', parameters: [`${marker}h`], maxRows: 10 }
    const { sql: written, values, columns } = compile(parse(sql), target)
    expect(written).not.toContain(marker)
    expect(values).toEqual(expect.arrayContaining([PROJECT, `${marker}c`, `${marker}h`, `${marker}%`]))
    expect(columns[0]?.name).toBe(`${marker}g`)
    expect(written).toContain(dialect === 'sqlite' ? 'p.project_id = ?' : 'p.project_id = cast($')
  }
})

test('a refusal names the line and the column', () => {
  const positions: [sql: string, location: string][] = [
    ['select 1\nfrom   api_keys', '"api_keys"'],
    ['select id,\n  évil(id)\nfrom purchases', 'évil'],
  ]
  for (const [sql, word] of positions) {
    let location: number | undefined
    try {
      compile(parse(sql), {
        dialect: 'sqlite',
        projectId: PROJECT,
        now: 1,
        timezone: 'UTC',
        parameters: [],
        maxRows: 10,
      })
    } catch (error) {
      location = (error as Rejection).location
    }
    expect(Buffer.from(sql).subarray(location).toString().startsWith(word.replaceAll('"', ''))).toBe(true)
  }
})
