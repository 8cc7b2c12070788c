import { useState } from 'react'
import { api } from '../../../api/client'
import { ApiFailure } from '../../../api/failure'
import { useAction, useList } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { Button, LinkButton } from '../../../kit/button'
import { formatPeriod } from '../../../kit/charts/units'
import { Dialog } from '../../../kit/dialog'
import { Empty, Skeleton } from '../../../kit/empty'
import { Failure, FormFailure } from '../../../kit/failure'
import { Checkbox } from '../../../kit/field'
import { More } from '../../../kit/table'
import { Segmented } from '../../../kit/tabs'
import { useProject, useReading } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useText } from '../../../text/catalogue'
import { ImportResult } from './import-result'

export const STORES = ['ios', 'android', 'payment'] as const
type Store = (typeof STORES)[number]

interface ImportProps {
  reason: string | null
  onClose: () => void
}

/** Makes products of what a store sells. */
export function ImportSheet({ reason, onClose }: ImportProps) {
  const t = useText('catalogue')
  const [chosen, setStore] = useParam('store', 'ios')
  const store = STORES.find((one) => one === chosen) ?? 'ios'
  return (
    <Dialog kind="sheet" title={t.importFromStore} onClose={onClose}>
      <div>
        <Segmented
          label={t.soldAt}
          value={store}
          onChange={(next) => setStore(next)}
          options={STORES.map((one) => [one, t.stores[one]] as const)}
        />
      </div>
      <StoreCatalogue key={store} store={store} reason={reason} onClose={onClose} />
    </Dialog>
  )
}

function StoreCatalogue({ store, reason, onClose }: ImportProps & { store: Store }) {
  const t = useText('catalogue')
  const { base, path } = useProject()
  const [chosen, choose] = useState<readonly string[]>([])
  const list = useList('/dashboard/projects/{projectId}/apps/{store}/catalog', {
    params: { path: { ...path, store }, query: { limit: 100 } },
  })
  const action = useAction({
    run: () =>
      api.post('/dashboard/projects/{projectId}/products/import', {
        params: { path },
        body: { store, storeIds: [...chosen] },
      }),
    refreshes: ['/dashboard/projects/{projectId}/products', '/dashboard/projects/{projectId}/project-file'],
  })
  if (action.result) return <ImportResult result={action.result} onClose={onClose} />
  if (list.error) {
    const isUnconnected = list.error instanceof ApiFailure && list.error.code === 'STORE_NOT_CONFIGURED'
    return (
      <>
        <Failure error={list.error} onRetry={isUnconnected ? undefined : list.retry} />
        {isUnconnected && <LinkButton href={`${base}/connections`}>{t.connectStore(t.stores[store])}</LinkButton>}
      </>
    )
  }
  if (list.isLoading) return <Skeleton lines={6} />
  if (list.items.length === 0) return <Empty title={t.storeIsEmpty} />
  const toggle = (id: string, isOn: boolean) => choose(isOn ? [...chosen, id] : chosen.filter((one) => one !== id))
  return (
    <>
      <FormFailure error={action.error} />
      <div className="flex items-center justify-between text-sm text-ink-2">
        <span>{t.chosen(chosen.length)}</span>
        <Button variant="quiet" onClick={() => choose(list.items.map(({ storeId }) => storeId).slice(0, 200))}>
          {t.chooseAll}
        </Button>
      </div>
      <ul className="divide-y divide-line rounded-control border border-line">
        {list.items.map((product) => (
          <StoreProduct
            key={product.storeId}
            product={product}
            isChosen={chosen.includes(product.storeId)}
            onChange={(isOn) => toggle(product.storeId, isOn)}
          />
        ))}
      </ul>
      <More list={list} />
      <div className="flex justify-end">
        <Button
          variant="primary"
          busy={action.busy}
          reason={reason ?? (chosen.length === 0 ? t.chooseFirst : null)}
          onClick={() => action.submit(undefined)}
        >
          {t.importChosen(chosen.length)}
        </Button>
      </div>
    </>
  )
}

interface StoreProductProps {
  product: Schemas['StoreProduct']
  isChosen: boolean
  onChange: (isChosen: boolean) => void
}

function StoreProduct({ product, isChosen, onChange }: StoreProductProps) {
  const reading = useReading()
  const { storeId, name, period, status } = product
  return (
    <li className="flex items-center justify-between gap-3 px-3 py-2">
      <Checkbox
        checked={isChosen}
        onChange={onChange}
        label={
          <span className="grid min-w-0">
            <span>{name}</span>
            <span className="truncate font-mono text-xs text-ink-2">{storeId}</span>
          </span>
        }
      />
      <span className="shrink-0 text-xs text-ink-2">
        {[period && formatPeriod(reading, period), status].filter(Boolean).join(', ')}
      </span>
    </li>
  )
}
