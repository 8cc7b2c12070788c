import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import { readNumbers } from '../clickhouse/numbers'
import { type Life, readLives } from '../figures/lives'
import { localDays } from '../figures/local-days'
import { netOfPayers } from '../figures/people'
import type { FigureRequest } from '../figures/scope'
import { type CellFigures, type GroupFigures, readFigures, readWhole } from '../figures/series'
import { ltvValues } from './ltv'
import { flowUnconverted, type MetricValues } from './metric'
import { retentionValues } from './retention'
import type { MetricAnswer, Series } from './service'

type SumScope = FigureRequest['scope']
type GroupBy = NonNullable<SumScope['groupBy']>

/** Values of a cell that are no sums of entries: they are asked of the database for each cell and group. */
export type Ask = (handle: Handle, scope: SumScope, figures: CellFigures) => Promise<MetricValues>

/** Lifetime value of the payers of each cell, and of those of the whole window. */
export const readLtv = (ctx: Context, request: FigureRequest): Promise<MetricAnswer> =>
  readAsked(ctx, request, async (handle, scope, { cell }) => ltvValues(await netOfPayers(handle, scope, cell)))

/** How long those who began in each cell stay. The whole window is one cohort more. */
export function readRetention(ctx: Context, project: ProjectState, request: FigureRequest): Promise<MetricAnswer> {
  const days = localDays(project.timezone)
  const read = new Map<SumScope, Promise<Life[]>>() // The cells of a group are of the same lives.
  return readAsked(ctx, request, async (handle, scope, { cell }) => {
    const lives = read.get(scope) ?? readLives(handle, scope)
    read.set(scope, lives)
    const until = Math.min(scope.now, scope.knownBefore ?? scope.now)
    return retentionValues(await lives, cell, days, until)
  })
}

export function readAsked(ctx: Context, request: FigureRequest, ask: Ask): Promise<MetricAnswer> {
  const { grain, scope, cells } = request
  return readNumbers(ctx, async (handle) => {
    const whole = await readWhole(handle, request)
    const answer = await askAll(handle, { ...scope, groupBy: null }, whole, ask)
    const common = { grain, currency: 'USD', ...answer, unconverted: flowUnconverted(whole.total) }
    const { groupBy } = scope
    if (groupBy === null) return common
    const groups = []
    for (const one of await readFigures(handle, scope, cells)) {
      const own = { ...scope, groupBy: null, filters: narrowed(scope.filters, groupBy, one.group) }
      groups.push({ key: one.group, ...(await askAll(handle, own, one, ask)) })
    }
    return { ...common, groups }
  })
}

const narrowed = (filters: SumScope['filters'], groupBy: GroupBy, group: string | null): SumScope['filters'] => ({
  ...filters,
  [groupBy]: [group],
})

async function askAll(
  handle: Handle,
  scope: SumScope,
  { cells, total }: GroupFigures,
  ask: Ask,
): Promise<{ series: Series; totals: MetricValues }> {
  const series: Series = []
  for (const one of cells) series.push({ start: toIso(one.cell.start), values: await ask(handle, scope, one) })
  return { series, totals: await ask(handle, scope, total) }
}
