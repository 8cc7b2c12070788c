import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { convertWaiting } from '../../src/people/conversions/convert'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import { loadRates } from '../../src/projects/exchange-rates/load'
import { type Stage, stage } from '../support/cast'
import { compareText, type History, isoOf, type Rate } from '../support/figures/history'
import { EARLIEST, historyOf, LATEST } from '../support/figures/projects'
import { seedHistory } from '../support/figures/seed'
import { shown } from '../support/figures/shown'
import { type StaffCalls, staff } from '../support/staff'

// Figures in another currency than dollars add up as those in dollars do, to the micro.

const SEED = Number(process.env.REPORT_SEED ?? 23)
const DAY = 86_400_000

let s: Stage
let member: StaffCalls
let history: History
let first: number
let window: { from: string; to: string }
beforeAll(async () => {
  s = await stage({ now: EARLIEST })
  member = staff(s).as('CUSTOMER_SUPPORT')
  const { purchases, ...generated } = historyOf(SEED, { min: 30, max: 30 })
  const rates = [...generated.rates, { day: '2026-05-01', currency: 'TRY', usdPerUnit: '0.02917' }]
  history = { ...generated, rates, timezone: 'Asia/Kolkata', purchases: purchases.map(shown) }
  await know(history.rates)
  await seedHistory(s, history, { together: 50 })
  first = Math.min(...history.purchases.flatMap((p) => p.observations.map((o) => o.eventAt)))
  window = { from: isoOf(first), to: isoOf(Math.min(s.ctx.clock.now(), first + 390 * DAY)) }
})
afterAll(() => s.close())

/** Loads the exchange rates of the history. Files may not have rates of days to come. */
async function know(rates: readonly Rate[]): Promise<void> {
  s.ctx.clock.set(Date.UTC(2030, 0, 1))
  const lines = rates.map(({ day, currency, usdPerUnit }) => `${day},${currency},${usdPerUnit}`)
  await loadRates(s.ctx, CLI_ACTOR, {
    name: 'rates.csv',
    bytes: Buffer.from(['date,currency,usd_per_unit', ...lines].join('\n')),
  })
  await convertWaiting(s.ctx, () => false)
  s.ctx.clock.set(EARLIEST)
}

type Query = Record<string, string | null>
type Values = Record<string, number | null>

const textOf = (query: Query): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&')

/** The limit of calls a minute is not what is tested here. */
async function get(path: string) {
  const answer = await member.get(path)
  if (answer.status !== 429) return answer
  s.ctx.clock.advance(60_000)
  return member.get(path)
}

/** The lines of a table; the stage reads only JSON. */
async function linesOf(path: string): Promise<string[]> {
  const origin = s.ctx.config.publicBaseUrl ?? 'http://localhost'
  const name = origin.startsWith('https:') ? '__Host-svc_session' : 'svc_session'
  const url = `http://localhost/dashboard/projects/${s.project.id}${path}`
  const answer = await s.app.handle(new Request(url, { headers: { cookie: `${name}=CUSTOMER_SUPPORT`, origin } }))
  return (await answer.text()).replace('\uFEFF', '').split('\r\n')
}

async function data(path: string, query: Query) {
  const { status, body } = await get(`${path}?${textOf({ ...window, rateDate: '2026-06-01', ...query })}`)
  expect([path, query, status]).toEqual([path, query, 200])
  return body.data
}

async function rowsOf(chart: string, query: Query): Promise<{ contribution: number; unit: string }[]> {
  const rows = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next: Query = cursor === '' ? {} : { cursor }
    const text = textOf({ limit: '7', rateDate: '2026-06-01', ...query, ...next })
    const { status, body } = await get(`/charts/${chart}/rows?${text}`)
    expect([chart, query, status]).toEqual([chart, query, 200])
    rows.push(...body.data.items)
    cursor = body.data.nextCursor
  }
  return rows
}

const sum = (values: readonly (number | null | undefined)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)
const sumOf = (rows: readonly { contribution: number }[]): number => sum(rows.map(({ contribution }) => contribution))

const CURRENCIES = ['EUR', 'TRY', 'GBP']
const CHARTS = ['revenue', 'proceeds', 'mrr', 'arr', 'mrr-movement', 'subscription-revenue', 'mrr-net-change']

/** Dollars for one unit on the day, or the nearest earlier one. */
function usdPerUnit(currency: string, day: string): number {
  const own = history.rates.filter((rate) => rate.currency === currency && compareText(rate.day, day) <= 0)
  return Number(own.toSorted((a, b) => compareText(a.day, b.day)).at(-1)?.usdPerUnit)
}

describe.each(CURRENCIES)('in %s', (currency) => {
  test.each(CHARTS)('%s is its figure in dollars by the one rate that the answer tells', async (chart) => {
    const inUsd = await data(`/charts/${chart}`, { grain: 'month', currency: 'USD' })
    const own = await data(`/charts/${chart}`, { grain: 'month', currency })
    expect([inUsd.currency, inUsd.unit, inUsd.rate]).toEqual(['USD', 'USD', undefined])
    expect([own.currency, own.unit, own.rate.currency]).toEqual([currency, currency, currency])
    expect(Number(own.rate.usdPerUnit)).toBe(usdPerUnit(currency, '2026-06-01'))
    const rate = Number(own.rate.usdPerUnit)
    // Twelve times the sum of five parts, each rounded.
    for (const [index, { values }] of own.series.entries())
      for (const [name, value] of Object.entries(values as Values))
        expect(Math.abs((value ?? 0) - inUsd.series[index].values[name] / rate)).toBeLessThan(80)
  })

  test('parts of a value add up to it in each cell', async () => {
    const { series, totals } = await data('/charts/mrr-movement', { grain: 'week', currency })
    for (const { start, new: added, reactivation, expansion, contraction, churn, end } of [
      ...series.map(({ values }: { values: Values }) => values),
      totals,
    ])
      expect(start + added + reactivation + expansion - contraction - churn).toBe(end)
    const revenue = await data('/charts/revenue', { grain: 'week', currency })
    for (const { values } of revenue.series) expect(values.gross - values.refunds).toBe(values.net)
  })

  test('days add up to the month, whatever the window', async () => {
    for (const chart of ['revenue', 'proceeds', 'mrr-net-change']) {
      const months = await data(`/charts/${chart}`, { grain: 'month', currency })
      for (const [index, { start, values }] of months.series.entries()) {
        if (index % 3 !== 1) continue
        const to = months.series[index + 1]?.start ?? window.to
        const days = await data(`/charts/${chart}`, { from: start, to, grain: 'day', currency })
        for (const name of Object.keys(values))
          expect([chart, start, sum(days.series.map((one: { values: Values }) => one.values[name]))]).toEqual([
            chart,
            start,
            values[name],
          ])
        expect(days.totals).toEqual(values)
      }
    }
  })

  test.each(['product', 'country', 'store', 'offering', 'placement', 'variant', 'price'])(
    'groups by %s add up to the whole, and the rows of each to its figure',
    async (groupBy) => {
      for (const chart of ['revenue', 'mrr-movement'])
        for (const more of [{}, { knownAt: isoOf(Date.parse(window.to) - 50 * DAY) }] as Query[]) {
          const query = { grain: 'total', groupBy, currency, ...more }
          const { groups, totals } = await data(`/charts/${chart}`, query)
          for (const name of Object.keys(totals))
            expect(sum(groups.map((one: { totals: Values }) => one.totals[name]))).toBe(totals[name])
          for (const { key, totals: own } of groups)
            for (const [value, figure] of Object.entries(own)) {
              const cell = { start: window.from, to: window.to, value, group: key }
              const rows = await rowsOf(chart, { ...query, ...cell })
              expect([chart, query, key, value, sumOf(rows)]).toEqual([chart, query, key, value, figure as number])
            }
        }
    },
    600_000,
  )

  test.each([...CHARTS, 'refunds', 'mrr-churn', 'one-time-proceeds'])(
    'rows of %s add up to the figure of each month',
    async (chart) => {
      const { series } = await data(`/charts/${chart}`, { grain: 'month', currency })
      for (const [index, { start, values }] of series.entries())
        for (const [value, figure] of Object.entries(values as Values)) {
          if (index % 2 === 0) continue
          const rows = await rowsOf(chart, { start, to: window.to, grain: 'month', value, currency })
          expect([chart, start, value, sumOf(rows)]).toEqual([chart, start, value, figure ?? 0])
          expect(rows.every(({ unit }) => unit === currency)).toBe(true)
        }
    },
    600_000,
  )

  test('a share is the same as in dollars, and a number of purchases is', async () => {
    for (const chart of [
      'mrr-growth-rate',
      'quick-ratio',
      'refund-rate',
      'active-subscriptions',
      'paying-subscribers',
    ]) {
      const [own, inUsd] = [
        await data(`/charts/${chart}`, { grain: 'month', currency }),
        await data(`/charts/${chart}`, { grain: 'month', currency: 'USD' }),
      ]
      expect([chart, own.unit, own.series]).toEqual([chart, inUsd.unit, inUsd.series])
    }
  })

  test('an average is the average in dollars, converted', async () => {
    for (const chart of ['average-transaction', 'arpu', 'arppu', 'ltv']) {
      const [own, inUsd] = [
        await data(`/charts/${chart}`, { grain: 'total', currency }),
        await data(`/charts/${chart}`, { grain: 'total', currency: 'USD' }),
      ]
      const rate = Number(own.rate.usdPerUnit)
      for (const [name, value] of Object.entries(inUsd.totals as Values))
        expect([chart, name, Math.abs((own.totals[name] ?? 0) - (value ?? 0) / rate) < 1]).toEqual([chart, name, true])
    }
  })

  test('metrics are the charts of the same name', async () => {
    for (const name of ['revenue', 'proceeds', 'mrr', 'mrr-movement', 'ltv']) {
      const query = { grain: 'month', currency, groupBy: 'store' }
      const [metric, chart] = [await data(`/metrics/${name}`, query), await data(`/charts/${name}`, query)]
      expect([name, metric.currency, metric.rate]).toEqual([name, currency, chart.rate])
      const named = ({ values }: { values: Values }) => ('value' in values ? { [name]: values.value } : values)
      expect([name, metric.series.map(({ values }: { values: Values }) => values)]).toEqual([
        name,
        chart.series.map(named),
      ])
    }
    const summary = await data('/metrics/summary', { currency })
    const [{ totals }, arpu] = [
      await data('/metrics/revenue', { grain: 'total', currency }),
      await data('/charts/arpu', { grain: 'total', currency }),
    ]
    expect(summary.totals).toMatchObject({ ...totals, arpu: arpu.totals.value })
  })

  test('its table names the currency', async () => {
    const query = textOf({ ...window, grain: 'month', currency, rateDate: '2026-06-01' })
    const { series } = await data('/charts/revenue', { grain: 'month', currency })
    const [header, line] = await linesOf(`/charts/revenue/export?${query}`)
    const [cell] = series
    expect(header).toBe('cellStart,currency,gross,refunds,net')
    expect(line).toBe([cell.start, currency, cell.values.gross, cell.values.refunds, cell.values.net].join())
  })
})

describe('the currency of a project', () => {
  const settings = (reportCurrency: string) => staff(s).as('OWNER').call('PATCH', '', { settings: { reportCurrency } })

  test('is that of every answer which names none, until it is changed', async () => {
    const before = await data('/charts/revenue', { grain: 'total' })
    expect((await settings('GBP')).status).toBe(200)
    const [own, named, metric] = [
      await data('/charts/revenue', { grain: 'total' }),
      await data('/charts/revenue', { grain: 'total', currency: 'GBP' }),
      await data('/metrics/revenue', { grain: 'total' }),
    ]
    expect([before.currency, own.currency, metric.currency]).toEqual(['USD', 'GBP', 'GBP'])
    expect([own, metric.totals]).toEqual([named, own.totals])
    expect((await data('/charts/revenue', { grain: 'total', currency: 'USD' })).totals).toEqual(before.totals)
    expect((await settings('USD')).status).toBe(200)
  })

  test('without a rate refuses amounts and still shows numbers', async () => {
    expect((await settings('XTS')).status).toBe(200)
    for (const path of ['/charts/mrr', '/charts/mrr-growth-rate', '/metrics/revenue', '/metrics/summary'])
      expect([path, (await get(`${path}?${textOf(window)}`)).status]).toEqual([path, 400])
    for (const path of ['/charts/active-subscriptions', '/charts/new-customers', '/metrics/active', '/metrics/churn'])
      expect([path, (await get(`${path}?${textOf(window)}`)).status]).toEqual([path, 200])
    expect((await get(`/charts/mrr?${textOf({ ...window, currency: 'USD' })}`)).status).toBe(200)
    expect((await settings('USD')).status).toBe(200)
  })
})

test('a saved view keeps currency, day of the rate and group, and they open its chart', async () => {
  const params = {
    ...window,
    grain: 'total',
    currency: 'EUR',
    rateDate: '2026-06-01',
    groupBy: 'price',
    offering: 'default',
  }
  const saved = await member.post('/charts/views', { name: 'In euro', chartId: 'revenue', params })
  expect([saved.status, saved.body.data.params]).toEqual([201, params])
  const { items } = (await get('/charts/views')).body.data
  const { status, body } = await get(`/charts/revenue?${textOf(items[0].params)}`)
  expect([status, body.data.currency, body.data.rate.currency]).toEqual([200, 'EUR', 'EUR'])
  expect(sum(body.data.groups.map((one: { totals: Values }) => one.totals.net))).toBe(body.data.totals.net)
})

describe('the rate of an answer', () => {
  test('is that of the last day that had ended, now or when something was known', async () => {
    const today = isoOf(s.ctx.clock.now() - DAY).slice(0, 10)
    const { body } = await get(`/charts/mrr?${textOf({ ...window, currency: 'EUR' })}`)
    expect(Number(body.data.rate.usdPerUnit)).toBe(usdPerUnit('EUR', today))
    const known = await get(`/charts/mrr?${textOf({ ...window, currency: 'EUR', knownAt: '2024-08-15T10:00:00Z' })}`)
    expect(Number(known.body.data.rate.usdPerUnit)).toBe(usdPerUnit('EUR', '2024-08-14'))
    const again = { ...window, currency: 'EUR', rateDate: known.body.data.rate.date }
    expect((await get(`/charts/mrr?${textOf(again)}`)).body.data.rate).toEqual(known.body.data.rate)
  })

  test('stays that of the first page while the days go by', async () => {
    const query = { start: window.from, to: window.to, grain: 'total', value: 'gross', currency: 'EUR' }
    const figure = await get(`/charts/revenue?${textOf({ ...window, grain: 'total', currency: 'EUR' })}`)
    const one = await get(`/charts/revenue/rows?${textOf({ ...query, limit: '3' })}`)
    s.ctx.clock.set(LATEST + 40 * DAY)
    const rest = await get(`/charts/revenue/rows?${textOf({ ...query, limit: '3', cursor: one.body.data.nextCursor })}`)
    const last = await get(
      `/charts/revenue/rows?${textOf({ ...query, limit: '3', cursor: rest.body.data.nextCursor })}`,
    )
    const all = await rowsOf('revenue', { ...query, rateDate: figure.body.data.rate.date })
    const shownRows = [...one.body.data.items, ...rest.body.data.items, ...last.body.data.items]
    expect(shownRows).toEqual(all.slice(0, 9))
    expect(sumOf(all)).toBe(figure.body.data.totals.gross)
  })
})

describe('refused are', () => {
  test.each<[string, Query]>([
    ['a currency without any rate', { currency: 'XTS' }],
    ['a currency that does not exist', { currency: 'QQQ' }],
    ['a currency in small letters', { currency: 'eur' }],
    ['an empty currency', { currency: '' }],
    ['a currency of four letters', { currency: 'EURO' }],
    ['a day before the first rate', { currency: 'EUR', rateDate: '1950-01-01' }],
    ['a day that the calendar does not have', { currency: 'EUR', rateDate: '2025-02-30' }],
    ['a time as the day of the rate', { currency: 'EUR', rateDate: '2025-02-03T00:00:00Z' }],
  ])('%s', async (_, query) => {
    const text = textOf({ ...window, grain: 'total', ...query })
    for (const path of ['/charts/mrr', '/charts/mrr/export', '/metrics/mrr', '/metrics/summary']) {
      const { status, body } = await get(`${path}?${text}`)
      expect([path, status, body.error?.code]).toEqual([path, 400, 'VALIDATION_ERROR'])
    }
    const rows = await get(`/charts/mrr/rows?${textOf({ start: window.from, to: window.to, ...query })}`)
    expect([rows.status, rows.body.data]).toEqual([400, undefined])
  })

  test('groups of charts where metrics are asked', async () => {
    for (const groupBy of ['offering', 'placement', 'variant', 'price'])
      expect((await get(`/metrics/revenue?${textOf({ ...window, groupBy })}`)).status).toBe(400)
  })
})
