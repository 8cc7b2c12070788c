import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { ProjectState } from '../../projects/project/state'
import { inTurn, TURN_REFUSALS } from '../clickhouse/numbers'
import { type CurrencyQuery, findReportRate } from '../figures/report-rate'
import type { FigureQuery } from '../figures/scope'
import type { MetricAnswer } from './service'

/** How a metric is read. */
export interface NamedMetric {
  name: string
  read: (ctx: Context, project: ProjectState, query: FigureQuery) => Promise<MetricAnswer>
}

/** Metrics without money are answered also while the project's currency has no rate. */
const COUNTS: ReadonlySet<string> = new Set(['churn', 'trials', 'refunds', 'active', 'retention'])

/** What a route with a metric can answer. */
export const METRIC_REFUSALS = [
  'ANALYTICS_UNAVAILABLE',
  'ANALYTICS_UNREACHABLE',
  'window_too_large',
  ...TURN_REFUSALS,
] as const

/**
 * A metric in the currency that is asked for, else in the project's, when it is the project's turn. 503
 * `ANALYTICS_UNAVAILABLE` where it is off.
 */
export const answerMetric = (
  ctx: Context,
  call: Pick<Request, 'signal'>,
  metric: NamedMetric,
  project: ProjectState,
  query: FigureQuery & CurrencyQuery,
): Promise<MetricAnswer> => inTurn(ctx, project.id, call, (own) => readNamed(own, metric, project, query))

async function readNamed(
  ctx: Context,
  { name, read }: NamedMetric,
  project: ProjectState,
  { currency, rateDate, ...query }: FigureQuery & CurrencyQuery,
): Promise<MetricAnswer> {
  if (!ctx.config.isAnalyticsOn) throw new AppError('ANALYTICS_UNAVAILABLE')
  const named = currency ?? (COUNTS.has(name) ? 'USD' : undefined)
  const rate = await findReportRate(ctx, project, { currency: named, rateDate })
  return read(ctx, project, { ...query, rate })
}
