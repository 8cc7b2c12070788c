import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import type { Grain } from '../figures/cells'
import { type Life, readLives } from '../figures/lives'
import { localDays } from '../figures/local-days'
import { countActive, countPayers, netOfPayers } from '../figures/people'
import type { FigureRequest } from '../figures/scope'
import { type CellFigures, type GroupFigures, readFigures } from '../figures/series'
import type { GroupBy, SumScope } from '../figures/sums'
import { SUMMED } from './list'
import { ltvValues } from './ltv'
import { flowUnconverted, type Metric, type MetricValues } from './metric'
import { retentionValues } from './retention'

/** The answer of a metric (wire 7.11). Money is USD micros. */
export interface MetricAnswer {
  grain: Grain
  currency: string
  series: Series
  groups?: { key: string | null; series: Series; totals: MetricValues }[]
  totals: MetricValues
  unconverted: number
}

export type Series = { start: string; values: MetricValues }[]

/** A metric that follows from sums of entries. */
export function readMetric(ctx: Context, metric: Metric, request: FigureRequest): Promise<MetricAnswer> {
  return ctx.storage.readInThread(async (handle) => {
    const whole = await figuresOf(handle, request, null)
    const { groupBy } = request.scope
    const groups = groupBy === null ? null : await readFigures(handle, request.scope, request.cells)
    const toSeries = (cells: readonly CellFigures[]) =>
      cells.map((one) => ({ start: toIso(one.cell.start), values: metric.valuesOf(one) }))
    return {
      grain: request.grain,
      currency: 'USD',
      series: toSeries(whole.cells),
      ...(groups && {
        groups: groups.map(({ group, cells, total }) => ({
          key: group,
          series: toSeries(cells),
          totals: metric.valuesOf(total),
        })),
      }),
      totals: metric.valuesOf(whole.total),
      unconverted: metric.unconvertedOf(whole.total),
    }
  })
}

async function figuresOf(handle: Handle, { scope, cells }: FigureRequest, groupBy: null): Promise<GroupFigures> {
  const [whole] = await readFigures(handle, { ...scope, groupBy }, cells)
  if (!whole) throw new Error('figures without a group')
  return whole
}

/** Values of a cell that are no sums of entries: they are asked of the database for each cell and group. */
type Ask = (handle: Handle, scope: SumScope, figures: CellFigures) => Promise<MetricValues>

/** Lifetime value of the payers of each cell, and of those of the whole window. */
export const readLtv = (ctx: Context, request: FigureRequest): Promise<MetricAnswer> =>
  readAsked(ctx, request, async (handle, scope, { cell }) => ltvValues(await netOfPayers(handle, scope, cell)))

/** The totals of all metrics, and revenue for each active subscriber and each payer. */
export const readSummary = (ctx: Context, request: FigureRequest): Promise<MetricAnswer> =>
  readAsked(ctx, request, async (handle, scope, figures) => ({
    ...totalsOf(figures),
    ...(await averagesOf(handle, scope, figures)),
  }))

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

function readAsked(ctx: Context, request: FigureRequest, ask: Ask): Promise<MetricAnswer> {
  const { grain, scope, cells } = request
  return ctx.storage.readInThread(async (handle) => {
    const whole = await figuresOf(handle, request, null)
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

/** Where two metrics have a value of the same name, it is named after its metric. */
const totalsOf = (figures: CellFigures): MetricValues =>
  Object.assign(
    {},
    ...SUMMED.map(({ name, valuesOf }) => {
      const values = valuesOf(figures)
      return 'rate' in values ? { ...values, rate: undefined, [`${name}Rate`]: values.rate } : values
    }),
  )

async function averagesOf(handle: Handle, scope: SumScope, { cell, sums }: CellFigures): Promise<MetricValues> {
  const net = sums.gross - sums.refunds
  const [active, payers] = [await countActive(handle, scope, cell), await countPayers(handle, scope, cell)]
  return { arpu: perHead(net, active), arppu: perHead(net, payers) }
}

const perHead = (micros: number, heads: number): number | null =>
  heads === 0 ? null : Math.sign(micros) * Math.round(Math.abs(micros) / heads)
