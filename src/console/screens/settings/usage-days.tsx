import { cx } from '../../lib/class-names'
import { formatDate, formatNumber } from '../../lib/format'
import { useReading } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { dateOf, lengthOf, type Period, type UsageMeter } from './usage-model'

interface DaysProps {
  period: Period
  meter: UsageMeter
  /** The place of the present day, which is not over. */
  today: number | null
}

/** A bar for each day. Together they are the figure of the month. */
export function UsageDays({ period, meter, today }: DaysProps) {
  const t = useText('usage')
  const reading = useReading()
  const days = meter.daily.slice(0, lengthOf(period))
  const share = meter.limit === null ? null : meter.limit / 30
  const top = Math.max(1, share ?? 0, ...days)
  const dayOf = (index: number) => formatDate(reading, dateOf(period, index), false)
  return (
    <figure className="grid gap-1">
      <div className="relative flex h-20 items-end gap-0.5 border-b border-line-2">
        {share !== null && (
          <span
            aria-hidden
            className="absolute inset-x-0 border-t border-dotted border-ink-2"
            style={{ bottom: `${(share / top) * 100}%` }}
          />
        )}
        <ol aria-label={t.usageByDay} className="flex size-full items-end gap-0.5">
          {days.map((count, index) => (
            <li
              key={index}
              title={`${dayOf(index)}: ${formatNumber(reading, count)}`}
              className="flex h-full min-w-0 flex-1 items-end"
            >
              <span className="sr-only">{`${dayOf(index)}: ${formatNumber(reading, count)}`}</span>
              <span
                aria-hidden
                className={cx('w-full rounded-t-xs', index === today ? TODAY : 'bg-d1')}
                style={{ height: `${(count / top) * 100}%` }}
              />
            </li>
          ))}
        </ol>
      </div>
      <figcaption aria-hidden className="relative flex justify-between text-xs text-ink-2">
        <span>{today !== null && today < LABEL_DAYS ? '' : dayOf(0)}</span>
        {today !== null && (
          <span
            className="absolute -translate-x-1/2 whitespace-nowrap"
            style={{ left: `${Math.min(90, Math.max(10, ((today + 0.5) / days.length) * 100))}%` }}
          >
            {t.usageToday}
          </span>
        )}
        <span>{today !== null && today >= days.length - LABEL_DAYS ? '' : dayOf(days.length - 1)}</span>
      </figcaption>
    </figure>
  )
}

/** As wide as the label of the present day; the labels of the ends give way to it. */
const LABEL_DAYS = 7

const TODAY = 'bg-[repeating-linear-gradient(135deg,var(--d1)_0_2px,transparent_2px_5px)]'
