import { Film, Sparkles } from 'lucide-react'
import type { Schemas } from '../api/schemas'
import { pathOf } from '../lib/own-path'

export type Asset = Schemas['Asset']

/** A thumbnail of an asset, or an icon of its kind. */
export function AssetPicture({ asset, className }: { asset: Asset; className?: string }) {
  if (asset.kind === 'image') {
    const small = asset.widths.includes(320) ? '?w=320' : ''
    return (
      <img
        src={pathOf(asset) + small}
        alt=""
        loading="lazy"
        className={`h-36 w-full object-cover ${className ?? ''}`}
      />
    )
  }
  const Sign = asset.kind === 'video' ? Film : Sparkles
  return (
    <div className={`grid h-36 w-full place-items-center bg-hover text-ink-2 ${className ?? ''}`}>
      <Sign aria-hidden size={28} />
    </div>
  )
}
