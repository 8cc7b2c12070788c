import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { DAY } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import { type Cell, cellsOf } from '../figures/cells'
import type { ReportRate } from '../figures/report-rate'
import type { SumScope } from '../figures/sums'
import { readInstant } from '../figures/window'
import { type Chart, isEntryChart, type ReadRows, type Unit, valueNamesOf } from './chart'
import { entryRows } from './entry-rows'
import { type Flow, partOf, type Stock, unitOf } from './figure'
import { type ChartQuery, endOfWindow, readChartQuery } from './query'

/** What names one figure of a chart. */
export interface RowQuery extends Omit<ChartQuery, 'from'> {
  start: string
  value?: string | undefined
  group?: string | undefined
}

/** The rows of one value of a chart, and in what they count. */
export interface RowReader {
  unit: Unit
  read: ReadRows
  /** What the rows add up to; null = nothing but they themselves tells it. */
  figure: Flow | Stock | null
}

/** A cell, and what counts in it. */
export interface RowRequest {
  reader: RowReader
  cell: Cell
  scope: SumScope
  /** Null = the rows are in USD. */
  rate: ReportRate | null
}

/** Reads the query of a cell's rows; refuses what no chart with the same query would show. */
export async function readRowQuery(
  ctx: Context,
  project: ProjectState,
  chart: Chart,
  query: RowQuery,
): Promise<RowRequest> {
  const { value, group, ...rest } = query
  const cell = cellAt(ctx, project, query)
  const window = { from: toIso(cell.start), to: toIso(cell.end) }
  const { scope, rate } = await readChartQuery(ctx, project, chart, { ...rest, ...window })
  const reader = readerOf(chart, value)
  const own = reader.unit === 'USD' ? rate : null
  if (!isEntryChart(chart) && chart.hasOwnGroups) return { reader: ofGroup(reader, group), cell, scope, rate: own }
  if ((group === undefined) !== (scope.groupBy === null))
    throw invalid('group: name it together with groupBy, and only then')
  return { reader, cell, scope: narrowed(scope, group), rate: own }
}

const ofGroup = ({ read, ...reader }: RowReader, group: string | undefined): RowReader => ({
  ...reader,
  read: (handle, scope, cell, page) => read(handle, scope, cell, page, group),
})

/** More than any day, week or month. */
const LONG = 40 * DAY

/** The cell that starts at the start, or the rest of the one in which the start is; cut where the window ends. */
function cellAt(ctx: Context, project: ProjectState, { grain = 'day', start: given, ...query }: RowQuery): Cell {
  const { timezone } = project
  const start = readInstant('start', given, timezone)
  const until = endOfWindow(ctx, project, query)
  if (start >= until) throw invalid('start: must be earlier than to')
  const [cell] = grain === 'total' ? [] : cellsOf(start, start + LONG, grain, timezone)
  return { start, end: Math.min(until, cell?.end ?? until) }
}

function readerOf(chart: Chart, value: string | undefined): RowReader {
  const names = valueNamesOf(chart)
  const name = value ?? (names.length === 1 ? names[0] : undefined)
  if (name === undefined || !names.includes(name)) throw invalid(`value: one of ${names.join(', ')}`)
  const reader = isEntryChart(chart) ? entryReader(chart.values, name) : askedReader(chart, name)
  if (!reader) throw invalid(`value: ${name} of ${chart.id} has no rows`)
  return reader
}

/** The rows of a share are those of what is divided. */
function entryReader(values: Extract<Chart, { values: unknown }>['values'], name: string): RowReader | null {
  const figure = values[name]
  if (!figure || figure.kind === 'mean') return null
  const counted = partOf(figure)
  return { unit: unitOf(counted), read: entryRows(counted), figure: counted }
}

function askedReader(chart: Extract<Chart, { ask: unknown }>, name: string): RowReader | null {
  const read = chart.rows[name]
  return read ? { unit: chart.rowUnit ?? chart.unit, read, figure: null } : null
}

function narrowed(scope: SumScope, group: string | undefined): SumScope {
  const { groupBy, filters } = scope
  if (groupBy === null || group === undefined) return scope
  const own = group === '' ? null : group
  const named = filters[groupBy]
  return { ...scope, groupBy: null, filters: { ...filters, [groupBy]: named?.includes(own) === false ? [] : [own] } }
}
