import type { RowChanges } from '../../../base/db/row-changes'
import { OFFERINGS } from '../../../projects/catalog/project-file/offerings/model'
import type { Writing } from '../../../projects/project-file/section'
import { changed, idOf } from '../../../projects/project-file/stored'
import type { FunnelChange } from '../service'
import type { FunnelState } from './model'
import { isPublishing } from './publish'

/** The rows of the funnels that a plan changes, and which of them are published as a new version. */
export function funnelRows({ pairs, ids }: Writing<unknown, FunnelState>): RowChanges<FunnelChange> {
  const publishing = new Set(pairs.filter(isPublishing).map(({ id }) => id))
  return changed(pairs, (id, slug, { name, settings, published, ...content }) => ({
    id,
    slug,
    name,
    draft: {
      ...content,
      settings: settings.offering === null ? {} : { offeringId: idOf(ids.of(OFFERINGS), settings.offering) },
    },
    isPublished: publishing.has(id),
  }))
}
