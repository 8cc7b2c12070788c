import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { CHARTS } from '../../src/insight/charts/charts'
import { GROUPS } from '../../src/insight/figures/sums'
import { type Stage, stage } from '../support/cast'
import { type History, isoOf } from '../support/figures/history'
import { EARLIEST, historyOf } from '../support/figures/projects'
import { seedHistory } from '../support/figures/seed'
import { shown } from '../support/figures/shown'
import { type StaffCalls, staff } from '../support/staff'

// The rows of a cell add up to its figure exactly, whatever it is asked of.

const SEED = Number(process.env.CHART_ROW_SEED ?? 11)
const DAY = 86_400_000

let s: Stage
let member: StaffCalls
let history: History
let window: { from: string; to: string }
beforeAll(async () => {
  s = await stage({ now: EARLIEST })
  member = staff(s).as('CUSTOMER_SUPPORT')
  const { purchases, ...generated } = historyOf(SEED, { min: 50, max: 50 })
  history = { ...generated, purchases: purchases.map(shown), rates: [], timezone: 'Asia/Kathmandu' }
  await seedHistory(s, history, { together: 50 })
  const first = Math.min(...history.purchases.flatMap((p) => p.observations.map((o) => o.eventAt)))
  window = { from: isoOf(first + 5 * DAY), to: isoOf(Math.min(s.ctx.clock.now(), first + 500 * DAY)) }
})
afterAll(() => s.close())

interface Row {
  purchaseId: string | null
  transactionId: string | null
  at: string
  contribution: number
  unit: string
}

/** The limit of calls a minute is not what is tested here. */
async function get(path: string) {
  const answer = await member.get(path)
  if (answer.status !== 429) return answer
  s.ctx.clock.advance(60_000)
  return member.get(path)
}

const textOf = (query: Record<string, string | null>) =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&')

async function allRows(chart: string, query: Record<string, string | null>): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next = cursor === '' ? {} : { cursor }
    const { status, body } = await get(`/charts/${chart}/rows?${textOf({ limit: '9', ...query, ...next })}`)
    if (status !== 200) throw new Error(`${chart} ${textOf(query)} ${JSON.stringify(body)}`)
    rows.push(...body.data.items)
    cursor = body.data.nextCursor
  }
  return rows
}

const sumOf = (rows: readonly Row[]) => rows.reduce((sum, { contribution }) => sum + contribution, 0)

/** Of a share the rows are those of what is divided: the figure of this chart. */
const PARTS: Record<string, string> = {
  'refund-rate': 'refunded-transactions',
  'churn-rate': 'churned-subscriptions',
  'trial-conversion': 'converted-trials',
  'mrr-churn-rate': 'mrr-churn',
  'mrr-growth-rate': 'mrr-net-change',
}
const isQuotient = (chart: (typeof CHARTS)[number]) =>
  'values' in chart && Object.values(chart.values).some(({ kind }) => kind === 'share' || kind === 'mean')
const entryCharts = CHARTS.filter(
  (chart) =>
    ('values' in chart ||
      ['active-subscribers', 'paying-subscribers', 'new-customers', 'new-subscribers'].includes(chart.id)) &&
    !isQuotient(chart),
)

async function cellsOf(chart: string, query: Record<string, string>) {
  const { status, body } = await get(`/charts/${chart}?${textOf({ ...window, ...query })}`)
  expect([chart, status]).toEqual([chart, 200])
  return body.data
}

describe('rows add up to the figure', () => {
  test.each(entryCharts.map(({ id }) => id))('of %s in every month', async (id) => {
    const { series } = await cellsOf(id, { grain: 'month' })
    const shown = series.filter((_: unknown, index: number) => index % 5 === 0 || index === series.length - 1)
    for (const { start, values } of shown)
      for (const [value, figure] of Object.entries(values)) {
        const rows = await allRows(id, { start, grain: 'month', value, to: window.to })
        expect([id, start, value, sumOf(rows)]).toEqual([id, start, value, figure as number])
        expect(rows.filter(({ contribution }) => contribution === 0)).toEqual([])
        expect(rows.map(({ at }) => at)).toEqual(
          rows
            .map(({ at }) => at)
            .toSorted()
            .toReversed(),
        )
      }
  })

  test('and name the person of each', async () => {
    const { series } = await cellsOf('revenue', { grain: 'total' })
    const rows = await allRows('revenue', {
      start: series[0]?.start ?? '',
      grain: 'total',
      value: 'gross',
      to: window.to,
    })
    expect(rows.length).toBeGreaterThan(0)
    for (const { subscriberId, person } of rows as unknown as Record<string, { subscriberId: string }>[])
      expect(person?.subscriberId).toBe(String(subscriberId))
  })

  test.each(['mrr-movement', 'revenue', 'subscription-movement', 'trial-movement', 'active-subscriptions'])(
    'of %s in every group, with filters and as it was known',
    async (id) => {
      const known = isoOf(Date.parse(window.to) - 100 * DAY)
      for (const groupBy of GROUPS)
        for (const more of [{}, { store: 'IOS_STORE,PAYMENT' }, { knownAt: known }] as Record<string, string>[]) {
          const query = { grain: 'total', groupBy, ...more }
          const { groups, series } = await cellsOf(id, query)
          const [whole] = series
          for (const name of Object.keys(whole.values))
            expect(
              groups.reduce(
                (sum: number, { totals }: { totals: Record<string, number> }) => sum + (totals[name] ?? 0),
                0,
              ),
            ).toBe(whole.values[name])
          for (const { key, totals } of groups)
            for (const [value, figure] of Object.entries(totals)) {
              const rows = await allRows(id, { ...query, start: window.from, to: window.to, value, group: key })
              expect([id, query, key, value, sumOf(rows)]).toEqual([id, query, key, value, figure as number])
            }
        }
    },
  )

  test.each(Object.entries(PARTS))('of %s to what is divided, as %s', async (id, part) => {
    const { series } = await cellsOf(part, { grain: 'total' })
    const rows = await allRows(id, { start: window.from, to: window.to, grain: 'total' })
    expect(sumOf(rows)).toBe(series[0].values.value)
    expect(new Set(rows.map(({ unit }) => unit)).has('share')).toBe(false)
  })

  test('and each page has other rows', async () => {
    const rows = await allRows('transactions', { start: window.from, to: window.to, grain: 'total' })
    expect(rows.length).toBeGreaterThan(9)
    expect(new Set(rows.map(({ transactionId }) => transactionId)).size).toBe(rows.length)
  })

  test('and a stock is one row of each purchase', async () => {
    const rows = await allRows('mrr', { start: window.from, to: window.to, grain: 'total' })
    expect(new Set(rows.map(({ purchaseId }) => purchaseId)).size).toBe(rows.length)
    expect(rows.length).toBeGreaterThan(0)
  })
})

describe('refused are', () => {
  const start = '2024-03-01'
  test.each([
    ['rows of an average', 'average-transaction', { start, to: '2024-04-01' }, 400],
    ['a value that the chart does not have', 'mrr', { start, to: '2024-04-01', value: 'new' }, 400],
    ['no value where there are several', 'mrr-movement', { start, to: '2024-04-01' }, 400],
    ['a group without grouping', 'mrr', { start, to: '2024-04-01', group: 'x' }, 400],
    ['grouping without a group', 'mrr', { start, to: '2024-04-01', groupBy: 'store' }, 400],
    ['no start', 'mrr', {}, 400],
    ['a start that is none', 'mrr', { start: 'soon' }, 400],
    ['a start after the end', 'mrr', { start, to: start }, 400],
    ['an unknown grain', 'mrr', { start, grain: 'year' }, 400],
    ['an unknown store', 'mrr', { start, store: 'WEB' }, 400],
    ['a cursor that is damaged', 'mrr', { start, cursor: 'x' }, 400],
    ['a window of too many days', 'mrr', { start: '2020-01-01', to: '2024-01-01', grain: 'total' }, 400],
    ['an unknown chart', 'no-chart', { start }, 404],
  ] as [string, string, Record<string, string>, number][])('%s', async (_, id, query, status) => {
    const answer = await member.get(`/charts/${id}/rows?${textOf(query)}`)
    expect([answer.status, answer.body.data]).toEqual([status, undefined])
  })

  test('a cursor of another cell', async () => {
    const query = { start: window.from, to: window.to, grain: 'total', limit: '1' }
    const { body } = await member.get(`/charts/transactions/rows?${textOf(query)}`)
    const cursor = body.data.nextCursor
    expect(cursor).not.toBeNull()
    expect((await member.get(`/charts/transactions/rows?${textOf({ ...query, cursor })}`)).status).toBe(200)
    expect((await member.get(`/charts/mrr/rows?${textOf({ ...query, cursor })}`)).status).toBe(400)
    const other = { ...query, environment: 'SANDBOX', cursor }
    expect((await member.get(`/charts/transactions/rows?${textOf(other)}`)).status).toBe(400)
  })

  test('another project’s members, and its rows are not shown', async () => {
    const query = textOf({ start: window.from, to: window.to, grain: 'total' })
    const stranger = staff(s).as('STRANGER')
    expect((await stranger.get(`/charts/transactions/rows?${query}`)).status).toBe(404)
    member = staff(s).as('CUSTOMER_SUPPORT')
  })
})
