import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatDate, formatMoney, formatNumber } from '../../../lib/format'
import { useReading } from '../../../lib/session'
import { useText } from '../../../text/catalogue'

export interface DayBar {
  date: string
  micros: number
  count: number
}

interface DayBarsProps {
  /** Says what is drawn. */
  label: string
  days: readonly DayBar[]
  currency: string
  /** What the count of a day counts. */
  unit: string
}

const HEIGHT = 180
const BOTTOM = 22
const TOP = 10

/** One bar for each day; gains above the line of zero and losses below. The table under it has every figure. */
export function DayBars({ label, days, currency, unit }: DayBarsProps) {
  const [place, width] = useWidth()
  const reading = useReading()
  const [at, setAt] = useState<number | null>(null)
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') setAt(Math.min(days.length - 1, (at ?? -1) + 1))
    if (key === 'ArrowLeft') setAt(Math.max(0, (at ?? days.length) - 1))
    if (key === 'Escape') setAt(null)
  }
  const shown = at === null ? undefined : days[at]
  return (
    <div ref={place} className="min-w-0">
      <p aria-live="polite" className="min-h-5 text-sm tabular-nums">
        {shown && (
          <>
            <span className="text-ink-2">{formatDate(reading, shown.date)}</span>{' '}
            <strong className="font-medium">{formatMoney(reading, shown.micros, currency)}</strong>{' '}
            <span className="text-ink-2">
              {formatNumber(reading, shown.count)} {unit}
            </span>
          </>
        )}
      </p>
      <div role="group" aria-label={label} tabIndex={0} onKeyDown={onKey} onMouseLeave={() => setAt(null)}>
        {width > 0 && <Bars days={days} currency={currency} width={width} at={at} onAt={setAt} />}
      </div>
    </div>
  )
}

interface BarsProps {
  days: readonly DayBar[]
  currency: string
  width: number
  at: number | null
  onAt: (at: number) => void
}

function Bars({ days, currency, width, at, onAt }: BarsProps) {
  const reading = useReading()
  // Where nothing costs anything, as with trials alone, the bars count.
  const isMoney = days.some(({ micros }) => micros !== 0)
  const values = days.map(({ micros, count }) => (isMoney ? micros : count))
  const most = Math.max(1, ...values)
  const least = Math.min(0, ...values)
  const y = (value: number) => TOP + ((most * 1.08 - value) / (most * 1.08 - least * 1.08)) * (HEIGHT - TOP - BOTTOM)
  const step = width / days.length
  const labelled = Math.max(1, Math.ceil(56 / step))
  return (
    <svg aria-hidden="true" width={width} height={HEIGHT} className="block">
      <text x={0} y={TOP + 2} fontSize={11} fill="var(--ink-2)">
        {isMoney ? formatMoney(reading, most, currency, { compact: true }) : formatNumber(reading, most)}
      </text>
      <line x1={0} x2={width} y1={y(most)} y2={y(most)} stroke="var(--grid)" />
      {days.map(({ date }, index) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the group around it does the same by keys
        <g key={date} onMouseEnter={() => onAt(index)}>
          <rect
            x={index * step}
            y={0}
            width={step}
            height={HEIGHT - BOTTOM}
            fill={at === index ? 'var(--hover)' : 'transparent'}
          />
          {values[index] !== 0 && (
            <rect
              x={index * step + Math.min(2, step / 6)}
              y={Math.min(y(values[index] ?? 0), y(0))}
              width={Math.max(1, step - Math.min(4, step / 3))}
              height={Math.max(1, Math.abs(y(values[index] ?? 0) - y(0)))}
              rx={2}
              fill={(values[index] ?? 0) < 0 ? 'var(--n1)' : 'var(--d1)'}
            />
          )}
          {index % labelled === 0 && (index + 0.6) * step + 30 < width && (
            <text x={index * step + 2} y={HEIGHT - 6} fontSize={11} fill="var(--ink-2)">
              {formatDate(reading, date, false)}
            </text>
          )}
        </g>
      ))}
      <line x1={0} x2={width} y1={y(0)} y2={y(0)} stroke="var(--line-2)" />
    </svg>
  )
}

function useWidth() {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [place, width] as const
}

/** The same days as a table, closed until it is wanted. */
export function DayTable({ label, days, currency, unit }: DayBarsProps) {
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
                <td className="px-3">{formatDate(reading, date)}</td>
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
