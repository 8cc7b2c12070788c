import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { VIEWS } from '../../src/insight/sql-editor/views/views'
import type { Answer } from '../support/cast'
import { SENT_HOSTILE } from '../support/hostile-sql'
import { auditRows } from '../support/operator'
import { FOREIGN, type SqlStage, sqlStage } from '../support/sql-editor'
import { staff } from '../support/staff'

let on: SqlStage
beforeAll(async () => {
  on = await sqlStage()
})
afterAll(() => on.s.close())

const dev = () => on.team.as('DEVELOPER')
const save = (body: unknown = { name: 'Revenue', sql: 'select 1' }) => dev().post('/queries', body)
const saved = () => on.s.ctx.db.select().from(on.s.ctx.tables.savedQueries)
const audited = async () => (await auditRows(on.s)).length

function expectRefused({ status, body }: Answer, code: string, expected = 400, details?: object): void {
  expect([status, body.error?.code]).toEqual([expected, code])
  if (details) expect(body.error.details).toEqual(details)
}

describe('the schema', () => {
  test('has the nine tables with the names and types of their columns', async () => {
    const { tables, functions } = (await dev().get('/queries/schema')).body.data
    expect(tables.map(({ name }: { name: string }) => name)).toEqual([
      ...['subscribers', 'purchases', 'transactions', 'events', 'ledger', 'exposures', 'sessions', 'funnel_sessions'],
      'deliveries',
    ])
    for (const { columns, types } of tables) expect(columns.length).toBe(types.length)
    expect(functions).toEqual(expect.arrayContaining(['count', 'date_trunc', 'coalesce', 'row_number']))
  })

  test('has no keys, secrets or device keys', () => {
    const names = VIEWS.flatMap(({ columns }) => columns.map(({ name }) => name))
    const secret = /secret|sealed|hash|token|device|payload|signal|authorization|idempotency/
    expect(names.filter((name) => secret.test(name))).toEqual([])
  })
})

describe('a query', () => {
  test('every table shows the rows of the project with the types of the schema', async () => {
    const { tables } = (await dev().get('/queries/schema')).body.data
    for (const { name, columns, types } of tables) {
      const { status, body } = await on.query(`select * from ${name}`)
      expect([name, status]).toEqual([name, 200])
      expect(body.data).toMatchObject({ columns, types, truncated: false, rowCount: body.data.rows.length })
      expect([name, body.data.rowCount > 0]).toEqual([name, name !== 'funnel_sessions'])
      expect(JSON.stringify(body)).not.toContain(FOREIGN)
      expect(JSON.stringify(body)).not.toContain(on.s.other.id)
    }
  })

  test('answers with the headers of JSON, its limit, and nothing more', async () => {
    const { headers, body } = await on.query('select 1 as one')
    expect(Object.keys(body.data)).toEqual(['columns', 'types', 'rows', 'rowCount', 'truncated', 'elapsedMs'])
    expect(body.data).toMatchObject({ columns: ['one'], types: ['integer'], rows: [[1]], rowCount: 1 })
    expect(headers.get('content-type')).toContain('application/json')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-ratelimit-limit')).toBe('30')
  })

  test('of another project is answered by that project alone', async () => {
    const theirs = staff(on.s)
    theirs.sessions.roles.set(`usr_developer ${on.s.other.id}`, 'DEVELOPER')
    const sql = "select attributes ->> '$email' from subscribers where attributes ->> 'country' = 'TR'"
    const of = (projectId: string) => theirs.as('DEVELOPER').post('/queries/execute', { sql }, { projectId })
    expect((await of(on.s.project.id)).body.data.rows).toEqual([['own@example.com']])
    expect((await of(on.s.other.id)).body.data.rows).toEqual([[`${FOREIGN}@example.com`]])
  })

  test('parameters are values', async () => {
    const sql = 'select $1 as a, $2 as b, $3 as c, $4 as d, $5 as e where $1 = $1'
    expect(await on.rows(sql, ["'; drop table purchases; --", 5, 2.5, true, null])).toEqual([
      ["'; drop table purchases; --", 5, 2.5, true, null],
    ])
    const by = (country: string) =>
      on.rows("select count(*) from subscribers where attributes ->> 'country' = $1", [country])
    expect([await by('TR'), await by("TR' or '1' = '1")]).toEqual([[[1]], [[0]]])
    expect(await on.rows('select count(*) from events where occurred_at > $1 limit $2', ['2026-11-19', 1])).not.toEqual(
      [[0]],
    )
  })

  test('an Idempotency-Key does not keep the answer: the query runs again', async () => {
    const headers = { 'idempotency-key': 'one' }
    const count = () => dev().post('/queries/execute', { sql: 'select now() as at' }, { headers })
    const first = await count()
    on.s.ctx.clock.advance(MINUTE)
    const second = await count()
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body.data.rows).not.toEqual(first.body.data.rows)
  })

  test('nothing is audited and nothing is written', async () => {
    const before = await audited()
    await on.query('select count(*) from events')
    expect(await audited()).toBe(before)
  })
})

describe('a refused query', () => {
  for (const [reason, sql] of SENT_HOSTILE)
    test(`${reason}: ${sql.slice(0, 80)}`, async () => {
      const answer = await on.query(sql)
      if (reason === 'NONE') {
        expect(answer.status).toBe(200)
        expect(JSON.stringify(answer.body)).not.toContain(FOREIGN)
      } else expectRefused(answer, 'QUERY_REJECTED', 400, { reason })
    })

  test('says where', async () => {
    const { body } = await on.query('select id\nfrom api_keys')
    expect(body.error.message).toMatch(/^There is no table "api_keys"; there are subscribers, .*\(line 2, column 6\)$/)
  })

  const refuse = (name: string, body: unknown) =>
    test(name, async () => {
      on.s.ctx.clock.advance(MINUTE)
      expectRefused(await dev().post('/queries/execute', body), 'VALIDATION_ERROR')
    })
  refuse('no text', {})
  refuse('an empty text', { sql: '' })
  refuse('a text of more than 20,000 characters', { sql: `select ${'1'.padStart(20_000)}` })
  refuse('a text that is a number', { sql: 5 })
  refuse('another member', { sql: 'select 1', project: 'x' })
  refuse('parameters by name', { sql: 'select 1', parameters: { a: 1 } })
  refuse('a parameter that is an object', { sql: 'select 1', parameters: [{}] })
  refuse('more than 100 parameters', { sql: 'select 1', parameters: Array.from({ length: 101 }, () => 1) })

  test('the thirty-first of a minute is RATE_LIMITED, for this user only', async () => {
    on.s.ctx.clock.advance(MINUTE + 1)
    for (let index = 0; index < 30; index++)
      await on.s.ctx.state.limits.hit('sql-editor', 'usr_developer', 30, on.s.ctx.clock.now())
    const refused = await dev().post('/queries/execute', { sql: 'select 1' })
    expectRefused(refused, 'RATE_LIMITED', 429)
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await on.team.as('OWNER').post('/queries/execute', { sql: 'select 1' })).status).toBe(200)
    on.s.ctx.clock.advance(MINUTE + 1)
  })

  test('analytics that is switched off is ANALYTICS_UNAVAILABLE, and no process starts', async () => {
    const off = await sqlStage({ SVC_ANALYTICS_URL: 'off' })
    try {
      expectRefused(await off.query('select 1'), 'ANALYTICS_UNAVAILABLE', 503)
      expect((await off.team.as('DEVELOPER').get('/queries/schema')).status).toBe(200)
    } finally {
      await off.s.close()
    }
  })
})

test('a remote database is FEATURE_NOT_CONFIGURED, because nothing could end its queries', async () => {
  const { config } = on.s.ctx
  const { database } = config
  on.s.ctx.clock.advance(MINUTE)
  try {
    config.database = { kind: 'remote', url: 'libsql://db.example.com', authToken: 'secret' }
    const refused = await on.query('select 1')
    expectRefused(refused, 'FEATURE_NOT_CONFIGURED', 503, { feature: 'sql_editor', reason: 'remote_database' })
    expect(JSON.stringify(refused.body)).not.toContain('example.com')
  } finally {
    config.database = database
  }
})

describe('a saved query', () => {
  test('is made, listed, changed and deleted, each with one row of the audit log', async () => {
    const before = await audited()
    const made = await save()
    expect([made.status, made.body.data]).toMatchObject([201, { name: 'Revenue', sql: 'select 1', revision: 1 }])
    const { id } = made.body.data
    expect(id).toMatch(/^qry_[0-9a-hjkmnp-tv-z]{26}$/)
    const changed = await dev().patch(`/queries/${id}`, { sql: 'not even a query' })
    expect(changed.body.data).toMatchObject({ name: 'Revenue', sql: 'not even a query', revision: 2 })
    expect((await dev().get('/queries')).body.data).toEqual({ items: [changed.body.data], nextCursor: null })
    expect((await dev().delete(`/queries/${id}`)).body).toEqual({ data: { deleted: true } })
    const rows = (await auditRows(on.s)).slice(before)
    expect(rows.map(({ action }) => action)).toEqual(['query.create', 'query.update', 'query.delete'])
    expect(rows[1]).toMatchObject({ before: { sql: 'select 1' }, after: { sql: 'not even a query' } })
    expectRefused(await dev().delete(`/queries/${id}`), 'NOT_FOUND', 404)
    expectRefused(await dev().patch(`/queries/${id}`, { name: 'x' }), 'NOT_FOUND', 404)
    expect(await saved()).toEqual([])
  })

  test('a change that changes nothing is not audited', async () => {
    const { id } = (await save()).body.data
    const before = await audited()
    const same = await dev().patch(`/queries/${id}`, { name: 'Revenue' })
    expect([same.body.data.revision, await audited()]).toEqual([1, before])
    await dev().delete(`/queries/${id}`)
  })

  test('another revision than that of If-Match is CONFLICT, and nothing changes', async () => {
    const { id } = (await save()).body.data
    await dev().patch(`/queries/${id}`, { name: 'Second' })
    const stale = { headers: { 'if-match': '"1"' } }
    for (const call of [dev().patch(`/queries/${id}`, { name: 'x' }, stale), dev().delete(`/queries/${id}`, stale)]) {
      const refused = await call
      expectRefused(refused, 'CONFLICT', 409)
      expect(refused.body.error.details).toMatchObject({ revision: 2 })
    }
    expect((await saved())[0]?.name).toBe('Second')
    expect((await dev().delete(`/queries/${id}`, { headers: { 'if-match': '"2"' } })).status).toBe(200)
  })

  test('of another project is NOT_FOUND', async () => {
    const row = { id: 'qry_foreign', projectId: on.s.other.id, name: 'x', sql: 'x', createdAt: 1, updatedAt: 1 }
    await on.s.ctx.write(({ db, tables }) => db.insert(tables.savedQueries).values(row))
    expectRefused(await dev().patch('/queries/qry_foreign', { name: 'y' }), 'NOT_FOUND', 404)
    expectRefused(await dev().delete('/queries/qry_foreign'), 'NOT_FOUND', 404)
    expect((await dev().get('/queries')).body.data.items).toEqual([])
    expect(await saved()).toMatchObject([{ name: 'x' }])
  })

  test('the two hundred and first is CONFLICT', async () => {
    const row = (number: number) => ({
      id: `qry_${String(number).padStart(26, '0')}`,
      projectId: on.s.project.id,
      name: 'x',
      sql: 'x',
      createdAt: 1,
      updatedAt: 1,
    })
    const { savedQueries } = on.s.ctx.tables
    await on.s.ctx.write(({ db }) => db.insert(savedQueries).values(Array.from({ length: 200 }, (_, n) => row(n))))
    expectRefused(await save(), 'CONFLICT', 409)
    const page = (await dev().get('/queries?limit=150')).body.data
    const rest = (await dev().get(`/queries?limit=150&cursor=${page.nextCursor}`)).body.data
    expect([page.items.length, rest.items.length, rest.nextCursor]).toEqual([150, 50, null])
    expect(page.items[0].id > page.items[1].id).toBe(true)
  })

  const refuse = (name: string, body: unknown) =>
    test(`${name} is refused`, async () => expectRefused(await save(body), 'VALIDATION_ERROR'))
  refuse('no name', { sql: 'select 1' })
  refuse('an empty name', { name: '', sql: 'select 1' })
  refuse('a long name', { name: 'x'.repeat(256), sql: 'select 1' })
  refuse('no text', { name: 'x' })
  refuse('a long text', { name: 'x', sql: 'x'.repeat(20_001) })
  refuse('another member', { name: 'x', sql: 'x', id: 'qry_1' })
})

describe('who', () => {
  const CALLS: [method: string, path: string, body?: unknown][] = [
    ['GET', '/queries/schema'],
    ['GET', '/queries'],
    ['POST', '/queries', { name: 'x', sql: 'x' }],
    ['PATCH', '/queries/qry_1', { name: 'x' }],
    ['DELETE', '/queries/qry_1'],
    ['POST', '/queries/execute', { sql: 'select 1' }],
  ]
  for (const [method, path, body] of CALLS)
    test(`${method} ${path}: growth people and support people may not`, async () => {
      for (const role of ['GROWTH', 'CUSTOMER_SUPPORT'] as const)
        expectRefused(await on.team.as(role).call(method, path, body), 'ROLE_REQUIRED', 403)
      expectRefused(await on.team.as('STRANGER').call(method, path, body), 'NOT_FOUND', 404)
    })
})
