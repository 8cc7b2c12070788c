import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { betweenSteps } from '../../base/jobs/steps'
import { toIso } from '../../base/lib/time'
import { readNumbers } from '../clickhouse/numbers'
import { inReport } from '../figures/report'
import type { FigureRequest } from '../figures/scope'
import { type CellFigures, type GroupFigures, readFigures, readWhole } from '../figures/series'
import { headOf, type MetricAnswer, type MetricValues, type Series } from './service'

type SumScope = FigureRequest['scope']
type GroupBy = NonNullable<SumScope['groupBy']>

/** Values of a cell that are no sums of entries: they are asked of the database for each cell and group. */
export type Ask = (handle: Handle, scope: SumScope, figures: CellFigures) => Promise<MetricValues>

export function readAsked(ctx: Context, request: FigureRequest, ask: Ask): Promise<MetricAnswer> {
  const { scope, cells, rate } = request
  const step = betweenSteps(ctx.turn?.signal)
  return readNumbers(ctx, async (handle) => {
    const { groupBy } = scope
    const whole = await readWhole(handle, request)
    const shown = inReport(rate, whole, groupBy === null ? null : await readFigures(handle, scope, cells))
    const answer = await askAll(handle, { ...scope, groupBy: null }, shown.whole, { ask, step })
    const common = { ...headOf(request), ...answer, unconverted: whole.total.sums.unconverted }
    if (groupBy === null) return common
    const groups = []
    for (const one of shown.groups ?? []) {
      const own = { ...scope, groupBy: null, filters: narrowed(scope.filters, groupBy, one.group) }
      groups.push({ key: one.group, ...(await askAll(handle, own, one, { ask, step })) })
    }
    return { ...common, groups }
  })
}

const narrowed = (filters: SumScope['filters'], groupBy: GroupBy, group: string | null): SumScope['filters'] => ({
  ...filters,
  [groupBy]: [group],
})

interface Asking {
  ask: Ask
  step: () => Promise<void>
}

async function askAll(
  handle: Handle,
  scope: SumScope,
  { cells, total }: GroupFigures,
  { ask, step }: Asking,
): Promise<{ series: Series; totals: MetricValues }> {
  const series: Series = []
  for (const one of cells) {
    series.push({ start: toIso(one.cell.start), values: await ask(handle, scope, one) })
    await step()
  }
  return { series, totals: await ask(handle, scope, total) }
}
