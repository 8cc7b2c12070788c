import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { PlotSeries } from '../../../kit/charts/model'
import { Plot } from '../../../kit/charts/plot'
import { formatUnit } from '../../../kit/charts/units'
import { formatDate, formatMoney, formatNumber } from '../../../lib/format'
import { useReading } from '../../../lib/session'
import { useText } from '../../../text/catalogue'

export interface DayBar {
  date: string
  micros: number
  count: number
}

interface DayBarsProps {
  /** The name of the chart, for screen readers. */
  label: string
  days: readonly DayBar[]
  currency: string
  /** What the count of a day counts. */
  unit: string
  /** The rows of a day. */
  hrefOf: (date: string) => string
  /** The day that is not over: what came of it so far. */
  running?: string | null
}

const HEIGHT = 200

/** One bar for each day; gains above the line of zero and losses below. The table under it has every figure. */
export function DayBars({ label, days, currency, unit, hrefOf, running = null }: DayBarsProps) {
  const t = useText('revenue')
  const c = useText('common')
  const reading = useReading()
  const [, go] = useLocation()
  // Where nothing costs anything, as with trials alone, the bars count.
  const isMoney = days.some(({ micros }) => micros !== 0)
  const shown = isMoney ? currency : 'count'
  const series: PlotSeries = {
    ...{ key: 'day', name: isMoney ? c.amount : unit, kind: 'bar', color: 'd1', below: 'n1' },
    values: days.map(({ micros, count }) => (isMoney ? micros : count)),
  }
  const runningCell = days.findIndex(({ date }) => date === running)
  return (
    <Plot
      label={label}
      cells={days.map(({ date, count }) => ({
        tick: formatDate(reading, date, false),
        title: `${formatDate(reading, date)}, ${formatNumber(reading, count)} ${unit}`,
      }))}
      series={[series]}
      running={runningCell === -1 ? null : runningCell}
      runningText={t.soFar}
      format={(value) => formatUnit(reading, shown, value)}
      formatTick={(value) => formatUnit(reading, shown, value, { compact: true })}
      isWhole={!isMoney}
      onOpen={(cell) => go(hrefOf(days[cell]?.date ?? ''))}
      height={HEIGHT}
    />
  )
}

/** The same days as a table, closed until it is wanted. */
export function DayTable({ label, days, currency, unit, hrefOf }: DayBarsProps) {
  const t = useText('revenue')
  const reading = useReading()
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="pt-2">
      <summary className="text-xs text-ink-2">{t.asTable}</summary>
      {isOpen && (
        <table className="mt-2 w-full text-sm tabular-nums" aria-label={label}>
          <thead>
            <tr className="h-8 bg-sunken text-xs text-ink-2">
              <th scope="col" className="px-3 text-left font-medium">
                {t.day}
              </th>
              <th scope="col" className="px-3 text-right font-medium">
                {unit}
              </th>
              <th scope="col" className="px-3 text-right font-medium">
                {t.inUsd}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, micros, count }) => (
              <tr key={date} className="h-8 border-t border-line">
                <td className="px-3">
                  <Link href={hrefOf(date)} className="text-accent hover:underline">
                    {formatDate(reading, date)}
                  </Link>
                </td>
                <td className="px-3 text-right">{formatNumber(reading, count)}</td>
                <td className="px-3 text-right">{formatMoney(reading, micros, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  )
}
