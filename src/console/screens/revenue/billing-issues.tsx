import { useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { Because } from '../../kit/mark'
import { Page } from '../../kit/page'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { useProject } from '../../lib/session'
import { useLiveRows } from '../../parts/use-live-rows'
import { wordOf } from '../../parts/words'
import { useText } from '../../text/catalogue'
import { Filters, useFilters, useSelects } from './parts/filters'
import { usePurchaseColumns } from './parts/purchase-columns'

type Store = 'IOS_STORE' | 'ANDROID_STORE' | 'PAYMENT' | 'MANUAL'
type Purchase = Schemas['ListedPurchase']

/** Subscriptions whose renewal could not be charged. */
export default function BillingIssues() {
  const t = useText('revenue')
  const c = useText('common')
  const { path } = useProject()
  const { store, product } = useSelects()
  const { held, window, environment, isFiltered } = useFilters(['store', 'productId', 'from', 'to'])
  const query = { environment, store: held('store') as Store, productId: held('productId'), ...window, limit: 100 }
  const list = useList('/dashboard/projects/{projectId}/subscriptions/billing-issues', {
    params: { path, query: query as { limit: number } },
  })
  const columns = usePurchaseColumns()
  useLiveRows('/dashboard/projects/{projectId}/subscriptions/billing-issues')
  const until = {
    title: t.retriesUntil,
    cell: ({ status, gracePeriodExpiresAt }: Purchase) =>
      status === 'GRACE_PERIOD' ? <Time at={gracePeriodExpiresAt} absolute /> : t.noAccessNow,
  }
  const because = {
    title: c.because,
    isExtra: true,
    cell: ({ status }: Purchase) => <Because>{wordOf(t.because, status)}</Because>,
  }
  return (
    <Page title={c.billingIssues} purpose={t.issuesPurpose} filters={<Filters selects={[store, product]} hasDates />}>
      <Card flush>
        <DataTable
          label={c.billingIssues}
          list={list}
          keyOf={({ id }) => id}
          hrefOf={columns.hrefOf}
          phone={columns.phone}
          empty={
            <Empty title={isFiltered ? c.nothingFound : t.noIssues}>
              {!isFiltered && t.noIssuesWhy} {t.otherEnvironment}
            </Empty>
          }
          columns={[
            columns.product,
            columns.person,
            columns.store,
            columns.status,
            because,
            until,
            columns.price,
            columns.id,
          ]}
        />
      </Card>
    </Page>
  )
}
