import type { Handle } from '../../../base/db/handle'
import { toIso } from '../../../base/lib/time'
import { type Difference, differencesOf } from '../../../core/funnel/diff'
import { CONFIG_FORMAT_VERSION, type FunnelContent, type FunnelDocument } from '../../../core/funnel/model'
import { conflict } from '../../../projects/project/edit'
import { listVersions } from '../queries'
import { getFunnel } from '../service'
import { EMPTY } from './edit-funnel'
import { requireVersion } from './lifecycle'

/** The versions of a funnel, newest first. */
export async function listFunnelVersions(handle: Handle, projectId: string, id: string) {
  await getFunnel(handle, projectId, id)
  const versions = await listVersions(handle, id)
  return versions.map(({ versionNo, publishedAt, publishedBy }) => ({
    versionNo,
    publishedAt: toIso(publishedAt),
    publishedBy: publishedBy?.email ?? null,
  }))
}

/** The document of the draft, of the published version (409 `CONFLICT` when there is none), or of a version by its number. */
export async function previewDocument(
  handle: Handle,
  projectId: string,
  id: string,
  version: 'draft' | 'published' | number,
): Promise<FunnelDocument> {
  const row = await getFunnel(handle, projectId, id)
  if (version === 'draft') return { ...row.draft, configFormatVersion: CONFIG_FORMAT_VERSION }
  if (version !== 'published') return (await requireVersion(handle, row, version)).document
  if (row.currentVersionNo === null) throw conflict(`${row.slug} is not published; publish it, or ask for the draft`)
  return (await requireVersion(handle, row, row.currentVersionNo)).document
}

/** What differs from a version to another one, or to the draft; `from` absent = the published one, or no content. */
export async function diffFunnel(
  handle: Handle,
  projectId: string,
  id: string,
  { from, to }: { from: number | undefined; to: number | 'draft' },
): Promise<Difference[]> {
  const row = await getFunnel(handle, projectId, id)
  const contentOf = async (version: number | 'draft'): Promise<FunnelContent> =>
    version === 'draft' ? row.draft : (await requireVersion(handle, row, version)).document
  const before = from ?? row.currentVersionNo
  return differencesOf(before === null ? EMPTY : await contentOf(before), await contentOf(to))
}
