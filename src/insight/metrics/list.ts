import { isEntryChart } from '../charts/chart'
import { CHARTS } from '../charts/charts'
import type { EntryFigures } from '../charts/read'

/** A metric of sums of entries (wire 5.11). Its values are those of charts. */
export interface Metric extends EntryFigures {
  name: string
  summary: string
  /** In words, for the documentation. */
  definition: string
}

interface MetricAbout extends Pick<Metric, 'name' | 'summary' | 'definition'> {
  /** The chart of each value, with the name of its value where that is not `value`. */
  charts: Readonly<Record<string, string>>
}

/** The chart of its first value decides what counts as left out for want of an exchange rate. */
function metric({ charts, ...about }: MetricAbout): Metric {
  const parts = Object.entries(charts).map(([name, path]) => ({ name, ...findFigure(path) }))
  return {
    ...about,
    values: Object.fromEntries(parts.map(({ name, figure }) => [name, figure])),
    unconverted: parts[0]?.chart.unconverted,
  }
}

function findFigure(path: string) {
  const [id, name = 'value'] = path.split('.')
  const chart = CHARTS.find((one) => one.id === id)
  if (!chart || !isEntryChart(chart)) throw new Error(`no chart of entries ${path}`)
  const figure = chart.values[name]
  if (!figure) throw new Error(`no value ${path}`)
  return { chart, figure }
}

const mrr = metric({
  name: 'mrr',
  summary: 'Monthly recurring revenue',
  definition:
    'At the end of a cell: the price of a period of each purchase that is ACTIVE or in its grace period, not in a trial and above zero, as a monthly amount.',
  charts: { mrr: 'mrr' },
})

const mrrMovement = metric({
  name: 'mrr-movement',
  summary: 'How monthly recurring revenue changed',
  definition:
    'start + new + reactivation + expansion − contraction − churn = end. Every change counts at its instant, so a purchase that leaves and returns within a cell counts in both.',
  charts: {
    start: 'mrr-movement.start',
    new: 'mrr-movement.new',
    reactivation: 'mrr-movement.reactivation',
    expansion: 'mrr-movement.expansion',
    contraction: 'mrr-movement.contraction',
    churn: 'mrr-movement.churn',
    end: 'mrr-movement.end',
  },
})

const revenue = metric({
  name: 'revenue',
  summary: 'Gross, refunds and net',
  definition:
    'gross is the sum of all charges, refunds the sum of all refunds and chargebacks less their reversals, net the difference; each on the day of its money line.',
  charts: { gross: 'revenue.gross', refunds: 'revenue.refunds', net: 'revenue.net' },
})

const churn = metric({
  name: 'churn',
  summary: 'Purchases that stopped being paid for',
  definition:
    'rate is churned, the purchases that left their paid status in the cell, by start, those paid at its start.',
  charts: { start: 'subscription-movement.start', churned: 'churned-subscriptions', rate: 'churn-rate' },
})

const trials = metric({
  name: 'trials',
  summary: 'Trials that began, and what became of them',
  definition:
    'starts are the trials that began in the cell, converted those of them that were charged at whatever later time, pending those that may still be; conversion is converted by starts.',
  charts: {
    starts: 'new-trials',
    converted: 'converted-trials',
    pending: 'pending-trials',
    conversion: 'trial-conversion',
  },
})

const refunds = metric({
  name: 'refunds',
  summary: 'Share of charges that were given back',
  definition:
    'Charges above zero of which something was given back, at whatever later time, by all charges above zero; on the day of the charge. A reversed refund is not refunded.',
  charts: { rate: 'refund-rate' },
})

const proceeds = metric({
  name: 'proceeds',
  summary: 'Net less what the stores keep',
  definition:
    'Net less commission: the project’s commissionRates, else 15 % of Google subscriptions, of other iOS and Android purchases 30 % in the first year from the first paid charge and 15 % after it, and nothing at the payment provider. Returned money gives its commission back.',
  charts: { proceeds: 'proceeds' },
})

const active = metric({
  name: 'active',
  summary: 'Active subscriptions and trials',
  definition: 'Purchases that give access at the end of the cell: active are paid for, trials are in their trial.',
  charts: { active: 'active-subscriptions', trials: 'active-trials' },
})

export const METRICS: readonly Metric[] = [mrr, mrrMovement, revenue, churn, trials, refunds, proceeds, active]

/** What a summary has the totals of. */
export const SUMMED: readonly Metric[] = [revenue, proceeds, mrr, active, churn, trials, refunds]
