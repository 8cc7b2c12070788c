import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment, Store } from '../../stores/observation'
import type { Grain } from '../figures/cells'
import { findReportRate, type ReportRate } from '../figures/report-rate'
import { type FigureRequest, readFigureQuery } from '../figures/scope'
import { GROUPS, type GroupBy, type SumScope } from '../figures/sums'
import { readInstant, readKnownBefore } from '../figures/window'
import { type Chart, FILTER_NAMES, isEntryChart, isMoney } from './chart'
import { readOwners } from './owners'

/** What a call of a chart can name, as it is sent. */
export interface ChartQuery {
  from?: string | undefined
  to?: string | undefined
  grain?: Grain | undefined
  groupBy?: GroupBy | undefined
  environment?: PurchaseEnvironment | undefined
  knownAt?: string | undefined
  store?: string | undefined
  product?: string | undefined
  country?: string | undefined
  platform?: string | undefined
  offering?: string | undefined
  placement?: string | undefined
  variant?: string | undefined
  price?: string | undefined
  audience?: string | undefined
  cohort?: string | undefined
  currency?: string | undefined
  rateDate?: string | undefined
}

const STORES: readonly Store[] = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT', 'MANUAL']
const MAX_VALUES = 100

/**
 * Reads the query of a chart. 400 `VALIDATION_ERROR` for a member that the chart does not take. Without `to`, a chart as
 * it was known at a time ends there.
 */
export async function readChartQuery(
  ctx: Context,
  project: ProjectState,
  chart: Chart,
  query: ChartQuery,
): Promise<FigureRequest> {
  if (!ctx.config.isAnalyticsOn) throw new AppError('ANALYTICS_UNAVAILABLE')
  const named = query.groupBy
  if (named && !chart.filters.includes(named)) throw invalid(`groupBy: ${chart.id} cannot be grouped by ${named}`)
  for (const name of FILTER_NAMES)
    if (query[name] !== undefined && !chart.filters.includes(name))
      throw invalid(`${name}: ${chart.id} does not take it; its filters are ${chart.filters.join(', ') || 'none'}`)
  const filters = readFilters(query)
  const to = query.to ?? toIso(endOfWindow(ctx, project, query))
  const request = readFigureQuery(ctx, project, { ...query, to, filters })
  const owners = await readOwners(ctx, project, query)
  const scope = { ...request.scope, ...(owners && { owners }), ...(isEntryChart(chart) && { kinds: chart.kinds }) }
  return { ...request, scope, rate: await rateOf(ctx, project, chart, query) }
}

/** Charts without money are shown also while the project's currency has no rate. */
function rateOf(ctx: Context, project: ProjectState, chart: Chart, query: ChartQuery): Promise<ReportRate | null> {
  const { currency = isMoney(chart) ? undefined : 'USD' } = query
  return findReportRate(ctx, project, { ...query, currency })
}

/** The end of a window: as it is named, else now, or when what was known ends. A date counts with the whole of its day. */
export function endOfWindow(
  ctx: Context,
  { timezone }: ProjectState,
  { to, knownAt }: Pick<ChartQuery, 'to' | 'knownAt'>,
): number {
  const now = ctx.clock.now()
  if (to !== undefined) return readInstant('to', to, timezone)
  const before = readKnownBefore(knownAt, timezone)
  if (before === null || knownAt === undefined) return now
  return Math.min(now, knownAt.length > 10 ? before - 1 : before)
}

function readFilters(query: ChartQuery): SumScope['filters'] {
  const given = GROUPS.flatMap((name) => {
    const text = query[name]
    return text === undefined ? [] : [[name, readValues(name, text)] as const]
  })
  return Object.fromEntries(given)
}

/** Values with commas between; an empty one selects entries that name none. */
function readValues(name: GroupBy, text: string): (string | null)[] {
  const values = text.split(',').map((value) => (value === '' ? null : value))
  if (values.length > MAX_VALUES) throw invalid(`${name}: at most ${MAX_VALUES} values`)
  if (name === 'store')
    for (const value of values)
      if (!STORES.some((store) => store === value)) throw invalid(`store: one or more of ${STORES.join(', ')}`)
  return values
}
