import { Download } from 'lucide-react'
import { useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card, Stack } from '../../kit/card'
import { Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { FilterSelect } from '../../kit/filter-select'
import { Page } from '../../kit/page'
import { now } from '../../lib/clock'
import { formatNumber } from '../../lib/format'
import { datesOf, dateTag } from '../../lib/intl'
import { saveFile } from '../../lib/save-file'
import { useProject, useReading } from '../../lib/session'
import { useParams } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { UsageBudget } from './usage-budget'
import { UsageMeterCard } from './usage-meter'
import { lastMonths, lengthOf, todayIn, type UsageMeter, usageCsv } from './usage-model'
import { UsageOthers } from './usage-others'

const MONTHS = 12

/** What the project used in a month. */
export default function Usage() {
  const t = useText('usage')
  const c = useText('common')
  const { path, project } = useProject()
  const reading = useReading()
  const [params, set] = useParams()
  const months = lastMonths(now(), MONTHS)
  const month = params.get('month') ?? months[0] ?? ''
  const found = useRead('/dashboard/projects/{projectId}/usage', { params: { path, query: { month } } })
  const nameOf = (name: string) =>
    datesOf(dateTag(reading.locale), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${name}-01`))
  const save = ({ period, meters }: Schemas['Usage']) =>
    saveFile(`${project.slug}-usage-${month}.csv`, usageCsv(period, meters, todayIn(period, now())))
  return (
    <Page
      title={c.usage}
      purpose={t.usagePurpose(nameOf(month))}
      actions={
        found.data && (
          <Button icon={<Download aria-hidden size={15} />} onClick={() => found.data && save(found.data)}>
            {c.exportCsv}
          </Button>
        )
      }
      filters={
        <FilterSelect
          label={t.usageMonth}
          value={month}
          options={months.map((one) => [one, nameOf(one)] as const)}
          onChange={({ target }) => set({ month: target.value === months[0] ? null : target.value })}
        />
      }
    >
      {found.data ? (
        <Meters usage={found.data} />
      ) : (
        <Card>
          {found.error ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : <Skeleton lines={8} />}
        </Card>
      )}
    </Page>
  )
}

const LIMITED = ['events', 'sqlQueries'] as const

function Meters({ usage: { period, meters } }: { usage: Schemas['Usage'] }) {
  const t = useText('usage')
  const reading = useReading()
  const today = todayIn(period, now())
  const limited = LIMITED.flatMap((name) =>
    meters.filter((meter) => meter.name === name).map((meter) => ({ name, meter })),
  )
  const others = meters.filter(({ name }) => !LIMITED.some((one) => one === name))
  return (
    <Stack>
      <div className="grid gap-4 lg:grid-cols-2">
        {limited.map(({ name, meter }) => (
          <UsageMeterCard key={name} name={name} period={period} meter={meter} today={today} />
        ))}
      </div>
      {today !== null && limited.some(({ name, meter }) => name === 'events' && meter.limit !== null) && (
        <UsageBudget />
      )}
      <UsageOthers
        meters={others}
        days={today === null ? lengthOf(period) : today + 1}
        footer={t.eventsAre(partsOf(meters).map((count) => formatNumber(reading, count)))}
      />
    </Stack>
  )
}

/** The events of the event log, what apps report, and their sum. */
function partsOf(meters: readonly UsageMeter[]): number[] {
  const events = meters.find(({ name }) => name === 'events')
  return [...(events?.parts ?? []).map(({ used }) => used), events?.used ?? 0]
}
