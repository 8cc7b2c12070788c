import { formatBytes } from '../../../lib/format'
import { useReading } from '../../../lib/session'
import { type Asset, AssetPicture } from '../../../parts/asset-picture'
import { useText } from '../../../text/catalogue'

/** A file with what it is and where it is used. */
export function AssetCard({ asset, onOpen }: { asset: Asset; onOpen: () => void }) {
  const t = useText('files')
  const reading = useReading()
  const { name, kind, width, height, bytes, references } = asset
  const size = width === null || height === null ? [] : [`${width} × ${height}`]
  const users = [...new Set(references.map((reference) => reference.name))]
  return (
    <button
      type="button"
      onClick={onOpen}
      className="w-full overflow-hidden rounded-card border border-line bg-surface text-left text-sm"
    >
      <AssetPicture asset={asset} />
      <span className="grid gap-0.5 p-3">
        <span className="truncate font-medium" title={name}>
          {name}
        </span>
        <span className="text-ink-2 tabular-nums">{[t[kind], ...size, formatBytes(reading, bytes)].join(', ')}</span>
        <span className="truncate text-ink-2">{users.length === 0 ? t.notUsed : users.join(', ')}</span>
      </span>
    </button>
  )
}
