import { Link } from 'wouter'
import { useRead } from '../../../api/queries'
import { Card } from '../../../kit/card'
import { Empty, Skeleton } from '../../../kit/empty'
import { Failure } from '../../../kit/failure'
import { Count, Money } from '../../../kit/values'
import { now } from '../../../lib/clock'
import { useProject } from '../../../lib/session'
import { dateIn } from '../../../parts/chart-window'
import { StoreName } from '../../../parts/store'
import { useHref } from '../../../parts/use-href'
import { useText } from '../../../text/catalogue'
import { DayBars, DayTable } from './day-bars'
import { useFilters } from './filters'

/** Amounts by day in the time of the filters; the last 30 days without any. */
export function Volume() {
  const t = useText('revenue')
  const c = useText('common')
  const href = useHref()
  const { path, environment, project } = useProject()
  const { window } = useFilters([])
  const { data, error, refetch } = useRead('/dashboard/projects/{projectId}/transactions/volume', {
    params: { path, query: { environment, ...window } as { environment: 'PRODUCTION' } },
  })
  const days = (data?.days ?? []).map(({ date, amountMicros, transactions }) => ({
    date,
    micros: amountMicros,
    count: transactions,
  }))
  const drawing = {
    ...{ label: t.volumeLabel, days, currency: data?.currency ?? 'USD', unit: c.transactions },
    hrefOf: (date: string) => href('/revenue/transactions', { from: date, to: date }),
    running: dateIn(project.timezone, now()),
  }
  return (
    <Card title={t.volume} aside={<span className="text-xs">{t.volumeHint(project.timezone)}</span>}>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={5} />}
      {data && days.every(({ count }) => count === 0) && <Empty title={t.noVolume}>{t.noVolumeWhy}</Empty>}
      {days.some(({ count }) => count > 0) && (
        <>
          <DayBars {...drawing} />
          <DayTable {...drawing} />
        </>
      )}
    </Card>
  )
}

/** The same time by store. */
export function ByStore() {
  const t = useText('revenue')
  const c = useText('common')
  const href = useHref()
  const { path, environment } = useProject()
  const { window, held } = useFilters([])
  const { data, error, refetch } = useRead('/dashboard/projects/{projectId}/transactions/store-breakdown', {
    params: { path, query: { environment, ...window } as { environment: 'PRODUCTION' } },
  })
  const stores = data?.stores ?? []
  const unconverted = stores.reduce((sum, one) => sum + one.unconverted, 0)
  const days = Object.fromEntries(['from', 'to'].flatMap((name) => (held(name) ? [[name, held(name) ?? '']] : [])))
  const currency = data?.currency ?? 'USD'
  return (
    <Card title={t.byStore}>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={4} />}
      {data && stores.length === 0 && <p className="text-sm text-ink-2">{t.noVolume}</p>}
      {stores.length > 0 && (
        <table className="w-full text-sm" aria-label={t.byStore}>
          <thead className="sr-only">
            <tr>
              <th scope="col">{c.store}</th>
              <th scope="col">{t.transactionsCount}</th>
              <th scope="col">{t.inUsd}</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {stores.map(({ store, transactions, amountMicros }) => (
              <tr key={store} className="h-9">
                <td className="min-w-0">
                  <Link
                    href={href('/revenue/transactions', { store, ...days })}
                    className="text-accent hover:underline"
                  >
                    <StoreName store={store} />
                  </Link>
                </td>
                <td className="text-right text-ink-2">
                  <Count value={transactions} />
                </td>
                <td className="pl-3 text-right">
                  <Money micros={amountMicros} currency={currency} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr className="h-9 border-t border-line-2 font-medium">
              <td>{t.total}</td>
              <td className="text-right text-ink-2">
                <Count value={stores.reduce((sum, { transactions }) => sum + transactions, 0)} />
              </td>
              <td className="pl-3 text-right">
                <Money micros={stores.reduce((sum, { amountMicros }) => sum + amountMicros, 0)} currency={currency} />
              </td>
            </tr>
          </tfoot>
        </table>
      )}
      {stores.length > 0 && <p className="pt-2 text-xs text-ink-2">{t.lackRates(unconverted)}</p>}
    </Card>
  )
}
