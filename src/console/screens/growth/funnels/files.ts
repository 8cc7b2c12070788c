import type { KnownFiles, ShownAsset, ShownFont } from '../../../../core/funnel/files'
import type { Schemas } from '../../../api/schemas'
import { pathOf } from '../../../lib/own-path'

/** The pictures and fonts of the project, as the builder draws and judges them. */
export interface FunnelFiles {
  /** Null until they are read. */
  known: KnownFiles | null
  assets: ReadonlyMap<string, ShownAsset & { name: string }>
  fonts: ReadonlyMap<string, ShownFont>
  families: readonly Schemas['FontFamily'][]
}

/** The files as the editor needs them, at the host of the console. `isRead`: these are all of them. */
export function toFiles(
  assets: readonly Schemas['Asset'][],
  families: readonly Schemas['FontFamily'][],
  isRead: boolean,
): FunnelFiles {
  const known: KnownFiles = {
    assets: new Map(assets.map(({ id, kind, alt }) => [id, { kind, hasAlt: Object.keys(alt).length > 0 }])),
    fonts: new Set(families.map(({ id }) => id)),
  }
  return {
    known: isRead ? known : null,
    assets: new Map(assets.map((asset) => [asset.id, { ...asset, url: pathOf(asset) }])),
    fonts: new Map(families.map(({ id, faces }) => [id, { id, faces: faces.map(toFace) }])),
    families,
  }
}

/** The editor needs no smaller part of a face. */
const toFace = ({ weight, style, url }: Schemas['FontFace']) => ({
  weight,
  style,
  url: pathOf({ url }),
  latinUrl: null,
})
