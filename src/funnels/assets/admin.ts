import { announceFiles, removeFiles } from '../../base/blobs/unsettled'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { MAX_LOCALES } from '../../core/funnel/limits'
import { readLocalText } from '../../core/funnel/local-text'
import type { LocalText } from '../../core/funnel/model'
import { Reading } from '../../core/funnel/reading'
import { requireRevision } from '../../projects/audit/revisions'
import { type Edit, editDashboard, isSame, type ProjectActor, refuseFaults } from '../../projects/project/edit'
import { assetEntry } from './audit-entry'
import { folderOf, isAssetName } from './model'
import { type AssetRow, deleteAsset as deleteRow, updateAsset as updateRow } from './queries'
import { getAsset } from './service'
import { type AssetView, getAssetView, listUsers } from './view'

/** What can be changed of an asset. Its bytes stay for ever: other bytes are another asset. */
export interface AssetChange {
  name?: string
  /** The text for those who do not see it, by language; a document can have one of its own. */
  alt?: unknown
}

/** 400 `ASSET_INVALID_NAME`, `VALIDATION_ERROR` for the texts. */
export async function changeAsset(
  ctx: Context,
  by: ProjectActor,
  id: string,
  { name, alt }: AssetChange,
): Promise<AssetView> {
  if (name !== undefined && !isAssetName(name)) throw new AppError('ASSET_INVALID_NAME')
  const texts = alt === undefined ? undefined : readAlt(alt)
  await editDashboard(ctx, by, async (edit) => {
    const before = await requireAsset(edit, id, by.expected)
    const after = { ...before, name: name ?? before.name, alt: texts ?? before.alt }
    if (isSame(before, after)) return
    await updateRow(edit.tx, id, { name: after.name, alt: after.alt, updatedAt: edit.now })
    edit.entries.push(assetEntry('update', before, after))
  })
  return getAssetView(ctx, by.projectId, id)
}

function readAlt(given: unknown): LocalText {
  const reading = new Reading()
  const texts = readLocalText(reading, given, 'alt')
  if (Object.keys(texts).length > MAX_LOCALES) reading.refuse('alt', `must have at most ${MAX_LOCALES} languages`)
  refuseFaults(reading.faults)
  return texts
}

/** 409 `asset_in_use` while a draft, a published version or the project shows it. */
export async function deleteAsset(ctx: Context, by: ProjectActor, id: string): Promise<void> {
  const folder = await editDashboard(ctx, by, async (edit) => {
    const row = await requireAsset(edit, id, by.expected)
    await refuseShown(edit, id)
    await deleteRow(edit.tx, id)
    await announceFiles(edit.tx, folderOf(row))
    edit.entries.push(assetEntry('delete', row, null))
    return folderOf(row)
  })
  await removeFiles(ctx, folder).catch(() => {}) // They are announced, so the sweep removes them later.
}

async function requireAsset({ tx, projectId }: Edit, id: string, expected?: number | null): Promise<AssetRow> {
  const row = await getAsset(tx, projectId, id)
  await requireRevision(tx, projectId, id, expected ?? null)
  return row
}

async function refuseShown({ tx, projectId }: Edit, id: string): Promise<void> {
  const references = (await listUsers(tx, projectId)).flatMap(({ assetId, ...user }) => (assetId === id ? [user] : []))
  if (references.length > 0) throw new AppError('asset_in_use', { references })
}
