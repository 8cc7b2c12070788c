import { Link } from 'wouter'
import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card } from '../../kit/card'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { formatDate, formatMoney, formatNumber } from '../../lib/format'
import { useProject, useReading } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { CALENDAR, inEnvironment } from './asked'

const DAYS = 7

/** The renewals of the next seven days. */
export function RenewalsAhead() {
  const t = useText('overview')
  const here = useProject()
  const { base, environment } = here
  const calendar = useRead(CALENDAR, inEnvironment(here))
  const query = environment === 'SANDBOX' ? '?env=sandbox' : ''
  return (
    <Card
      title={t.renewalsAhead}
      aside={
        <Link href={`${base}/revenue/renewals${query}`} className="text-accent hover:underline">
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

function Days({ calendar: { days, unconverted } }: { calendar: Schemas['RenewalCalendar'] }) {
  const t = useText('overview')
  const reading = useReading()
  const shown = days.slice(0, DAYS)
  const most = Math.max(...shown.map(({ renewals }) => renewals))
  if (most <= 0) return <Empty title={t.noRenewals} />
  const amount = shown.reduce((sum, one) => sum + one.amountMicros, 0)
  return (
    <>
      <ol className="grid grid-cols-7 gap-1.5 text-center text-xs">
        {shown.map(({ date, renewals }) => (
          <li
            key={date}
            className="grid gap-1"
            title={t.renewalDay(formatDate(reading, date), formatNumber(reading, renewals))}
          >
            <span className="font-medium tabular-nums">{formatNumber(reading, renewals)}</span>
            <span aria-hidden="true" className="flex h-9 items-end overflow-hidden rounded-inner bg-track">
              <span
                className="w-full rounded-inner bg-d3"
                style={{ height: `${Math.round((100 * renewals) / most)}%` }}
              />
            </span>
            <span className="text-ink-2 tabular-nums">{Number(date.slice(8))}</span>
          </li>
        ))}
      </ol>
      <p className="pt-2 text-xs text-ink-2">
        {t.renewalSum(formatMoney(reading, amount, 'USD'))}
        {unconverted > 0 && ` ${t.renewalUnconverted(formatNumber(reading, unconverted))}`}
      </p>
    </>
  )
}
