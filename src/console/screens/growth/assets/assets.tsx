import { useEvery } from '../../../api/every'
import { useRead, useRefresh } from '../../../api/queries'
import { Bar } from '../../../kit/bar'
import { Empty, Skeleton } from '../../../kit/empty'
import { FormFailure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { formatBytes } from '../../../lib/format'
import { roleFor, useProject, useReading } from '../../../lib/session'
import { useParams } from '../../../lib/url-state'
import { AssetUploads } from '../../../parts/upload-zone'
import { useText } from '../../../text/catalogue'
import { FunnelTabs } from '../funnel-tabs'
import { AssetCard } from './asset-card'
import { AssetSheet } from './asset-sheet'

const LIST = '/dashboard/projects/{projectId}/assets'

/** The pictures, videos and animations of the funnels. */
export default function Assets() {
  const t = useText('files')
  const common = useText('common')
  const { path, can } = useProject()
  const [params, setParams] = useParams()
  const refresh = useRefresh()
  const { items, isLoading, error } = useEvery(LIST, { params: { path, query: { limit: 200 } } })
  const reason = can('funnels:write') ? null : common.roleNeeded(roleFor('funnels:write'))
  const chosen = items.find(({ id }) => id === params.get('asset'))
  return (
    <Page title={common.assets} purpose={t.assetsPurpose} beside={<Usage />}>
      <FunnelTabs here="assets" />
      <FormFailure error={error} />
      {isLoading && <Skeleton lines={6} />}
      {!isLoading && items.length === 0 && <Empty title={t.noAssets}>{t.noAssetsHint}</Empty>}
      <ul className="grid grid-cols-2 gap-4 md:grid-cols-3 xl:grid-cols-4">
        {items.map((asset) => (
          <li key={asset.id}>
            <AssetCard asset={asset} onOpen={() => setParams({ asset: asset.id }, { push: true })} />
          </li>
        ))}
      </ul>
      <AssetUploads reason={reason} onDone={() => refresh(LIST)} />
      {chosen && <AssetSheet asset={chosen} reason={reason} onClose={() => setParams({ asset: null })} />}
    </Page>
  )
}

/** How much of the storage is used; nothing is shown where there is no limit. */
function Usage() {
  const t = useText('files')
  const reading = useReading()
  const { path } = useProject()
  const { data } = useRead(LIST, { params: { path, query: { limit: 1 } } })
  const usage = data?.usage
  if (!usage || usage.limitBytes === null) return null
  const words = t.storage(formatBytes(reading, usage.bytes), formatBytes(reading, usage.limitBytes))
  return (
    <span className="flex items-center gap-2 text-sm text-ink-2">
      {words}
      <span className="w-24">
        <Bar share={Math.min(usage.bytes / usage.limitBytes, 1)} label={words} />
      </span>
    </span>
  )
}
