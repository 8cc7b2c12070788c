import { afterAll, beforeAll, expect, test } from 'bun:test'
import { CHARTS } from '../../src/insight/charts/charts'
import { type Stage, stage } from '../support/cast'
import { type History, isoOf } from '../support/figures/history'
import type { Series, Value, Values } from '../support/figures/metric'
import { allFigures, type MetricName } from '../support/figures/oracle'
import { EARLIEST, historyOf, ZONES } from '../support/figures/projects'
import { seedHistory } from '../support/figures/seed'
import { shown } from '../support/figures/shown'
import type { Asked, GroupBy } from '../support/figures/world'
import { type StaffCalls, staff } from '../support/staff'

// Every chart of generated projects is what an independent reckoning from the words of the stores says, cell by cell,
// and its rows add up to it.

const SEEDS = (process.env.CHART_SEEDS ?? '1,2,3').split(',').map(Number)
const LARGEST = Number(process.env.CHART_PURCHASES ?? 14)

let s: Stage
beforeAll(async () => {
  s = await stage({ now: EARLIEST })
})
afterAll(() => s.close())

/** By chart and value: the metric of the oracle, and how its value follows from that. */
type Reckon = (values: Values) => Value | undefined
const of =
  (name: string): Reckon =>
  (values) =>
    values[name]
const named = (names: string): Record<string, Reckon> =>
  Object.fromEntries(names.split(' ').map((name) => [name, of(name)]))
function months(first: number): number[] {
  return Array.from({ length: 37 - first }, (_, index) => index + first)
}
const shareAt = (shares: Value | undefined, n: number) => (Array.isArray(shares) ? (shares[n] ?? null) : null)
const num = (value: Value | undefined): number => Number(value)
const WANTED: Record<string, [metric: MetricName, values: Record<string, Reckon>]> = {
  revenue: ['revenue', { gross: of('gross'), refunds: of('refunds'), net: of('net') }],
  'gross-revenue': ['revenue', { value: of('gross') }],
  'net-revenue': ['revenue', { value: of('net') }],
  refunds: ['revenue', { value: of('refunds') }],
  proceeds: ['proceeds', { value: of('proceeds') }],
  'refund-rate': ['refunds', { value: of('rate') }],
  mrr: ['mrr', { value: of('mrr') }],
  'mrr-movement': [
    'mrrMovement',
    Object.fromEntries(
      ['start', 'new', 'reactivation', 'expansion', 'contraction', 'churn', 'end'].map((name) => [name, of(name)]),
    ),
  ],
  'mrr-new': ['mrrMovement', { value: of('new') }],
  'mrr-reactivation': ['mrrMovement', { value: of('reactivation') }],
  'mrr-expansion': ['mrrMovement', { value: of('expansion') }],
  'mrr-contraction': ['mrrMovement', { value: of('contraction') }],
  'mrr-churn': ['mrrMovement', { value: of('churn') }],
  'mrr-net-change': ['mrrMovement', { value: ({ start, end }) => num(end) - num(start) }],
  'mrr-growth-rate': ['mrrMovement', { value: ({ start, end }) => ratio(num(end) - num(start), num(start)) }],
  'mrr-churn-rate': ['mrrMovement', { value: ({ start, churn }) => ratio(num(churn), num(start)) }],
  'quick-ratio': [
    'mrrMovement',
    {
      value: (m) => ratio(num(m.new) + num(m.reactivation) + num(m.expansion), num(m.contraction) + num(m.churn)),
    },
  ],
  arr: ['arr', { value: of('arr') }],
  'active-subscriptions': ['active', { value: of('active') }],
  'subscription-movement': [
    'activeMovement',
    Object.fromEntries(['start', 'new', 'reactivated', 'churned', 'end'].map((name) => [name, of(name)])),
  ],
  'new-paid-subscriptions': ['activeMovement', { value: of('new') }],
  'reactivated-subscriptions': ['activeMovement', { value: of('reactivated') }],
  'churned-subscriptions': ['churn', { value: of('churned') }],
  'churn-rate': ['churn', { value: of('rate') }],
  'subscription-net-change': ['activeMovement', { value: ({ start, end }) => num(end) - num(start) }],
  'active-trials': ['active', { value: of('trials') }],
  'trial-movement': [
    'trialMovement',
    Object.fromEntries(['start', 'started', 'ended', 'end'].map((name) => [name, of(name)])),
  ],
  'new-trials': ['trials', { value: of('starts') }],
  'converted-trials': ['trials', { value: of('converted') }],
  'pending-trials': ['trials', { value: of('pending') }],
  'lost-trials': ['trials', { value: (t) => num(t.starts) - num(t.converted) - num(t.pending) }],
  arpu: ['perUser', { value: of('arpu') }],
  arppu: ['perUser', { value: of('arppu') }],
  'paying-subscribers': ['customers', { value: of('paying') }],
  'new-customers': ['customers', { value: of('new') }],
  ltv: ['ltv', { mean: of('mean'), median: of('median'), p90: of('p90') }],
  'trial-conversion': ['trials', { value: of('conversion') }],
  'subscription-status': ['phaseStatuses', named('trial active grace retry paused expired refunded')],
  'auto-renewing': ['phaseStatuses', { value: of('renewing') }],
  'paused-subscriptions': ['phaseStatuses', { value: of('paused') }],
  cancellations: ['cancellations', named('voluntary billing price other')],
  'cancellations-taken-back': ['cancellations', { value: of('takenBack') }],
  'expiry-reasons': ['ends', named('voluntary billing price unavailable developer replaced unknown refund')],
  'churn-reasons': ['churnReasons', named('voluntary billing refund other')],
  'billing-issues': ['billingIssues', named('start begun recovered lost end')],
  'billing-recovery-rate': ['billingIssues', { value: of('rate') }],
  'billing-recovery-time': ['billingIssues', { value: of('time') }],
  'billing-issue-share': [
    'phaseStatuses',
    {
      value: ({ active, grace, retry }) => ratio(num(grace) + num(retry), num(active) + num(grace) + num(retry)),
    },
  ],
  'grace-periods': ['gracePeriods', named('start entered recovered lost end')],
  'grace-recovery-rate': ['gracePeriods', { value: of('rate') }],
  renewals: ['renewals', { value: of('renewals') }],
  'renewals-due': ['renewals', { value: of('due') }],
  'renewal-forecast': ['forecast', named('due expected')],
  retention: ['retention', Object.fromEntries(months(0).map((n) => [`m${n}`, ({ shares }) => shareAt(shares, n)]))],
  'revenue-cohorts': ['revenueCohorts', Object.fromEntries(months(1).map((n) => [`m${n}`, of(`m${n}`)]))],
}

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

const plain = (value: Value | undefined) => (typeof value === 'string' ? Number(value) : (value ?? null))

const expected = (values: Record<string, Reckon>, found: Values) =>
  Object.fromEntries(Object.entries(values).map(([name, reckon]) => [name, plain(reckon(found))]))

const toExpected = (values: Record<string, Reckon>, { cells, totals }: Series) => ({
  series: cells.map((cell) => ({ start: cell.start, values: expected(values, cell.values) })),
  totals: expected(values, totals),
})

async function compare(member: StaffCalls, projectId: string, history: History, asked: Asked) {
  const wanted = allFigures(withPlatforms(history), asked)
  await comparePrediction(member, projectId, wanted.predicted, asked)
  for (const [id, [metric, values]] of Object.entries(WANTED)) {
    if (asked.groupBy === 'price' && !LINE_METRICS.includes(metric)) continue
    const { status, body } = await member.get(`/charts/${id}?${toQuery(asked)}`, { projectId })
    expect([id, status]).toEqual([id, 200])
    const { series, totals, groups } = body.data
    const reckoned = wanted[metric]
    expect({ id, series, totals }).toEqual({ id, ...toExpected(values, reckoned) })
    // The share of renewals is that of the whole, so its groups are no worlds of their own.
    if (asked.groupBy && id !== 'renewal-forecast')
      expect([id, withoutEmpty(groups)]).toEqual([
        id,
        withoutEmpty(reckoned.groups?.map((one) => ({ key: one.key, ...toExpected(values, one) })) ?? []),
      ])
  }
}

/** The sums of the prediction are of numbers that are not whole, so that their order shows in the last micro. */
async function comparePrediction(member: StaffCalls, projectId: string, { cells, totals }: Series, asked: Asked) {
  const { body } = await member.get(`/charts/predicted-ltv?${toQuery(asked)}`, { projectId })
  const found = [...body.data.series.map(({ values }: { values: Values }) => values), body.data.totals]
  for (const [index, wanted] of [...cells.map(({ values }) => values), totals].entries())
    for (const [name, value] of Object.entries(wanted)) {
      const answer = found[index][name]
      expect([name, answer === null]).toEqual([name, value === null])
      if (value !== null) expect(Math.abs(answer - Number(value))).toBeLessThanOrEqual(1)
    }
}

/** Where the app did not name the platform, the store reports it. */
const withPlatforms = ({ purchases, ...history }: History): History => ({
  ...history,
  purchases: purchases.map((one) => ({ ...one, platform: one.platform ?? PLATFORM[one.store] })),
})

const PLATFORM = { IOS_STORE: 'ios', ANDROID_STORE: 'android', PAYMENT: 'web', MANUAL: null }

/** A group in which there was never anything says nothing. */
const withoutEmpty = (groups: { key: string | null; series: { values: object }[]; totals: object }[]) =>
  groups.filter(({ series, totals }) =>
    [totals, ...series.map(({ values }) => values)].some((values) => Object.values(values).some((value) => value)),
  )

const toQuery = ({ from, to, grain, groupBy, environment, knownAt }: Asked): string =>
  new URLSearchParams({
    from: isoOf(from),
    to: isoOf(to),
    grain,
    ...(groupBy && { groupBy }),
    ...(environment && { environment }),
    ...(knownAt && { knownAt: isoOf(knownAt - 1) }),
  }).toString()

const DAY = 86_400_000
const GROUPINGS: readonly GroupBy[] = ['store', 'country', 'platform', 'offering', 'placement', 'variant']
/** A purchase has one price after another, so the oracle groups only lines by it. */
const LINE_METRICS: readonly MetricName[] = ['revenue', 'proceeds', 'refunds']

for (const [index, seed] of SEEDS.entries())
  test(`charts equal the oracle, seed ${seed}`, async () => {
    const timezone = ZONES[(seed * 3) % ZONES.length] ?? 'UTC'
    const { purchases, ...generated } = historyOf(seed, { min: 5, max: LARGEST })
    const history = { ...generated, purchases: purchases.map(shown), rates: [], timezone }
    const own = await stage({ now: EARLIEST })
    try {
      await seedHistory(own, history, { together: 50 })
      const member = staff(own).as('CUSTOMER_SUPPORT')
      const projectId = own.project.id
      const now = own.ctx.clock.now()
      const first = Math.min(...history.purchases.flatMap((p) => p.observations.map((o) => o.eventAt)))
      const to = Math.min(now, first + 700 * DAY)
      await compare(member, projectId, history, { from: first, to, grain: 'month', now })
      for (const groupBy of [GROUPINGS[index % 6] ?? 'store', GROUPINGS[(index + 3) % 6] ?? 'store', 'price'] as const)
        await compare(member, projectId, history, { from: first, to, grain: 'total', now, groupBy })
      await compare(member, projectId, history, { from: first, to, grain: 'total', now, environment: 'SANDBOX' })
    } finally {
      await own.close()
    }
  }, 600_000)

test('every chart of the list that the oracle knows is compared', () => {
  const ids: string[] = CHARTS.map(({ id }) => id)
  expect(Object.keys(WANTED).filter((id) => !ids.includes(id))).toEqual([])
})
