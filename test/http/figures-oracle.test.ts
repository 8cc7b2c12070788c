import { describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { rollUp } from '../../src/insight/figures/rolls/turn'
import { convertWaiting } from '../../src/people/conversions/convert'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import { loadRates } from '../../src/projects/exchange-rates/load'
import { type Stage, stage } from '../support/cast'
import type { History } from '../support/figures/history'
import { allFigures, type MetricName } from '../support/figures/oracle'
import { EARLIEST, historyOf } from '../support/figures/projects'
import { seedHistory } from '../support/figures/seed'
import type { Asked } from '../support/figures/world'
import { staff } from '../support/staff'

// Every metric of generated projects equals an independent reckoning from what the stores said, cell by cell.

const PROJECTS = Number(process.env.SVC_TEST_PROJECTS ?? 6)
const FIRST_SEED = Number(process.env.SVC_TEST_SEED ?? 20_261_122)

/** The paths of the metrics, by their names in the oracle. */
const PATHS: Partial<Record<MetricName, string>> = {
  revenue: 'revenue',
  proceeds: 'proceeds',
  mrr: 'mrr',
  mrrMovement: 'mrr-movement',
  active: 'active',
  churn: 'churn',
  trials: 'trials',
  refunds: 'refunds',
  ltv: 'ltv',
  retention: 'retention',
}

/** The oracle writes money as text. */
const plain = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? Number(value) : value]),
  )

const isSome = (value: unknown): boolean => typeof value === 'number' && value !== 0

type Read = (path: string) => Promise<{ status: number; body: { data: Answer } }>

interface Answer {
  series: unknown[]
  totals: unknown
  unconverted: number
  groups?: { key: string | null; series: unknown[]; totals: unknown }[]
}

async function compare(history: History, asked: Asked, read: Read): Promise<void> {
  const wanted = allFigures(history, asked)
  const { from, to, grain, environment = 'PRODUCTION', groupBy } = asked
  const query = new URLSearchParams({
    from: toIso(from),
    to: toIso(to),
    grain,
    environment,
    ...(groupBy && { groupBy }),
  })
  for (const [name, path] of Object.entries(PATHS)) {
    const { status, body } = await read(`/metrics/${path}?${query}`)
    expect([path, status]).toEqual([path, 200])
    const { cells, totals, groups } = wanted[name as MetricName]
    const toSeries = (all: typeof cells) => all.map(({ start, values }) => ({ start, values: plain(values) }))
    expect([path, body.data.series]).toEqual([path, toSeries(cells)])
    expect([path, body.data.totals]).toEqual([path, plain(totals)])
    if (!groups) continue
    const known = new Map(body.data.groups?.map((one) => [one.key, one]))
    // A group without a single figure is not listed.
    for (const { key, cells: own } of groups)
      if (known.has(key) || own.some(({ values }) => Object.values(plain(values)).some(isSome)))
        expect([path, groupBy, key, known.get(key)?.series]).toEqual([path, groupBy, key, toSeries(own)])
  }
}

/** Loads the exchange rates of the project, and converts what waits for them. */
async function know(s: Stage, { rates }: History): Promise<void> {
  if (rates.length === 0) return
  const before = s.ctx.clock.now()
  s.ctx.clock.set(Math.max(before, Date.UTC(2030, 0, 1)))
  const lines = rates.map(({ day, currency, usdPerUnit }) => `${day},${currency},${usdPerUnit}`)
  const bytes = Buffer.from(['date,currency,usd_per_unit', ...lines].join('\n'))
  await loadRates(s.ctx, CLI_ACTOR, { name: 'rates.csv', bytes })
  await convertWaiting(s.ctx, () => false)
  s.ctx.clock.set(before)
}

/** Where the app said no platform it is that of the store. */
const withPlatforms = (history: History): History => ({
  ...history,
  purchases: history.purchases.map((one) => ({ ...one, platform: one.platform ?? PLATFORMS[one.store] })),
})

const PLATFORMS = { IOS_STORE: 'ios', ANDROID_STORE: 'android', PAYMENT: 'web', MANUAL: null }

describe.each(Array.from({ length: PROJECTS }, (_, index) => FIRST_SEED + index))('project %i', (seed) => {
  test('has the figures of the oracle', async () => {
    const s = await stage({ now: EARLIEST })
    try {
      const generated = historyOf(seed, { min: 1, max: 14 })
      const history = withPlatforms(generated)
      // Half of the projects learn of the rates at the end.
      if (seed % 2 === 0) await know(s, history)
      // Two in three projects have kept sums of a part of their entries, the others of none.
      const [first = 0, last = 0] = [
        EARLIEST,
        ...history.purchases.flatMap(({ observations }) => observations.map(({ recordedAt }) => recordedAt)),
      ]
      const pause = { at: Math.floor((first + last) / 2), run: seed % 3 === 0 ? async () => {} : () => rollUp(s.ctx) }
      await seedHistory(s, generated, { together: 50, pause })
      if (seed % 2 === 1) await know(s, history)
      const now = s.ctx.clock.now()
      const team = staff(s).as('CUSTOMER_SUPPORT')
      const read = (path: string) => team.get(path) as ReturnType<Read>
      const from = Math.min(...history.purchases.flatMap(({ observations }) => observations.map((o) => o.eventAt)))
      const to = Math.max(from + 1, Math.min(now, from + 1000 * DAY))
      await compare(history, { from, to, grain: 'month', now }, read)
      await compare(history, { from: from + 1, to: from + 90 * DAY, grain: 'week', now }, read)
      await compare(history, { from, to, grain: 'total', now, environment: 'SANDBOX' }, read)
      for (const groupBy of ['store', 'country', 'platform'] as const)
        await compare(history, { from, to, grain: 'total', now, groupBy }, read)
    } finally {
      await s.close()
    }
  }, 600_000)
})
