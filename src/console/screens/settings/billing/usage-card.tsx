import type { Schemas } from '../../../api/schemas'
import { LinkButton } from '../../../kit/button'
import { Card, Facts } from '../../../kit/card'
import { formatNumber } from '../../../lib/format'
import { useProject, useReading } from '../../../lib/session'
import { useText } from '../../../text/catalogue'

const LIMITED = ['events', 'sqlQueries'] as const

/** What was used in the present month, of what the plan includes. */
export function UsageCard({ usage: { meters } }: { usage: Schemas['Usage'] }) {
  const t = useText('billing')
  const u = useText('usage')
  const { base } = useProject()
  const reading = useReading()
  const rows = LIMITED.flatMap((name) =>
    meters
      .filter((meter) => meter.name === name)
      .map(({ used, limit }) => {
        const of = limit === null ? u.withoutLimit : u.ofIncluded(formatNumber(reading, limit))
        return [u.meterName[name], `${formatNumber(reading, used)} ${of}`] as const
      }),
  )
  return (
    <Card title={t.usedThisMonth}>
      <div className="grid justify-items-start gap-3 [&>dl]:w-full">
        <Facts items={rows} />
        <LinkButton href={`${base}/settings/usage`}>{t.showUsage}</LinkButton>
      </div>
    </Card>
  )
}
