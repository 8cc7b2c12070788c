import { useEvery } from '../api/every'
import { useRefresh } from '../api/queries'
import { Button } from '../kit/button'
import { Dialog } from '../kit/dialog'
import { Empty, Skeleton } from '../kit/empty'
import { FormFailure } from '../kit/failure'
import { cx } from '../lib/class-names'
import { roleFor, useProject } from '../lib/session'
import { useText } from '../text/catalogue'
import { type Asset, AssetPicture } from './asset-picture'
import { AssetUploads } from './upload-zone'

interface PickerProps {
  kind: Asset['kind']
  /** The id of the asset that is chosen now. */
  chosen: string | null
  onChoose: (id: string | null) => void
  onClose: () => void
}

/** Chooses a file of the project for a block, and takes new ones. */
export function AssetPicker({ kind, chosen, onChoose, onClose }: PickerProps) {
  const t = useText('files')
  const common = useText('common')
  const { path, can } = useProject()
  const refresh = useRefresh()
  const { items, isLoading, error } = useEvery('/dashboard/projects/{projectId}/assets', {
    params: { path, query: { limit: 200 } },
  })
  const fitting = items.filter((asset) => asset.kind === kind)
  const choose = (id: string | null) => {
    onChoose(id)
    onClose()
  }
  return (
    <Dialog title={kind === 'image' ? t.choosePicture : t[kind]} onClose={onClose} isWide>
      <FormFailure error={error} />
      {isLoading && <Skeleton />}
      {!isLoading && fitting.length === 0 && <Empty title={t.noAssets} />}
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {fitting.map((asset) => (
          <li key={asset.id}>
            <button
              type="button"
              aria-pressed={asset.id === chosen}
              onClick={() => choose(asset.id)}
              className={cx(
                'w-full overflow-hidden rounded-card border text-left text-sm',
                asset.id === chosen ? 'border-accent' : 'border-line',
              )}
            >
              <AssetPicture asset={asset} className="h-24" />
              <span className="block truncate p-2">{asset.name}</span>
            </button>
          </li>
        ))}
      </ul>
      {chosen !== null && <Button onClick={() => choose(null)}>{t.chosenNone}</Button>}
      <AssetUploads
        reason={can('funnels:write') ? null : common.roleNeeded(roleFor('funnels:write'))}
        onDone={() => refresh('/dashboard/projects/{projectId}/assets')}
      />
    </Dialog>
  )
}
