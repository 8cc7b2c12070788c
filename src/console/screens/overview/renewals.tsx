import { Link } from 'wouter'
import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card } from '../../kit/card'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { formatDate, formatMoney, formatNumber } from '../../lib/format'
import { useProject, useReading } from '../../lib/session'
import { useHref } from '../../parts/use-href'
import { useText } from '../../text/catalogue'
import { CALENDAR, inEnvironment } from './asked'

const DAYS = 7

/** The renewals of the next seven days. */
export function RenewalsAhead() {
  const t = useText('overview')
  const here = useProject()
  const calendar = useRead(CALENDAR, inEnvironment(here), { every: 60_000 })
  const href = useHref()
  return (
    <Card
      title={t.renewalsAhead}
      aside={
        <Link href={href('/revenue/renewals')} className="text-accent hover:underline">
          {t.calendar}
        </Link>
      }
    >
      {calendar.error && !calendar.data ? (
        <Failure error={calendar.error} onRetry={() => void calendar.refetch()} />
      ) : calendar.data ? (
        <Days calendar={calendar.data} />
      ) : (
        <Skeleton lines={3} />
      )}
    </Card>
  )
}

function Days({ calendar: { days } }: { calendar: Schemas['RenewalCalendar'] }) {
  const t = useText('overview')
  const reading = useReading()
  const href = useHref()
  const shown = days.slice(0, DAYS)
  const most = Math.max(...shown.map(({ renewals }) => renewals))
  if (most <= 0) return <Empty title={t.noRenewals} />
  const amount = shown.reduce((sum, one) => sum + one.amountMicros, 0)
  const unconverted = shown.reduce((sum, one) => sum + one.unconverted, 0)
  return (
    <>
      <ol className="grid grid-cols-7 gap-1.5 text-center text-xs">
        {shown.map(({ date, renewals }) => (
          <li key={date} className="grid">
            <Link
              href={href('/revenue', { renewsFrom: date, renewsTo: date })}
              title={t.renewalDay(formatDate(reading, date), formatNumber(reading, renewals))}
              className="grid gap-1 rounded-inner hover:bg-hover"
            >
              <span className="sr-only">
                {t.renewalDay(formatDate(reading, date), formatNumber(reading, renewals))}
              </span>
              <span aria-hidden="true" className="font-medium tabular-nums">
                {formatNumber(reading, renewals)}
              </span>
              <span aria-hidden="true" className="flex h-9 items-end overflow-hidden rounded-inner bg-track">
                <span
                  className="w-full rounded-inner bg-d3"
                  style={{ height: `${Math.round((100 * renewals) / most)}%` }}
                />
              </span>
              <span aria-hidden="true" className="text-ink-2 tabular-nums">
                {Number(date.slice(8))}
              </span>
            </Link>
          </li>
        ))}
      </ol>
      <p className="pt-2 text-xs text-ink-2">
        {t.renewalSum(formatMoney(reading, amount, 'USD'))}
        {` ${t.renewalUnconverted(formatNumber(reading, unconverted))}`}
      </p>
    </>
  )
}
