import type { Handle } from '../../base/db/handle'
import { DAY } from '../../base/lib/clock'
import { roundHalfAway } from '../../core/money/money'
import type { FigureRequest } from '../figures/scope'
import { type GroupFigures, readFigures, readWhole } from '../figures/series'
import type { SumScope } from '../figures/sums'
import { untilOf } from './all-lives'
import { type AskedChart, type ChartFigures, type ChartSeries, FILTER_NAMES } from './chart'
import { entryRows } from './entry-rows'
import { type Flow, valueIn } from './figure'

interface ForecastChart extends Omit<AskedChart, 'ask' | 'filters' | 'rows'> {
  due: Flow
}

/** How far back the share of renewals is looked at. */
const BACK = 365 * DAY

/** A chart of what is due in each cell, and of the share of it that is to be expected. */
export const forecastChart = ({ due, ...about }: ForecastChart): AskedChart => ({
  ...about,
  filters: FILTER_NAMES,
  rows: { due: entryRows(due) },
  ask: (handle, request) => ask(handle, request, due),
})

async function ask(handle: Handle, request: FigureRequest, due: Flow): Promise<ChartFigures> {
  const { scope, cells } = request
  const whole = await readWhole(handle, request)
  const renewed = await countRenewals(handle, scope)
  const toSeries = ({ cells: own, total }: GroupFigures): ChartSeries => {
    const values = (cell: typeof total) => {
      const micros = valueIn(due, cell) ?? 0
      return { due: micros, expected: renewed && roundHalfAway((micros * renewed.renewals) / renewed.decided) }
    }
    return { series: own.map((one) => ({ start: one.cell.start, values: values(one) })), totals: values(total) }
  }
  const figures = { ...toSeries(whole), unconverted: whole.total.start.unconverted }
  if (scope.groupBy === null) return figures
  const groups = await readFigures(handle, scope, cells)
  return { ...figures, groups: groups.map((one) => ({ key: one.group, ...toSeries(one) })) }
}

/** Null when nothing was to be renewed. */
async function countRenewals(handle: Handle, scope: SumScope): Promise<{ renewals: number; decided: number } | null> {
  const end = untilOf(scope)
  const { total } = await readWhole(handle, { scope, cells: [{ start: end - BACK, end }] })
  const { renewals, paidOut } = total.sums
  const decided = renewals + paidOut
  return decided === 0 ? null : { renewals, decided }
}
