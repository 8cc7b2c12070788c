import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { createRegistry } from '../../src/base/jobs/registry'
import { Worker } from '../../src/base/jobs/worker'
import { DAY, MINUTE, SECOND } from '../../src/base/lib/clock'
import { cohortCron, forgetMembers } from '../../src/insight/cohorts/jobs'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { type ClickhouseServer, clickhouseMissing, startClickhouse } from '../support/clickhouse/server'
import { damage, identify, rowOf } from '../support/facts'
import { EARLIEST, historyOf } from '../support/figures/projects'
import { seedHistory } from '../support/figures/seed'
import { dataOf } from '../support/operator'
import { computeAtOnce } from '../support/pauses'
import { type StaffCalls, staff } from '../support/staff'
import { iso, postEvent } from '../support/telemetry'

// Cohorts and leaderboards that are computed from ClickHouse are, byte by byte, those of the database itself.

const missing = clickhouseMissing()
const COINS = 'gold'

describe.skipIf(missing !== null)('with ClickHouse', () => {
  let server: ClickhouseServer
  let s: Stage
  let owner: StaffCalls
  let currencyId: string
  let durations: ReturnType<typeof computeAtOnce>
  beforeAll(async () => {
    durations = computeAtOnce()
    server = await startClickhouse()
    s = await stage({ now: EARLIEST, env: { SVC_ANALYTICS_URL: await server.create(), SVC_RATE_USER: '0' } })
    owner = staff(s).as('OWNER')
    await seedHistory(s, { ...historyOf(5, { min: 20, max: 30 }), rates: [] }, { together: 50 })
    currencyId = (await dataOf(owner.post('/virtual-currencies', { code: COINS, name: COINS }))).id
    await makePeople()
    await s.ctx.state.analytics?.copyAll()
  }, 600_000)
  afterEach(() => server.fail(''))
  afterAll(async () => {
    durations.restore()
    await s.close()
    await server.stop()
  })

  /** People with attributes, purchases, events of apps and balances; two of them become one, and one is erased. */
  async function makePeople(): Promise<void> {
    const [ada, bo, cy, di] = ['svc_ada', 'svc_bo', 'svc_cy', 'svc_di'] as const
    await s.receipt(ada, s.buy(MONTHLY))
    await s.receipt(bo, s.buy(MONTHLY))
    for (const key of [cy, di]) await s.get('/v1/me', key, { headers: { 'x-svc-platform': 'android' } })
    const attributes = { country: 'DE', 'a.b': 'it\'s \\ "1"', '7': 'é€' }
    await s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': ada } })
    await give(ada, '9223372036854775806')
    await give(ada, '-9223372036854775806')
    await give(ada, '9223372036854775807')
    await give(bo, '5')
    await give(cy, '5')
    await give(di, '9007199254740993')
    for (const [subscriberId, back] of [
      [ada, 0],
      [ada, 40 * DAY],
      [bo, 3 * DAY],
      [cy, 0],
      [di, 0],
    ] as const)
      await postEvent(s, { eventType: 'level_up', subscriberId, occurredAt: iso(s.ctx.clock.now() - back) })
    await postEvent(s, { eventType: 'level_up', subscriberId: cy, occurredAt: iso(s.ctx.clock.now() + DAY) })
    await s.get('/v1/me', 'svc_foreign', { key: s.other.publicKey })
    for (const key of [bo, cy]) await identify(s, key, 'person of both')
    await damage(s, (await rowOf(s, di)).id, { erasedAt: s.ctx.clock.now() })
  }

  async function give(key: string, amount: string): Promise<void> {
    await s.get('/v1/me', key)
    const raw = `{"amount":${amount},"idempotencyKey":"${key} ${amount} ${++count}"}`
    const path = `/v1/virtual-currencies/${key}/${COINS}/transactions`
    expect((await s.call('POST', path, { key: s.project.secretKey, raw })).status).toBeLessThan(300)
  }

  let count = 0
  const named = (more: object) => ({ identifier: `number_${++count}`, name: 'Name', ...more })

  /** The text of an answer, because parsing it would round integers. */
  async function textOf(path: string): Promise<string> {
    const url = `http://localhost/dashboard/projects/${s.project.id}${path}`
    const response = await s.app.handle(new Request(url, { headers: { cookie: 'svc_session=OWNER' } }))
    const text = await response.text()
    expect([path, response.status, text]).toEqual([path, 200, text])
    return text
  }

  async function cohort(definition: object): Promise<string[]> {
    const { id, size } = await dataOf(owner.post('/cohorts', named({ definition })))
    const texts = [
      String(size),
      await textOf(`/cohorts/${id}/members?limit=200`),
      await textOf(`/cohorts/${id}/analysis`),
    ]
    await dataOf(owner.delete(`/cohorts/${id}`))
    return texts
  }

  async function leaderboard(measure: object): Promise<string[]> {
    const { id } = await dataOf(owner.post('/leaderboards', named(measure)))
    const texts: string[] = []
    for (const environment of ['PRODUCTION', 'SANDBOX'])
      texts.push(await textOf(`/leaderboards/${id}/entries?limit=200&environment=${environment}`))
    await dataOf(owner.delete(`/leaderboards/${id}`))
    return texts
  }

  /** What is computed from ClickHouse, and was compared with what is computed from the database itself. */
  async function compared(compute: () => Promise<string[]>, isReading: RegExp): Promise<string[]> {
    await server.statements()
    const copied = await compute()
    expect((await server.statements()).some((sql) => isReading.test(sql))).toBe(true)
    const mirror = s.ctx.state.analytics
    s.ctx.state.analytics = null
    try {
      expect(copied).toEqual(await compute())
    } finally {
      s.ctx.state.analytics = mirror
    }
    expect((await server.statements()).some((sql) => isReading.test(sql))).toBe(false)
    return copied
  }

  const SEEN = 'subscriber.first_seen'
  const DE = { country: 'DE', attributes: { 'a.b': 'it\'s \\ "1"', '7': 'é€' } }
  test.each<[definition: object, isEmpty: boolean]>([
    [{ event: SEEN }, false],
    [{ event: SEEN, within: 'P1D' }, false],
    [{ event: SEEN, within: 'P400D', filters: { platform: 'android' } }, false],
    [{ event: SEEN, filters: DE }, false],
    [{ event: SEEN, filters: { ...DE, attributes: { '7': 'é' } } }, true],
    [{ event: SEEN, filters: { store: 'IOS_STORE' } }, false],
    [{ event: 'purchase.initial' }, false],
    [{ event: 'purchase.initial', filters: { environment: 'SANDBOX' } }, false],
    [
      { event: 'purchase.initial', within: { from: '2024-01-01T00:00:00.000Z', to: '2024-09-01T00:00:00.000Z' } },
      false,
    ],
    [{ event: 'purchase.initial', filters: { store: 'ANDROID_STORE' } }, false],
    [{ event: 'purchase.renewed' }, false],
    [{ event: 'entitlement.granted', filters: { environment: 'SANDBOX' } }, false],
    [{ event: 'level_up' }, false],
    [{ event: 'level_up', within: 'P2D' }, false],
    [{ event: 'level_up', filters: { environment: 'SANDBOX' } }, true],
    [{ event: 'nothing_like_it' }, true],
  ])('the members of %j and how they stayed', async (definition, isEmpty) => {
    const isSandbox = JSON.stringify(definition).includes('level_up') && isEmpty
    const [size, , analysis] = await compared(() => cohort(definition), isSandbox ? /"subscribers"/ : /happened/)
    expect(Number(size) === 0).toBe(isEmpty)
    expect((analysis ?? '').includes('"shares"')).toBe(!isEmpty)
  })

  test.each<[metric: string, eventType: string | null]>([
    ['currency', null],
    ['spend', null],
    ['event', 'level_up'],
    ['event', 'purchase.renewed'],
    ['event', 'purchase.initial'],
  ])('the leaderboards of %s %s', async (metric, eventType) => {
    for (const window of ['all', 'month', 'week', 'day']) {
      const measure = { metric, window, ...(eventType && { eventType }), ...(metric === 'currency' && { currencyId }) }
      const texts = await compared(() => leaderboard(measure), /toInt128/)
      if (window === 'all') expect(texts.join()).toMatch(/"rank":1/)
      if (metric === 'currency' && window === 'all') expect(texts[0]).toContain('"value":9223372036854775807')
      if (metric === 'currency' && window === 'day') expect(texts[0]).toContain('"value":18446744073709551613')
    }
  })

  test('have a person who bought a moment ago', async () => {
    const { id } = await dataOf(owner.post('/cohorts', named({ definition: { event: SEEN, within: 'P1D' } })))
    await s.get('/v1/me', 'svc_late')
    s.ctx.clock.advance(MINUTE)
    await server.statements()
    expect(await textOf(`/cohorts/${id}/members?limit=200`)).toContain((await rowOf(s, 'svc_late')).id)
    expect((await server.statements()).some((sql) => sql.includes('happened'))).toBe(true)
    await dataOf(owner.delete(`/cohorts/${id}`))
  })

  describe('that is away', () => {
    const rest = () => durations.advance(SECOND) // A database that did not answer is left alone for a second.
    const away = async (path: string) => {
      const { status, body, headers } = await owner.get(path)
      expect([path, status, body.error?.code, headers.get('retry-after')]).toEqual([
        path,
        503,
        'ANALYTICS_UNREACHABLE',
        '5',
      ])
    }

    test('what was computed before is shown, and nothing else', async () => {
      const definition = { event: SEEN }
      const known = await dataOf(owner.post('/cohorts', named({ definition })))
      const board = await dataOf(owner.post('/leaderboards', named({ metric: 'spend', window: 'all' })))
      const paths = [
        `/cohorts/${known.id}/members`,
        `/cohorts/${known.id}/analysis`,
        `/leaderboards/${board.id}/entries`,
      ]
      const before = await Promise.all(paths.map(textOf))
      s.ctx.clock.advance(2 * MINUTE)
      await server.fail('garbage')
      for (const [index, path] of paths.entries()) expect(await textOf(path)).toBe(before[index] ?? '')
      const fresh = await dataOf(owner.post('/cohorts', named({ definition })))
      expect([fresh.size, fresh.computedAt]).toEqual([null, null])
      await away(`/cohorts/${fresh.id}/members`)
      await away(`/cohorts/${fresh.id}/analysis`)
      const other = await dataOf(owner.post('/leaderboards', named({ metric: 'spend', window: 'month' })))
      await away(`/leaderboards/${other.id}/entries`)
      expect((await s.receipt('svc_ada', s.buy(MONTHLY))).status).toBe(200)
      await server.fail('')
      rest()
      expect(await textOf(`/cohorts/${fresh.id}/members`)).toContain('"items":[{')
      for (const id of [known.id, fresh.id]) await dataOf(owner.delete(`/cohorts/${id}`))
      for (const { id } of [board, other]) await dataOf(owner.delete(`/leaderboards/${id}`))
    })

    test('the hourly computation waits for it and is never given up', async () => {
      const worker = new Worker(s.ctx, createRegistry([forgetMembers], cohortCron))
      const { id } = await dataOf(owner.post('/cohorts', named({ definition: { event: SEEN } })))
      s.ctx.clock.advance(70 * MINUTE)
      await server.fail('garbage')
      for (let tries = 0; tries < 15; tries++) {
        await worker.runDue()
        s.ctx.clock.advance(2 * MINUTE)
      }
      const jobs = (await s.ctx.db.select().from(s.ctx.tables.jobs)).filter(({ name }) => name === 'cohorts.refresh')
      expect(jobs.map(({ state, attempts }) => [state, attempts])).toEqual([['WAITING', 0]])
      await server.fail('')
      rest()
      const now = s.ctx.clock.now()
      await worker.runDue()
      const cohorts: { id: string; computedAt: string }[] = (await dataOf(owner.get('/cohorts'))).items
      expect(cohorts.map((one) => [one.id, one.computedAt])).toEqual([[id, iso(now)]])
      await dataOf(owner.delete(`/cohorts/${id}`))
    })

    test('what it ends at its limits is computed from the database itself', async () => {
      await server.fail('slow')
      const { size } = await dataOf(owner.post('/cohorts', named({ definition: { event: SEEN } })))
      expect(size).toBeGreaterThan(5)
      expect((await owner.get('/charts/revenue?grain=total')).body.error.code).toBe('ANALYTICS_UNREACHABLE')
    })
  })
})
