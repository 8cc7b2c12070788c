import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../api/schemas'
import { Card } from '../../kit/card'
import { cellNames, runningCell } from '../../kit/charts/cells'
import { formatUnit, isLarge } from '../../kit/charts/units'
import { PlainTable } from '../../kit/table'
import { useProject, useReading } from '../../lib/session'
import { instantIn } from '../../parts/chart-window'
import { useText } from '../../text/catalogue'
import type { Asked } from './asked'
import { drawn, isGrouped, partOf, rowsOf } from './figures'
import { useRowsHref } from './links'
import { groupName, seriesOf, type TotalSeries, titleOf, valueName } from './series'
import { isEnd } from './shape'

interface TableProps {
  asked: Asked
  figures: Schemas['ChartFigures']
}

/** A figure as the link to its rows; without rows as text. */
export const FigureLink = ({ href, children }: { href: string | null; children: ReactNode }) =>
  href === null ? (
    children
  ) : (
    <Link href={href} className="hover:text-accent hover:underline">
      {children}
    </Link>
  )

/** Every number of the chart, the newest period first. */
export function ChartTable({ asked, figures }: TableProps) {
  const t = useText('charts')
  const reading = useReading()
  const { project } = useProject()
  const href = useRowsHref()
  const columns = columnsOf(t, asked, figures)
  const starts = figures.series.map(({ start }) => start)
  const names = cellNames(starts, figures.grain, reading.locale, project.timezone)
  const until = asked.window.to ? instantIn(project.timezone, asked.window.to) : asked.openedAt
  const running = asked.knownAt ? null : runningCell(starts, until, asked.openedAt)
  const whole = isLarge(figures.unit, Object.values(figures.totals))
  const text = (value: number | null | undefined) =>
    value === null || value === undefined ? '—' : formatUnit(reading, figures.unit, value, { whole })
  const cellHref = (column: TotalSeries, cell: number, isWhole = false) => {
    const rows = rowsOf(asked, column)
    return rows ? href(starts[cell] ?? '', rows, isWhole) : null
  }
  return (
    <Card flush>
      <PlainTable
        keepsColumns
        label={titleOf(t, asked.chart)}
        rows={starts.map((_, cell) => starts.length - 1 - cell)}
        keyOf={(cell) => starts[cell] ?? String(cell)}
        columns={[
          {
            title: t.period,
            cell: (cell) => (
              <span className="whitespace-nowrap">
                {names[cell]?.title}
                {cell === running && <span className="text-ink-2"> {t.soFar}</span>}
              </span>
            ),
          },
          ...columns.map((column) => ({
            title: column.name,
            isNumber: true,
            cell: (cell: number) => (
              <FigureLink href={column.values[cell] === null ? null : cellHref(column, cell)}>
                {text(column.values[cell])}
              </FigureLink>
            ),
          })),
        ]}
        foot={
          <tfoot>
            <tr className="h-9 border-t border-line bg-sunken font-medium">
              <th scope="row" className="px-4 text-left font-medium max-md:sticky max-md:left-0 max-md:bg-sunken">
                {t.sum}
              </th>
              {columns.map((column) => (
                <td key={column.key} className="px-4 text-right tabular-nums">
                  <FigureLink href={column.total === null ? null : cellHref(column, 0, true)}>
                    {text(column.total)}
                  </FigureLink>
                </td>
              ))}
            </tr>
          </tfoot>
        }
      />
    </Card>
  )
}

/** The series as they are drawn, and what a movement starts and ends with. */
function columnsOf(t: Parameters<typeof drawn>[0], asked: Asked, figures: TableProps['figures']): TotalSeries[] {
  const series = drawn(t, asked, figures)
  if (isGrouped(asked)) return series
  const part = partOf(asked, figures)
  const ends = asked.chart.values.filter(isEnd).map(
    (value): TotalSeries => ({
      ...{ key: value, name: valueName(t, asked.chart, value), kind: 'line', color: 'ink', value, isSwitch: false },
      values: part.series.map(({ values }) => values[value] ?? null),
      total: part.totals[value] ?? null,
    }),
  )
  const [start, end] = [ends.filter(({ key }) => key === 'start'), ends.filter(({ key }) => key === 'end')]
  return [...start, ...series, ...end]
}

/** What each group comes to, the largest first. */
export function GroupTable({ asked, figures }: TableProps) {
  const t = useText('charts')
  const reading = useReading()
  const href = useRowsHref()
  const start = figures.series[0]?.start ?? ''
  const rows = (figures.groups ?? []).map((group) => ({ ...group, series: seriesOf(t, asked.chart, group) }))
  const size = (row: (typeof rows)[number]) => Math.abs(row.series.at(-1)?.total ?? 0)
  const names = seriesOf(t, asked.chart, figures)
  const whole = isLarge(figures.unit, Object.values(figures.totals))
  return (
    <Card flush title={t.groupsTable}>
      <PlainTable
        keepsColumns
        label={t.groupsTable}
        rows={rows.toSorted((a, b) => size(b) - size(a))}
        keyOf={({ key }) => `=${key ?? ''}`}
        columns={[
          { title: asked.by ? t.filters[asked.by] : t.group, cell: ({ key }) => groupName(t, key) },
          ...names.map((name, index) => ({
            title: name.name,
            isNumber: true,
            cell: ({ key, series }: (typeof rows)[number]) => {
              const one = series[index]
              const of = one && rowsOf(asked, { value: one.value, group: key ?? '' })
              return (
                <FigureLink href={of ? href(start, of, true) : null}>
                  {one?.total === null || one === undefined
                    ? '—'
                    : formatUnit(reading, figures.unit, one.total, { whole })}
                </FigureLink>
              )
            },
          })),
        ]}
      />
    </Card>
  )
}
