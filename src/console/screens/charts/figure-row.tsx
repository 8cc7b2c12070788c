import { Link } from 'wouter'
import { Swatch } from '../../kit/charts/legend'
import { changeOf } from '../../kit/charts/units'
import { cx } from '../../lib/class-names'
import { formatShare } from '../../lib/format'
import { useReading } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import type { Asked } from './asked'
import type { TotalSeries } from './series'

interface FigureRowProps {
  asked: Asked
  series: readonly TotalSeries[]
  /** The sum of the same series in the period before. */
  before: number | null
  format: (value: number) => string
  hrefOf: (series: TotalSeries) => string | null
}

/** The figures of the whole window: legend and switch of the series, and the way to their rows. */
export const FigureRow = ({ asked, series, before, format, hrefOf }: FigureRowProps) => (
  <div className="grid grid-cols-2 border-b border-line sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
    {series.map((one, index) => (
      <div
        key={one.key}
        className="min-w-0 px-4 py-3 only:col-span-full sm:border-l sm:border-line sm:first:border-l-0"
      >
        <Name asked={asked} series={one} />
        <div className="flex flex-wrap items-baseline gap-x-2 pl-4.5">
          <Total text={one.total === null ? '—' : format(one.total)} href={hrefOf(one)} />
          {(series.length === 1 || (one.key === 'net' && index === series.length - 1)) && (
            <Change total={one.total} before={before} />
          )}
        </div>
      </div>
    ))}
  </div>
)

function Name({ asked, series }: { asked: Asked; series: TotalSeries }) {
  const t = useText('charts')
  const [, set] = useParams()
  const isHidden = asked.hidden.has(series.key)
  const inner = (
    <>
      <Swatch series={isHidden ? { ...series, color: 'ink-3' } : series} />
      <span className={cx('truncate', isHidden && 'line-through')}>{series.name}</span>
    </>
  )
  const look = 'flex max-w-full items-center gap-2 text-xs text-ink-2'
  if (!series.isSwitch) return <p className={cx(look, 'min-h-6')}>{inner}</p>
  const toggle = () => {
    const next = new Set(asked.hidden)
    isHidden ? next.delete(series.key) : next.add(series.key)
    set({ hidden: [...next].filter(Boolean).join(',') })
  }
  return (
    <button
      type="button"
      aria-pressed={!isHidden}
      title={t.showSeries(series.name)}
      onClick={toggle}
      className={cx(look, 'min-h-6 rounded-chip hover:text-ink')}
    >
      {inner}
    </button>
  )
}

const Total = ({ text, href }: { text: string; href: string | null }) =>
  href === null ? (
    <span className="text-lg font-medium tabular-nums">{text}</span>
  ) : (
    <Link href={href} className="text-lg font-medium tabular-nums hover:text-accent hover:underline">
      {text}
    </Link>
  )

function Change({ total, before }: { total: number | null; before: number | null }) {
  const reading = useReading()
  const change = total === null || before === null ? null : changeOf(total, before)
  if (change === null) return null
  return <span className="text-xs font-medium text-ink-2 tabular-nums">{formatShare(reading, change, true)}</span>
}
