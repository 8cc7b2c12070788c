import { Card } from '../../kit/card'
import { Sparkline } from '../../kit/charts/sparkline'
import { formatBytes, formatNumber, formatShare } from '../../lib/format'
import { useReading } from '../../lib/session'
import { useText } from '../../text/catalogue'
import type { UsageMeter } from './usage-model'

interface OthersProps {
  meters: readonly UsageMeter[]
  /** How many days of the month have started. */
  days: number
  footer: string
}

/** The meters that no plan limits: some are counted, others are measured, such as the storage. */
export function UsageOthers({ meters, days, footer }: OthersProps) {
  const t = useText('usage')
  return (
    <Card flush footer={footer}>
      <table className="w-full text-sm" aria-label={t.withoutLimit}>
        <thead>
          <tr className="border-b border-line text-left text-ink-2">
            <th className="px-4 py-2 font-normal">{t.withoutLimit}</th>
            <th className="px-4 py-2 text-right font-normal">{t.usageNow}</th>
            <th className="px-4 py-2 text-right font-normal">{t.monthBefore}</th>
            <th className="px-4 py-2 text-right font-normal max-md:hidden">{t.usageChange}</th>
            <th className="px-4 py-2 font-normal max-md:hidden">{t.usageByDay}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {meters.map((meter) => (
            <Row key={meter.name} meter={meter} days={days} />
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function Row({ meter, days }: { meter: UsageMeter; days: number }) {
  const t = useText('usage')
  const reading = useReading()
  const { name, used, previous, daily } = meter
  const written = (value: number) => (name === 'storageBytes' ? formatBytes : formatNumber)(reading, value)
  return (
    <tr className="tabular-nums">
      <td className="px-4 py-2">{t.otherMeter[name] ?? name}</td>
      <td className="px-4 py-2 text-right">{written(used)}</td>
      <td className="px-4 py-2 text-right">{previous === null ? '—' : written(previous)}</td>
      <td className="px-4 py-2 text-right max-md:hidden">
        {previous === null || previous === 0 ? '—' : formatShare(reading, used / previous - 1, true)}
      </td>
      <td className="px-4 py-1 max-md:hidden">
        <Sparkline values={daily.slice(0, days)} />
      </td>
    </tr>
  )
}
