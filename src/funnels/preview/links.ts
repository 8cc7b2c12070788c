import type { Context } from '../../base/context'
import type { FunnelContent } from '../../core/funnel/model'
import type { ProjectRow } from '../../projects/project/service'
import { shownFiles } from '../publication/files'
import { htmlBlockHash } from '../publication/html-blocks'

export const PREVIEW_PATH = '/f/-/preview'

/** What a page of a preview leads to and shows. */
export async function linksOf(ctx: Context, project: ProjectRow, content: FunnelContent, token: string) {
  const files = await shownFiles(ctx, project.id, content)
  return {
    ...{ terms: project.termsUrl, privacy: project.privacyUrl },
    asset: (id: string) => files.assets.get(id) ?? null,
    font: (id: string) => files.fonts.get(id) ?? null,
    frame: (source: string) => `${PREVIEW_PATH}/block/${htmlBlockHash(source)}?${new URLSearchParams({ token })}`,
  }
}
