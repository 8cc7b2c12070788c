import { Download, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { api as calls } from '../../api/client'
import { useAction, useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button, DownloadButton } from '../../kit/button'
import { Card } from '../../kit/card'
import { CopyText } from '../../kit/copy'
import { Confirm } from '../../kit/dialog'
import { Empty } from '../../kit/empty'
import { Page } from '../../kit/page'
import { DataTable } from '../../kit/table'
import { toast } from '../../kit/toast'
import { Money } from '../../kit/values'
import { roleFor, useProject } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { RefundDialog, useRefusal } from '../../parts/refund'
import { StoreName } from '../../parts/store'
import { useLiveRows } from '../../parts/use-live-rows'
import { useWords } from '../../parts/words'
import { useText } from '../../text/catalogue'
import { csvHref, Filters, useFilters, useSelects } from './parts/filters'
import { useLineColumns } from './parts/line-columns'
import { ByStore, Volume } from './parts/volume'

type Line = Schemas['TransactionItem']
type Store = 'IOS_STORE' | 'ANDROID_STORE' | 'PAYMENT' | 'MANUAL'

/** Every charge and refund, how much it was by day and store, and the way to give one back. */
export default function Transactions() {
  const t = useText('revenue')
  const c = useText('common')
  const { api, hasRole } = useProject()
  const { store, product } = useSelects()
  const query = useQuery()
  const [isSyncing, setSyncing] = useState(false)
  const kind = { name: 'kind', label: t.kind, options: Object.entries(t.kinds) }
  const listed = { name: 'listed', label: t.catalogue, options: Object.entries(t.listed) }
  return (
    <Page
      title={c.transactions}
      purpose={t.transactionsPurpose}
      actions={
        <>
          <Button
            icon={<RefreshCw aria-hidden size={14} />}
            onClick={() => setSyncing(true)}
            reason={hasRole('DEVELOPER') ? null : c.roleNeeded('DEVELOPER')}
          >
            {t.sync}
          </Button>
          <DownloadButton
            href={csvHref(api, '/transactions/export.csv', query)}
            icon={<Download aria-hidden size={14} />}
          >
            {c.exportCsv}
          </DownloadButton>
        </>
      }
      filters={
        <>
          <Filters selects={[kind, store, product, listed]} hasDates />
          <Narrowed />
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_300px]">
        <Volume />
        <ByStore />
      </div>
      <Card flush>
        <Table />
      </Card>
      {isSyncing && <SyncDialog onClose={() => setSyncing(false)} />}
    </Page>
  )
}

function useQuery() {
  const { held, window, environment } = useFilters([])
  return {
    environment,
    kind: held('kind'),
    store: held('store') as Store | undefined,
    productId: held('productId'),
    subscriberId: held('subscriberId'),
    purchaseId: held('purchaseId'),
    listed: held('listed') as 'true' | 'false' | undefined,
    ...window,
  }
}

/** Which one person or purchase the list is about, when a link says so. */
function Narrowed() {
  const t = useText('revenue')
  const { held } = useFilters([])
  const id = held('subscriberId') ?? held('purchaseId')
  if (id === undefined) return null
  return (
    <span className="inline-flex items-center gap-2 rounded-control bg-accent-soft px-2.5 py-1 text-sm">
      {held('subscriberId') === undefined ? t.ofPurchase : t.ofPerson}
      <CopyText text={id} shown={`${id.slice(0, 12)}…${id.slice(-4)}`} />
    </span>
  )
}

function Table() {
  const t = useText('revenue')
  const c = useText('common')
  const { path } = useProject()
  const { isFiltered } = useFilters([
    ...['kind', 'store', 'productId', 'from', 'to', 'subscriberId', 'purchaseId', 'listed'],
  ])
  const list = useList('/dashboard/projects/{projectId}/transactions', {
    params: { path, query: { ...useQuery(), limit: 100 } as { limit: number } },
  })
  useLiveRows('/dashboard/projects/{projectId}/transactions')
  const columns = useLineColumns()
  const [refundOf, setRefund] = useParam('refund')
  const chosen = list.items.find(({ id }) => id === refundOf)
  return (
    <>
      <DataTable
        label={c.transactions}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <Empty title={isFiltered ? c.nothingFound : t.noTransactions}>
            {!isFiltered && t.noTransactionsWhy} {t.otherEnvironment}
          </Empty>
        }
        phone={columns.phone}
        columns={[
          ...columns.all,
          {
            title: <span className="sr-only">{c.actions}</span>,
            cell: (row) => <RefundButton row={row} onRefund={setRefund} />,
          },
        ]}
      />
      {chosen && <RefundOf row={chosen} onClose={() => setRefund(null)} />}
    </>
  )
}

const CHARGES = new Set([
  'INITIAL',
  'TRIAL_CONVERSION',
  'RENEWAL',
  'REACTIVATION',
  'PRODUCT_CHANGE',
  'ADJUSTMENT',
  'NON_RENEWING_PURCHASE',
  'CREDIT_PURCHASE',
])

function RefundButton({ row, onRefund }: { row: Line; onRefund: (id: string, options: { push: boolean }) => void }) {
  const t = useText('revenue')
  const c = useText('common')
  const { can } = useProject()
  // An unlisted sale has no owner, so it is refunded at the provider.
  if (row.subscriberId === null || !CHARGES.has(row.kind) || (row.price?.amountMicros ?? 0) <= 0) return null
  return (
    <span className="-my-1 inline-flex align-middle">
      <Button
        variant="quiet"
        onClick={() => onRefund(row.id, { push: true })}
        reason={can('refunds:write') ? null : c.roleNeeded(roleFor('refunds:write'))}
      >
        {t.refund}
      </Button>
    </span>
  )
}

function RefundOf({ row, onClose }: { row: Line; onClose: () => void }) {
  const refusalOf = useRefusal()
  const { time } = useWords()
  return (
    <RefundDialog
      target={{ transactionId: row.id }}
      refusal={refusalOf({ store: row.store, isTrial: false, refundedAt: null, status: '' })}
      isIos={row.store === 'IOS_STORE'}
      onClose={onClose}
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <Fact name={time(row.occurredAt)}>
          {row.price && <Money micros={row.price.amountMicros} currency={row.price.currency} />}
        </Fact>
        <Fact name={<StoreName store={row.store} />}>
          <CopyText text={row.storeTransactionId} />
        </Fact>
      </dl>
    </RefundDialog>
  )
}

const Fact = ({ name, children }: { name: React.ReactNode; children: React.ReactNode }) => (
  <>
    <dt className="text-ink-2">{name}</dt>
    <dd className="min-w-0 truncate">{children}</dd>
  </>
)

function SyncDialog({ onClose }: { onClose: () => void }) {
  const t = useText('revenue')
  const { path } = useProject()
  const { store } = useWords()
  const action = useAction({
    run: () => calls.post('/dashboard/projects/{projectId}/transactions/sync', { params: { path }, body: {} }),
    refreshes: ['/dashboard/projects/{projectId}/transactions'],
    onDone: ({ stores }) => {
      toast(t.synced(stores.map(store).join(', ')))
      onClose()
    },
  })
  return (
    <Confirm
      title={t.syncTitle}
      action={t.sync}
      onClose={onClose}
      busy={action.busy}
      error={action.error}
      onConfirm={() => action.submit(undefined)}
    >
      <p>{t.syncEffect}</p>
    </Confirm>
  )
}
