import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { queryCommand } from '../../src/insight/sql-editor/command'
import { runBeside, runWithInput } from '../support/command'
import { listen, machineEnv, type RemoteServer, runWith } from '../support/remote-command'
import { type SqlStage, sqlStage } from '../support/sql-editor'

let on: SqlStage
let server: RemoteServer
beforeAll(async () => {
  on = await sqlStage()
  server = listen(on.s)
})
afterAll(async () => {
  await server.close()
  await on.s.close()
})

const P = ['--project', 'project-1']
const SQL = 'select product_identifier, amount_micros, null as nothing from transactions order by 2'
const here = (...args: string[]) => runWith(on.s, ['query', ...args, ...P], { env: machineEnv(on.s) })
const there = (...args: string[]) =>
  runWith(on.s, ['query', ...args, ...P], { env: { SVC_URL: server.url, SVC_TOKEN: server.tokenOf('DEVELOPER') } })

describe.each([
  ['on the machine', here],
  ['on a server', there],
] as const)('%s', (_place, run) => {
  test('a table', async () => {
    const { code, out, err } = await run(SQL)
    expect([code, err]).toEqual([0, ''])
    expect(out.split('\n').map((line) => line.trimEnd())).toEqual([
      'product_identifier  amount_micros  nothing',
      'coins_100           990000',
      'pro_monthly         9990000',
      'pro_yearly          79990000',
    ])
  })

  test('CSV, in which nothing is a formula and every digit is there', async () => {
    const sql = `select '=1+1' as a, 'x,"y"' as b, 9223372036854775807 as c, true as d, null as e`
    const { out } = await run(sql, '--format', 'csv')
    expect(out.split('\n')).toEqual(['a,b,c,d,e', `'=1+1,"x,""y""",9223372036854775807,true,`])
  })

  test('JSON, in both spellings', async () => {
    for (const more of [['--json'], ['--format', 'json']]) {
      const { code, out } = await run('select 9223372036854775807 as most', ...more)
      expect([code, out]).toEqual([0, expect.stringContaining('"rows":[[9223372036854775807]]')])
      expect(JSON.parse(out)).toMatchObject({ columns: ['most'], types: ['integer'], rowCount: 1, truncated: false })
    }
  })

  test('parameters', async () => {
    const { out } = await run('select $1 as a, 1 = $2 as b', '--param', "it's; --", '--param', '1', '--json')
    expect(JSON.parse(out).rows).toEqual([["it's; --", true]])
  })

  test('a refusal says its reason and where, exits with 1, and prints no rows', async () => {
    const { code, out, err } = await run('select * from api_keys')
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/There is no table "api_keys".*line 1, column 15/)
    const json = await run('select pg_sleep(1)', '--json')
    expect([json.code, JSON.parse(json.out).error]).toMatchObject([
      1,
      { code: 'QUERY_REJECTED', details: { reason: 'forbidden_function' } },
    ])
  })

  test('more rows than an answer has are told on stderr', async () => {
    const { code, out, err } = await run(
      'select a.seq from events a, events b, events c, events d, events e, events f',
      '--json',
    )
    expect([code, JSON.parse(out).rowCount, err]).toEqual([0, 5000, 'There are more rows; these are the first 5000.'])
  })
})

test('a query can be piped in', async () => {
  const piped = await runWithInput(on.s, queryCommand, 'select 1 as one\n', '-', ...P)
  expect([piped.code, piped.out]).toEqual([0, 'one\n1'])
})

describe('wrong usage', () => {
  for (const [name, args, told] of [
    ['no query', [], 'one query, in quotes'],
    ['two queries', ['select 1', 'select 2'], 'one query, in quotes'],
    ['an empty query', [' '], 'not an empty text'],
    ['nothing piped in', ['-'], 'not an empty text'],
    ['a long query', [`select ${'1'.padStart(20_000)}`], 'at most 20000 characters'],
    ['another format', ['select 1', '--format', 'xml'], '--format takes table, csv, json'],
    ['two formats', ['select 1', '--format', 'csv', '--json'], 'exclude each other'],
    ['another option', ['select 1', '--write'], '--write'],
  ] as const)
    test(name, async () => {
      const { code, err } = await runBeside(on.s, queryCommand, ...args)
      expect([code, err]).toEqual([2, expect.stringContaining(told)])
    })

  test('a project that is not there', async () => {
    const { code, err } = await runBeside(on.s, queryCommand, 'select 1', '--project', 'nobody')
    expect([code, err]).toEqual([1, expect.stringContaining('nobody')])
  })
})
