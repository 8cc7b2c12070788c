import { Card } from '../../kit/card'
import { cx } from '../../lib/class-names'
import { formatDate, formatNumber, formatShare } from '../../lib/format'
import { useReading } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { UsageDays } from './usage-days'
import { dateOf, lengthOf, type Period, toneOf, type UsageMeter } from './usage-model'

interface MeterProps {
  name: 'events' | 'sqlQueries'
  period: Period
  meter: UsageMeter
  today: number | null
}

/** A meter that a plan can limit: how much of it is used, and how much it will be at the end of the month. */
export function UsageMeterCard({ name, period, meter, today }: MeterProps) {
  const t = useText('usage')
  const reading = useReading()
  const { used, limit } = meter
  return (
    <Card title={t.meterName[name]}>
      <div className="grid gap-3">
        <p className="text-sm text-ink-2">{t.meterPurpose[name]}</p>
        <p className="flex items-baseline gap-2">
          <span className="text-2xl font-medium tabular-nums">{formatNumber(reading, used)}</span>
          {limit !== null && <span className="text-sm text-ink-2">{t.ofIncluded(formatNumber(reading, limit))}</span>}
        </p>
        {limit !== null && <Included meter={meter} limit={limit} />}
        <Pace meter={meter} period={period} today={today} />
        {meter.dropped > 0 && <p className="text-sm text-warn">{t.dropped(formatNumber(reading, meter.dropped))}</p>}
        <UsageDays period={period} meter={meter} today={today} />
      </div>
    </Card>
  )
}

const FILLS = { plain: 'bg-accent', warn: 'bg-warn', bad: 'bg-bad' } as const

function Included({ meter, limit }: { meter: UsageMeter; limit: number }) {
  const t = useText('usage')
  const reading = useReading()
  const share = Math.min(1, meter.used / limit)
  const mark = meter.forecast === null ? null : Math.min(1, meter.forecast / limit)
  return (
    <div className="grid gap-1">
      <div className="relative h-2 rounded-full bg-track" aria-hidden>
        <div className={cx('h-full rounded-full', FILLS[toneOf(meter)])} style={{ width: `${share * 100}%` }} />
        {mark !== null && <span className="absolute -inset-y-1 w-0.5 bg-ink" style={{ left: `${mark * 100}%` }} />}
      </div>
      <p className="text-sm text-ink-2">{t.shareUsed(formatShare(reading, meter.used / limit))}</p>
      {meter.used > limit && <p className="text-sm text-bad">{t.overIncluded}</p>}
    </div>
  )
}

/** Of the present month only: a month that is over has no forecast. */
function Pace({ meter: { forecast, limit }, period, today }: Omit<MeterProps, 'name'>) {
  const t = useText('usage')
  const reading = useReading()
  if (today === null || forecast === null) return null
  const end = formatDate(reading, dateOf(period, lengthOf(period) - 1), false)
  const about = t.aboutBy(formatNumber(reading, forecast), end)
  const verdict = limit === null ? '' : forecast <= limit ? t.withinPlan : t.abovePlan
  return <p className="text-sm text-ink-2">{`${about}${verdict}`}</p>
}
