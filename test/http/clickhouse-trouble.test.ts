import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq, ne } from 'drizzle-orm'
import type { AnalyticsConfig } from '../../src/base/config'
import { Clickhouse } from '../../src/insight/clickhouse/client'
import { analyticsCommand } from '../../src/insight/clickhouse/command'
import { clickhouseColumns, MIRRORED, mirrorTables, tableNameOf } from '../../src/insight/clickhouse/mirror'
import { Mirror } from '../../src/insight/clickhouse/mirror-state'
import { forgetMirror } from '../../src/insight/clickhouse/prepare'
import { svc } from '../support/backup'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { equalAnswer } from '../support/clickhouse/equal'
import { type ClickhouseServer, clickhouseMissing, startClickhouse } from '../support/clickhouse/server'
import { runBeside } from '../support/command'
import { TEST_KEY } from '../support/context'
import { personOf } from '../support/erased'
import { refund, rowOf } from '../support/facts'
import { type StaffCalls, staff } from '../support/staff'
import { postEvent } from '../support/telemetry'

// ClickHouse that dies, hangs, answers nonsense or refuses: no figure is ever wrong, and nothing else waits for it.

const missing = clickhouseMissing()

describe.skipIf(missing !== null)('ClickHouse', () => {
  let server: ClickhouseServer
  let url: string
  let s: Stage
  let member: StaffCalls
  beforeAll(async () => {
    server = await startClickhouse()
  }, 600_000)
  afterAll(() => server.stop())
  beforeEach(async () => {
    url = await server.create()
    s = await stage({ env: { SVC_ANALYTICS_URL: url } })
    member = staff(s).as('CUSTOMER_SUPPORT')
  })
  afterEach(async () => {
    await server.fail('')
    await s.close()
  })

  const mirror = () => {
    const { analytics } = s.ctx.state
    if (!analytics) throw new Error('no ClickHouse')
    return analytics
  }
  const copied = (sql: string) => server.query(sql, s.ctx.config.analytics)
  const entries = async () => Number((await copied('select count() from figure_entries final'))[0]?.[0])
  const own = () => s.ctx.db.$count(s.ctx.tables.figureEntries)
  const QUERY = '/charts/revenue?environment=SANDBOX&grain=total&from=2026-11-01&to=2027-01-01'
  const gross = async () => (await equalAnswer(s, member, QUERY)).body.data.totals.gross
  const rest = () => Bun.sleep(1050) // A database that did not answer is left alone for a second.

  test('has a purchase in the first figure after it', async () => {
    await mirror().copyAll()
    expect(await gross()).toBe(0)
    const bought = s.buy(MONTHLY)
    expect((await s.receipt('svc_ada', bought)).status).toBe(200)
    expect(await gross()).toBe(9_990_000)
    await s.receipt('svc_ada', refund(s, bought))
    const { body } = await equalAnswer(s, member, QUERY)
    expect(body.data.totals).toEqual({ gross: 9_990_000, refunds: 9_990_000, net: 0 })
    expect(await entries()).toBe(await own())
    expect(await s.ctx.db.$count(s.ctx.tables.analyticsChanges)).toBe(0)
  })

  test('answers figures from the database itself until everything is copied', async () => {
    await server.statements()
    await s.receipt('svc_ada', s.buy(MONTHLY))
    expect((await member.get(QUERY)).body.data.totals.gross).toBe(9_990_000)
    expect((await server.statements()).some((sql) => sql.includes('"gross"') && sql.includes('sum('))).toBe(false)
    await mirror().copyAll()
    expect((await member.get(QUERY)).body.data.totals.gross).toBe(9_990_000)
    expect((await server.statements()).some((sql) => sql.includes('"gross"') && sql.includes('sum('))).toBe(true)
  })

  test.each(['half', 'late'] as const)(
    'that fails in the middle of a batch (%s) gets it again, and counts it once',
    async (fault) => {
      await mirror().copyAll()
      await s.receipt('svc_ada', s.buy(MONTHLY))
      await s.receipt('svc_bo', s.buy(MONTHLY))
      await server.fail(fault)
      const refused = await member.get(QUERY)
      expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
        503,
        'ANALYTICS_UNREACHABLE',
        '5',
      ])
      expect(await s.ctx.db.$count(s.ctx.tables.analyticsChanges)).toBeGreaterThan(0)
      await rest()
      expect(await gross()).toBe(2 * 9_990_000)
      expect(await entries()).toBe(await own())
      expect(Number((await copied('select count() from figure_entries'))[0]?.[0])).toBeGreaterThanOrEqual(await own())
    },
  )

  test('that fails in the middle of copying everything goes on there', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await server.fail('half')
    await expect(mirror().copyAll()).rejects.toThrow('does not answer')
    expect(await mirror().isFilling()).toBe(true)
    await rest()
    await mirror().copyAll()
    expect(await mirror().isFilling()).toBe(false)
    expect(await gross()).toBe(9_990_000)
  })

  test.each(['garbage', 'nonsense'] as const)('that answers %s is unreachable, and receipts go on', async (fault) => {
    await mirror().copyAll()
    await server.fail(fault)
    expect((await s.receipt('svc_ada', s.buy(MONTHLY))).status).toBe(200)
    for (const path of [QUERY, '/metrics/mrr', `/charts/revenue/rows?start=2026-11-20&value=net`]) {
      const { status, body, headers } = await member.get(path)
      expect([path, status, body.error.code, headers.get('retry-after')]).toEqual([
        path,
        503,
        'ANALYTICS_UNREACHABLE',
        '5',
      ])
      expect(JSON.stringify(body)).not.toContain('p@ss')
    }
    expect((await s.call('GET', '/health/ready', { key: null })).body).toMatchObject({
      status: 'degraded',
      checks: { analytics: 'degraded' },
    })
    await server.fail('')
    await rest()
    expect(await gross()).toBe(9_990_000)
    expect((await s.call('GET', '/health/ready', { key: null })).body.checks.analytics).toBe('ok')
  })

  test('that says nothing is given up after a while, and not asked again at once', async () => {
    const config = s.ctx.config.analytics
    if (!config) throw new Error('no ClickHouse')
    const client = new Clickhouse(config, 2000)
    await server.fail('hang')
    await expect(client.query('select 1')).rejects.toThrow('does not answer')
    await expect(client.query('select 2')).rejects.toThrow('does not answer')
    expect((await server.statements()).filter((sql) => sql.startsWith('select 2'))).toEqual([])
    await server.fail('')
    await rest()
    expect(await client.query('select 3')).toEqual([[3]])
    await client.close()
  })

  test('gets the rest from the next process when one ends in the middle of copying', async () => {
    const { figureEntries } = s.ctx.tables
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const [first] = await s.ctx.db.select().from(figureEntries)
    if (!first) throw new Error('no entry')
    const { position: _, ...row } = first
    for (let part = 0; part < 45; part++)
      await s.ctx.write((tx) => tx.db.insert(figureEntries).values(Array.from({ length: 100 }, () => row)))
    const slow = new Mirror(s.ctx, s.ctx.config.analytics as AnalyticsConfig, mirrorTables(), 0)
    let batches = 0
    await slow.copyAll(async () => {
      if (++batches === 2) slow.drain()
    })
    expect(await slow.isFilling()).toBe(true)
    expect(await entries()).toBe(2000)
    await slow.close()
    const next = new Mirror(s.ctx, s.ctx.config.analytics as AnalyticsConfig, mirrorTables())
    s.ctx.state.analytics = next
    await server.statements()
    await next.copyAll()
    expect(await entries()).toBe(await own())
    const inserts = (await server.statements()).filter((sql) => sql.startsWith('INSERT INTO "figure_entries"'))
    expect(inserts.length).toBe(2) // What was copied before is not copied again.
    await equalAnswer(s, member, QUERY)
    await next.close()
  })

  test('has rows whose keys have several columns, also when thousands of them change or go at once', async () => {
    const { observations: o } = s.ctx.tables
    const rows = Array.from({ length: 2500 }, (_, index) => ({
      ...{ purchaseId: `pur_${index % 7}`, kind: 'REPORT' as const, id: `it's \\ "${index}" \n é€`, eventAt: 1 },
      ...{ payload: { text: `"é€"\t\\ ${index}`, wide: 9007199254740991 } as never, recordedAt: 1 },
      cause: { kind: 'TEST', ref: null },
    }))
    for (let first = 0; first < rows.length; first += 500)
      await s.ctx.write((tx) => tx.db.insert(o).values(rows.slice(first, first + 500)))
    const slow = new Mirror(s.ctx, s.ctx.config.analytics as AnalyticsConfig, mirrorTables(), 0)
    await slow.copyAll()
    const found = await copied('select purchase_id, id, payload from purchase_observations final')
    const sorted = (all: unknown[][]) => all.map((one) => JSON.stringify(one)).sort()
    expect(sorted(found.map(([purchase, id, payload]) => [purchase, id, JSON.parse(String(payload))]))).toEqual(
      sorted(rows.map(({ purchaseId, id, payload }) => [purchaseId, id, payload])),
    )
    await s.ctx.write((tx) => tx.db.update(o).set({ eventAt: 2 }))
    await slow.copyAll()
    const counted = async () => (await copied('select count(), sum(event_at) from purchase_observations final'))[0]
    expect((await counted())?.map(Number)).toEqual([2500, 5000])
    await s.ctx.write((tx) => tx.db.delete(o).where(ne(o.purchaseId, 'pur_3')))
    await slow.copyAll()
    const left = await s.ctx.db.$count(o)
    expect((await counted())?.map(Number)).toEqual([left, 2 * left])
    expect(left).toBeGreaterThan(300)
    await slow.close()
  }, 600_000)

  test('is told of by the command line', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const run = (...args: string[]) => runBeside(s, analyticsCommand, ...args)
    expect(await run('status')).toMatchObject({ code: 1, err: expect.stringContaining('names no ClickHouse') })
    expect(await run('status', 'more')).toMatchObject({ code: 2 })
    expect(await run('begin')).toMatchObject({ code: 2 })
    const env = {
      SVC_DATA_DIR: s.ctx.config.dataDir,
      SVC_ANALYTICS_URL: url,
      SVC_MASTER_KEY: TEST_KEY,
      SVC_FX_URL: 'off',
    }
    const { database } = s.ctx.config
    const own = { ...env, ...(database.kind === 'postgres' && { SVC_DATABASE_URL: database.url }) }
    const before = await svc(['analytics', 'status', '--json'], own)
    expect(JSON.parse(before.out)).toMatchObject({ isComplete: false })
    const done = await svc(['analytics', 'backfill'], own)
    expect([done.code, done.out]).toEqual([0, expect.stringContaining('Figures are read from ClickHouse.')])
    const again = await svc(['analytics', 'backfill', '--again', '--json'], own)
    expect(JSON.parse(again.out)).toMatchObject({ isComplete: true, waiting: 0 })
    expect(await gross()).toBe(9_990_000)
    const wrong = await svc(['analytics', 'backfill'], {
      ...own,
      SVC_ANALYTICS_URL: url.replace(/:[^:@]*@/, ':wrong@'),
    })
    expect(wrong.code).toBe(1)
    expect(wrong.err).toContain('does not answer')
    expect(wrong.err).not.toContain('wrong@')
  })

  test('that is no longer configured is forgotten: nothing is noted any more', async () => {
    await mirror().copyAll()
    await forgetMirror(s.ctx)
    await s.receipt('svc_ada', s.buy(MONTHLY))
    expect(await s.ctx.db.$count(s.ctx.tables.analyticsChanges)).toBe(0)
    const next = new Mirror(s.ctx, s.ctx.config.analytics as AnalyticsConfig, mirrorTables())
    s.ctx.state.analytics = next
    await next.copyAll()
    expect(await gross()).toBe(9_990_000)
    await next.close()
  })

  test('has the columns of the tables that are copied to it', async () => {
    await mirror().copyAll()
    const tables = mirrorTables()
    for (const one of MIRRORED) {
      const name = tableNameOf(tables, one)
      const found = await copied(
        `select name, type from system.columns where database = currentDatabase() and table = '${name}'`,
      )
      const wanted = { ...clickhouseColumns(tables, one), _version: 'UInt64', _deleted: 'UInt8' }
      expect([name, Object.fromEntries(found)]).toEqual([name, wanted])
    }
  })

  test.each([
    ['a wrong password', (good: string) => good.replace(/:[^:@]*@/, ':wrong@')],
    ['another database', (good: string) => good.replace(/[^/]+$/, 'nothing_there')],
    ['a port on which nobody listens', (good: string) => good.replace(/:\d+\//, ':1/')],
  ])('with %s is unreachable, and the password is in no line of the log', async (_, change) => {
    const other = await stage({ env: { SVC_ANALYTICS_URL: change(url) } })
    try {
      const { status, body } = await staff(other).as('CUSTOMER_SUPPORT').get('/charts/mrr')
      expect([status, body.error.code]).toEqual([503, 'ANALYTICS_UNREACHABLE'])
      expect((await other.receipt('svc_ada', other.buy(MONTHLY))).status).toBe(200)
      expect(other.ctx.lines.join('\n')).not.toMatch(/wrong@|p%40ss|p@ss/)
    } finally {
      await other.close()
    }
  })

  test('that a newer svc has used is not used', async () => {
    await mirror().copyAll()
    await copied("insert into svc_migrations select '9999_later', 'x'").catch(() => {})
    const other = await stage({ env: { SVC_ANALYTICS_URL: url } })
    try {
      const { status, body } = await staff(other).as('CUSTOMER_SUPPORT').get('/charts/mrr')
      expect([status, body.error.code]).toEqual([503, 'ANALYTICS_UNREACHABLE'])
    } finally {
      await other.close()
    }
  })

  test('forgets rows that were deleted, and what was known of erased people', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await s.post(
      '/v1/me/attributes',
      { attributes: { note: 'very private' } },
      { headers: { 'x-svc-app-user-id': 'svc_ada' } },
    )
    await postEvent(s, { eventType: 'level_up', subscriberId: 'svc_ada' })
    await mirror().copyAll()
    const { id } = await rowOf(s, 'svc_ada')
    const sent = `select count() from client_events where subscriber_id = '${id}' and _deleted = 0`
    expect((await copied(sent))[0]?.map(Number)).toEqual([1])
    const { subscribers, events, purchases } = s.ctx.tables
    const project = await s.ctx.state.projects.get(s.project.id)
    await s.ctx.write(async (tx) => {
      const [row] = await tx.db.select().from(subscribers).where(eq(subscribers.id, id))
      if (!row) throw new Error('no subscriber')
      for (const erase of tx.hooks.onErase ?? []) await erase(tx, project, row, personOf(row))
      await tx.db.update(subscribers).set({ attributes: {}, erasedAt: tx.clock.now() }).where(eq(subscribers.id, id))
      await tx.db.delete(events).where(eq(events.subscriberId, id))
      await tx.db.delete(purchases).where(eq(purchases.subscriberId, id))
    })
    await mirror().copyAll()
    const gone = async () => {
      const [[left] = []] = await copied(
        `select (select count() from subscribers where attributes like '%very private%') + (select count() from events where subscriber_id = '${id}' and _deleted = 0) + (select count() from purchases where subscriber_id = '${id}' and _deleted = 0)`,
      )
      return Number(left) === 0
    }
    while (!(await gone())) await Bun.sleep(50) // ClickHouse removes the rows in the background.
    expect((await copied('select count() from purchases final'))[0]).toEqual([0])
    while (Number((await copied(sent))[0]?.[0]) > 0) await Bun.sleep(50)
  })

  test('is filled anew after the database was restored from a backup, without what came later', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await mirror().copyAll()
    const other = await stage({ env: { SVC_ANALYTICS_URL: url } })
    try {
      await other.ctx.state.analytics?.copyAll()
      expect(await entries()).toBe(0)
      const { body } = await equalAnswer(other, staff(other).as('CUSTOMER_SUPPORT'), QUERY)
      expect(body.data.totals.gross).toBe(0)
    } finally {
      await other.close()
    }
  })
})
