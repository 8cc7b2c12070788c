import type { Handle } from '../../base/db/handle'
import type { KnownFiles, ShownAsset, ShownFont } from '../../core/funnel/files'
import type { FunnelContent } from '../../core/funnel/model'
import { assetsOf, fontsOf, type Placed } from '../../core/funnel/walk'
import type { AssetReference } from '../assets/hooks'
import { listKnownAssets, shownAssets } from '../assets/service'
import type { FontReference } from '../fonts/hooks'
import { listFamilyIds, shownFonts } from '../fonts/service'
import { loadFunnels } from './service'

/** The files and fonts of a project, as far as publishing has to know them. */
export async function knownFiles(handle: Handle, projectId: string): Promise<KnownFiles> {
  const [assets, fonts] = await Promise.all([listKnownAssets(handle, projectId), listFamilyIds(handle, projectId)])
  return { assets, fonts }
}

export interface ShownFiles {
  assets: ReadonlyMap<string, ShownAsset>
  fonts: ReadonlyMap<string, ShownFont>
}

/** The files and fonts that a document shows. What is missing is left out, and pages are drawn without it. */
export async function shownFiles(handle: Handle, projectId: string, content: FunnelContent): Promise<ShownFiles> {
  const ids = assetsOf(content).map(([{ asset }]) => asset)
  const families = fontsOf(content).map(([family]) => family)
  const [assets, fonts] = await Promise.all([
    shownAssets(handle, projectId, ids),
    shownFonts(handle, projectId, families),
  ])
  return { assets, fonts }
}

/** The funnels whose draft or published version shows an asset. Older versions do not count (funnels 1). */
export const funnelsWithAssets = async (handle: Handle, projectId: string): Promise<AssetReference[]> =>
  (await usesIn(handle, projectId, (content) => assetsOf(content).map(([{ asset }, path]) => [asset, path]))).map(
    ([assetId, reference]) => ({ assetId, ...reference }),
  )

/** The funnels whose draft or published version uses a font family. */
export const funnelsWithFonts = async (handle: Handle, projectId: string): Promise<FontReference[]> =>
  (await usesIn(handle, projectId, fontsOf)).map(([familyId, reference]) => ({ familyId, ...reference }))

type Reference = Omit<FontReference, 'familyId'>

async function usesIn(
  handle: Handle,
  projectId: string,
  namesIn: (content: FunnelContent) => Placed<string>[],
): Promise<[name: string, reference: Reference][]> {
  return (await loadFunnels(handle, projectId)).flatMap(({ id, name, draft, published }) =>
    (['draft', 'live'] as const).flatMap((state): [string, Reference][] => {
      const content = state === 'draft' ? draft : published
      const places = Map.groupBy(content === null ? [] : namesIn(content), ([named]) => named)
      return [...places].map(([named, found]) => [
        named,
        { kind: 'funnel', id, name, state, paths: found.map(([, path]) => path) },
      ])
    }),
  )
}
