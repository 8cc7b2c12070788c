import type { Schemas } from '../../api/schemas'
import { Swatch } from '../../kit/charts/legend'
import type { PlotSeries, SeriesColor } from '../../kit/charts/model'
import { Plot } from '../../kit/charts/plot'
import { formatUnit, isMoney } from '../../kit/charts/units'
import { Empty } from '../../kit/empty'
import { FilterSelect } from '../../kit/filter-select'
import { useReading } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { useText } from '../../text/catalogue'

type QueryResult = Schemas['QueryResult']

const COLORS: readonly SeriesColor[] = ['d1', 'd5', 'd4', 'n1', 'd2']
const MOST_ROWS = 400

/** Bars of one or more columns of numbers, in the order of the rows. */
export function ResultChart({ result }: { result: QueryResult }) {
  const t = useText('charts')
  const common = useText('common')
  const { columns, types, rows } = result
  const numbers = columns.filter((_, index) => types[index] === 'integer' || types[index] === 'number')
  const others = columns.filter((column) => !numbers.includes(column))
  const [x, setX] = useParam('x', others[0] ?? columns[0] ?? '')
  const [y, setY] = useParam('y')
  const drawn = numbers.includes(y) ? [y] : numbers.filter((column) => column !== x).slice(0, COLORS.length)
  if (drawn.length === 0) return <Empty title={t.noNumbers} />
  const series = seriesOf(result, drawn)
  const at = columns.indexOf(x)
  const cells = rows.slice(0, MOST_ROWS).map((row) => {
    const title = shortTime(textOf(row[at]))
    return { title, tick: title.length > 12 ? `${title.slice(0, 11)}…` : title }
  })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
      <div className="flex flex-wrap gap-2">
        <FilterSelect
          label={t.xAxis}
          value={x}
          onChange={(event) => setX(event.target.value)}
          options={columns.map((column) => [column, column])}
        />
        <FilterSelect
          label={t.yAxis}
          value={y}
          onChange={(event) => setY(event.target.value)}
          options={[['', common.all], ...numbers.map((column) => [column, column] as const)]}
        />
      </div>
      <Legend series={series} />
      <ResultPlot label={`${t.result}: ${drawn.join(', ')}`} series={series} cells={cells} />
    </div>
  )
}

interface PlotOfResult {
  label: string
  series: readonly PlotSeries[]
  cells: { title: string; tick: string }[]
}

function ResultPlot({ label, series, cells }: PlotOfResult) {
  const reading = useReading()
  const unit = 'count'
  return (
    <Plot
      label={label}
      cells={cells}
      series={series}
      format={(value) => formatUnit(reading, unit, value)}
      formatTick={(value) => formatUnit(reading, unit, value, { compact: !isMoney(unit) })}
      height={280}
    />
  )
}

const seriesOf = ({ columns, rows }: QueryResult, drawn: readonly string[]): PlotSeries[] =>
  drawn.map((name, index) => {
    const at = columns.indexOf(name)
    return {
      ...{ key: name, name, kind: drawn.length > 1 ? ('line' as const) : ('bar' as const) },
      color: COLORS[index] ?? 'ink-3',
      values: rows.slice(0, MOST_ROWS).map((row) => (typeof row[at] === 'number' ? row[at] : null)),
    }
  })

const Legend = ({ series }: { series: readonly PlotSeries[] }) => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
    {series.map((one) => (
      <li key={one.key} className="inline-flex items-center gap-1.5 font-mono">
        <Swatch series={one} />
        {one.name}
      </li>
    ))}
  </ul>
)

/** The day of a time at midnight. */
const shortTime = (text: string): string => text.replace(/T00:00:00(\.000)?Z$/, '')

/** A value of a result as text; a dash for null. */
export const textOf = (value: unknown): string =>
  value === null || value === undefined ? '—' : typeof value === 'object' ? JSON.stringify(value) : String(value)
