import { Download } from 'lucide-react'
import type { PurchaseStatus } from '../../../core/purchase/status'
import { useList, useRead } from '../../api/queries'
import { DownloadButton } from '../../kit/button'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Page } from '../../kit/page'
import { DataTable } from '../../kit/table'
import { Count, Money, Share } from '../../kit/values'
import { formatDate } from '../../lib/format'
import { useProject, useReading } from '../../lib/session'
import { useHref } from '../../parts/use-href'
import { useLiveRows } from '../../parts/use-live-rows'
import { useText } from '../../text/catalogue'
import { Figures, FiguresAhead } from './parts/figures'
import { csvHref, Filters, useFilters, useSelects } from './parts/filters'
import { usePurchaseColumns } from './parts/purchase-columns'

type Store = 'IOS_STORE' | 'ANDROID_STORE' | 'PAYMENT' | 'MANUAL'

/** Every subscription of the environment, with its figures. */
export default function Subscriptions() {
  const t = useText('revenue')
  const c = useText('common')
  const { api } = useProject()
  const { product, status, store } = useSelects()
  const query = useQuery()
  return (
    <Page
      title={c.subscriptions}
      purpose={t.subscriptionsPurpose}
      actions={
        <DownloadButton
          href={csvHref(api, '/subscriptions/export.csv', query)}
          icon={<Download aria-hidden size={14} />}
        >
          {c.exportCsv}
        </DownloadButton>
      }
      filters={
        <>
          <Filters selects={[status, store, product]} hasDates />
          <Renewing />
          <PaidOnly />
        </>
      }
    >
      <Kpis />
      <Card flush>
        <Table />
      </Card>
    </Page>
  )
}

function useQuery() {
  const { held, window, renewals, environment } = useFilters([])
  return {
    environment,
    status: held('status') as PurchaseStatus | undefined,
    store: held('store') as Store | undefined,
    productId: held('productId'),
    paid: held('paid') as 'true' | undefined,
    ...window,
    ...renewals,
  }
}

/** When they renew, when a link says so. */
function Renewing() {
  const t = useText('revenue')
  const reading = useReading()
  const { renewing } = useFilters([])
  const [from, to] = [renewing.from, renewing.to].map((date) => date && formatDate(reading, date))
  if (!from && !to) return null
  return (
    <span className="inline-flex items-center rounded-control bg-accent-soft px-2.5 py-1 text-sm">
      {t.renewing(from === to ? (from ?? '') : `${from ?? '…'} – ${to ?? '…'}`)}
    </span>
  )
}

/** Shown when the address limits the list to paid subscriptions. */
function PaidOnly() {
  const t = useText('revenue')
  const { held } = useFilters([])
  if (held('paid') === undefined) return null
  return (
    <span className="inline-flex items-center rounded-control bg-accent-soft px-2.5 py-1 text-sm">{t.paidOnly}</span>
  )
}

function Kpis() {
  const t = useText('revenue')
  const href = useHref()
  const { path, environment } = useProject()
  const { data, error, refetch } = useRead('/dashboard/projects/{projectId}/subscriptions/kpis', {
    params: { path, query: { environment } },
  })
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <FiguresAhead names={[t.active, t.trials, t.grace, t.retry, t.mrr, t.churn]} />
  const rows = (status: PurchaseStatus) => href('/revenue', { status })
  return (
    <Figures
      figures={[
        { name: t.active, value: <Count value={data.active} />, href: href('/revenue', { paid: 'true' }) },
        { name: t.trials, value: <Count value={data.trials} />, href: rows('TRIAL') },
        { name: t.grace, value: <Count value={data.grace} />, href: rows('GRACE_PERIOD') },
        { name: t.retry, value: <Count value={data.retry} />, href: rows('BILLING_RETRY') },
        {
          name: t.mrr,
          value: <Money micros={data.mrr.amountMicros} currency={data.mrr.currency} />,
          ...(data.mrr.unconverted > 0 && { note: t.lackRate(data.mrr.unconverted) }),
          href: href('/charts/mrr'),
        },
        { name: t.churn, value: <Share value={data.churn30d} />, href: href('/charts/churn-rate') },
      ]}
    />
  )
}

function Table() {
  const t = useText('revenue')
  const c = useText('common')
  const { path } = useProject()
  const { isFiltered } = useFilters(['status', 'paid', 'store', 'productId', 'from', 'to', 'renewsFrom', 'renewsTo'])
  const list = useList('/dashboard/projects/{projectId}/subscriptions', {
    params: { path, query: { ...useQuery(), limit: 100 } as { limit: number } },
  })
  const columns = usePurchaseColumns()
  useLiveRows('/dashboard/projects/{projectId}/subscriptions')
  const { product, person, store, status, price, started, ends, id } = columns
  return (
    <DataTable
      label={c.subscriptions}
      list={list}
      keyOf={(row) => row.id}
      hrefOf={columns.hrefOf}
      phone={columns.phone}
      empty={
        isFiltered ? (
          <Empty title={c.nothingFound}>{t.otherEnvironment}</Empty>
        ) : (
          <Empty title={t.noSubscriptions}>
            {t.noSubscriptionsWhy} {t.otherEnvironment}
          </Empty>
        )
      }
      columns={[product, person, store, status, price, started, ends, id]}
    />
  )
}
