import type { Schemas } from '../../api/schemas'

type Chart = Schemas['Chart']

export type Shape = 'bars' | 'area' | 'line' | 'movement' | 'balance' | 'stack' | 'heat'

const HEAT = new Set(['retention', 'revenue-cohorts', 'user-retention'])
const AREA = new Set([
  ...['mrr', 'arr', 'active-subscriptions', 'auto-renewing', 'paused-subscriptions', 'active-trials'],
  ...['weekly-active-users', 'monthly-active-users'],
])
/** Values of a chart that lie beside each other instead of adding up. */
const BESIDE = new Set([
  'ltv',
  'predicted-ltv',
  'renewal-forecast',
  'experiment-conversion',
  'placement-conversion',
  ...['funnel-conversion', 'funnel-steps', 'funnel-sources'],
])
/** Charts of losses. */
const LOST = new Set([
  ...['refunds', 'commission', 'mrr-contraction', 'mrr-churn', 'churned-subscriptions', 'lost-trials'],
  ...['refunded-transactions'],
])

/** Values that take away, which the server sends as positive numbers. */
const TAKING = new Set([
  ...['refunds', 'contraction', 'churn', 'churned', 'ended', 'lost', 'recovered', 'spent', 'withdrawn'],
])

/** How a chart is drawn. */
export function shapeOf({ id, unit, values }: Chart): Shape {
  if (HEAT.has(id)) return 'heat'
  if (values.includes('start') && values.includes('end')) return 'movement'
  if (values.includes('net')) return 'balance'
  if (BESIDE.has(id)) return 'line'
  if (values.length > 1) return 'stack'
  if (AREA.has(id)) return 'area'
  return unit === 'count' || unit === 'USD' ? (MEANS.has(id) ? 'line' : 'bars') : 'line'
}

/** Averages: nothing adds up to them. */
const MEANS = new Set(['average-transaction', 'mrr-per-subscription', 'arpu', 'arppu', 'funnel-session-value'])

export const isLoss = (chart: Chart): boolean => LOST.has(chart.id)

export const isTaking = (value: string): boolean => TAKING.has(value)

/** Stocks of a movement, which the table shows and the bars do not. */
export const isEnd = (value: string): boolean => value === 'start' || value === 'end'

/** Values without rows: averages and expectations. */
const WITHOUT_ROWS: Record<string, readonly string[]> = {
  'average-transaction': ['value'],
  'mrr-per-subscription': ['value'],
  'billing-recovery-time': ['value'],
  'session-length': ['value'],
  'funnel-session-value': ['value'],
  arpu: ['value'],
  arppu: ['value'],
  ltv: ['mean', 'median', 'p90'],
  'predicted-ltv': ['value', 'low', 'high'],
  'renewal-forecast': ['expected'],
}

export const hasRows = (chartId: string, value: string): boolean => !WITHOUT_ROWS[chartId]?.includes(value)

/** The net of a movement is the figure of a chart of its own, whose rows are those of all that it adds up. */
const NETS: Record<string, string> = {
  'mrr-movement': 'mrr-net-change',
  'subscription-movement': 'subscription-net-change',
}
export const netChartOf = (chartId: string): string | null => NETS[chartId] ?? null

/** Whether the rows of a value add up to it. Those of a share are the rows of its numerator. */
export const isSumOfRows = ({ id, unit }: Pick<Chart, 'id' | 'unit'>): boolean =>
  (unit === 'USD' || unit === 'count' || unit === 'ms') && id !== 'billing-recovery-time'

/** Charts with groups of their own, which no query names; their rows need the name of a group. */
const OWN_GROUPS = new Set([
  ...['virtual-currency', 'experiment-conversion', 'placement-conversion'],
  ...['funnel-sessions', 'funnel-conversion', 'funnel-paid-share', 'funnel-steps', 'funnel-sources'],
  ...['funnel-revenue', 'funnel-session-value', 'funnel-claim-share'],
])
export const hasOwnGroups = ({ id }: Pick<Chart, 'id'>): boolean => OWN_GROUPS.has(id)

/** Charts of expected values. */
const AHEAD = new Set(['renewals-due', 'renewal-forecast'])
export const looksAhead = (id: string): boolean => AHEAD.has(id)

export const isHeat = ({ id }: Pick<Chart, 'id'>): boolean => HEAT.has(id)
