import { useRead } from '../../api/queries'
import { Card } from '../../kit/card'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Page } from '../../kit/page'
import { Count, Money } from '../../kit/values'
import { useProject } from '../../lib/session'
import { useHref } from '../../parts/use-href'
import { useText } from '../../text/catalogue'
import { DayBars, DayTable } from './parts/day-bars'
import { Figures } from './parts/figures'

/** What will renew, day by day. */
export default function Renewals() {
  const t = useText('revenue')
  const c = useText('common')
  const href = useHref()
  const { path, environment } = useProject()
  const { data, error, refetch } = useRead(
    '/dashboard/projects/{projectId}/subscriptions/renewal-calendar',
    { params: { path, query: { environment } } },
    { every: 60_000 },
  )
  const days = (data?.days ?? []).map(({ date, amountMicros, renewals }) => ({
    date,
    micros: amountMicros,
    count: renewals,
  }))
  const count = days.reduce((sum, day) => sum + day.count, 0)
  const micros = days.reduce((sum, day) => sum + day.micros, 0)
  const rows = (from = '', to = from) => href('/revenue', { renewsFrom: from, renewsTo: to })
  const all = rows(days[0]?.date, days.at(-1)?.date)
  const drawing = {
    label: t.renewalsLabel,
    days,
    currency: 'USD',
    unit: t.renewals,
    hrefOf: (date: string) => rows(date),
  }
  return (
    <Page title={c.renewals} purpose={t.renewalsPurpose}>
      {data && (
        <Figures
          figures={[
            { name: t.renewals, value: <Count value={count} />, href: all },
            { name: t.expected, value: <Money micros={micros} currency="USD" />, href: all },
          ]}
        />
      )}
      <Card title={t.renewalsLabel} footer={`${t.ratesNote} ${t.unconverted(data?.unconverted ?? 0)}`}>
        {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={6} />}
        {data && count === 0 && <Empty title={t.noRenewals}>{t.noRenewalsWhy}</Empty>}
        {count > 0 && (
          <>
            <DayBars {...drawing} />
            <DayTable {...drawing} />
          </>
        )}
      </Card>
    </Page>
  )
}
