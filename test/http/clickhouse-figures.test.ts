import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { type Chart, valueNamesOf } from '../../src/insight/charts/chart'
import { CHARTS } from '../../src/insight/charts/charts'
import { type Stage, stage } from '../support/cast'
import { equalAnswer } from '../support/clickhouse/equal'
import { type ClickhouseServer, clickhouseMissing, startClickhouse } from '../support/clickhouse/server'
import { isoOf } from '../support/figures/history'
import { EARLIEST, historyOf, ZONES } from '../support/figures/projects'
import { seedHistory } from '../support/figures/seed'
import { type StaffCalls, staff } from '../support/staff'

// Metrics and charts that are read from ClickHouse are, byte by byte, those that the database itself answers.

const missing = clickhouseMissing()
if (missing) console.warn(`ClickHouse is not tested: ${missing}`)

const SEEDS = (process.env.CHART_SEEDS ?? '3,8').split(',').map(Number)
const METRICS = ['summary', 'revenue', 'proceeds', 'mrr', 'mrr-movement', 'active', 'churn', 'trials', 'refunds']

describe.skipIf(missing !== null).each(SEEDS)('history %i', (seed) => {
  let server: ClickhouseServer
  let s: Stage
  let member: StaffCalls
  let window: string
  let groups: string[]
  beforeAll(async () => {
    server = await startClickhouse()
    s = await stage({ now: EARLIEST, env: { SVC_ANALYTICS_URL: await server.create() } })
    const timezone = ZONES[(seed * 3) % ZONES.length] ?? 'UTC'
    const history = { ...historyOf(seed, { min: 10, max: 25 }), rates: [], timezone }
    await seedHistory(s, history, { together: 50 })
    member = staff(s).as('CUSTOMER_SUPPORT')
    const from = Math.min(...history.purchases.flatMap((one) => one.observations.map((o) => o.eventAt)))
    window = `from=${isoOf(from)}&to=${isoOf(Math.min(s.ctx.clock.now(), from + 700 * DAY))}`
    groups = ['store', 'product', 'country', 'platform']
    await s.ctx.state.analytics?.copyAll()
  }, 600_000)
  afterAll(async () => {
    await s.close()
    await server.stop()
  })

  test('is copied', async () => {
    expect(await s.ctx.state.analytics?.isFilling()).toBe(false)
    const [[entries] = []] = await server.query('select count() from figure_entries final', s.ctx.config.analytics)
    const own = await s.ctx.db.$count(s.ctx.tables.figureEntries)
    expect(own).toBeGreaterThan(20)
    expect(Number(entries)).toBe(own)
  })

  test.each(CHARTS.map(({ id }) => id))('the rows of chart %s', async (id) => {
    const [, from] = window.split(/[=&]/)
    const to = window.split('to=')[1]
    for (const value of valueNamesOf(CHARTS.find((one) => one.id === id) as Chart)) {
      let cursor = ''
      for (let page = 0; page < 3; page++) {
        const query = `start=${from}&to=${to}&grain=total&value=${value}&limit=7${cursor}`
        const { status, body } = await equalAnswer(s, member, `/charts/${id}/rows?${query}`)
        if (status !== 200 || body.data.nextCursor === null) break
        cursor = `&cursor=${body.data.nextCursor}`
      }
    }
  })

  test.each([...METRICS, 'ltv', 'retention'])('metric %s', async (name) => {
    for (const environment of ['PRODUCTION', 'SANDBOX'])
      await equalAnswer(s, member, `/metrics/${name}?${window}&grain=month&environment=${environment}`)
    const { body } = await equalAnswer(s, member, `/metrics/${name}?${window}&grain=total&groupBy=store`)
    expect(JSON.stringify(body)).toMatch(/[1-9]/)
  })

  test.each(CHARTS.map(({ id }) => id))(
    'chart %s',
    async (id) => {
      const chart = CHARTS.find((one) => one.id === id)
      await equalAnswer(s, member, `/charts/${id}?${window}&grain=month`)
      await equalAnswer(s, member, `/charts/${id}?${window}&grain=week`)
      for (const groupBy of groups)
        if (chart?.filters.includes(groupBy as never))
          await equalAnswer(s, member, `/charts/${id}?${window}&grain=total&groupBy=${groupBy}`)
    },
    600_000,
  )
})
