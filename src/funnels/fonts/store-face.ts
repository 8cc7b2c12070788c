import { announceFiles, removeFiles, settleFiles } from '../../base/blobs/unsettled'
import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import { sha256Hex } from '../../base/lib/hash'
import { editDashboard, type ProjectActor } from '../../projects/project/edit'
import { withStorage } from '../assets/storage'
import { faceEntry } from './audit-entry'
import { folderOf, keyOf, MAX_FACES } from './model'
import { countFaces, deleteFace, type FaceRow, insertFace, listFacesOf } from './queries'
import { getFamily } from './service'
import type { FontFormat } from './sfnt'

type Look = Pick<FaceRow, 'familyId' | 'weight' | 'style'>

/** 400 `FONT_QUOTA_EXCEEDED`. The face that is replaced does not count. */
export async function refuseTooMany(handle: Handle, projectId: string, look: Look): Promise<void> {
  if (await findSame(handle, projectId, look)) return
  if ((await countFaces(handle, projectId)) >= MAX_FACES) throw new AppError('FONT_QUOTA_EXCEEDED')
}

const findSame = async (handle: Handle, projectId: string, { familyId, weight, style }: Look) =>
  (await listFacesOf(handle, projectId, [familyId])).find((face) => face.weight === weight && face.style === style) ??
  null

interface Files {
  original: Uint8Array
  woff2: Uint8Array
  'latin.woff2': Uint8Array | null
}

type Given = Look & { id: string; format: FontFormat }

/** Writes the files of a face and makes its row. A failure leaves nothing. */
export async function storeFace(ctx: Context, by: ProjectActor, given: Given, files: Files): Promise<FaceRow> {
  const place = { projectId: by.projectId, id: given.id }
  await ctx.write((tx) => announceFiles(tx, folderOf(place)))
  try {
    await withStorage(async () => {
      for (const form of ['original', 'woff2', 'latin.woff2'] as const) {
        const bytes = files[form]
        if (bytes !== null) await ctx.state.blobs.write(keyOf(place, form), new Blob([bytes]).stream())
      }
    })
    return await commit(ctx, by, given, files)
  } catch (error) {
    await removeFiles(ctx, folderOf(place)).catch(() => {}) // The sweep removes them later; this error is reported.
    throw error
  }
}

/** The face exists from here on. The files of the one that it replaces are removed afterwards. */
async function commit(ctx: Context, by: ProjectActor, given: Given, files: Files): Promise<FaceRow> {
  const { row, former } = await editDashboard(ctx, by, async ({ tx, projectId, now, entries }) => {
    await getFamily(tx, projectId, given.familyId) // It may have been deleted meanwhile.
    await refuseTooMany(tx, projectId, given)
    const same = await findSame(tx, projectId, given)
    const sizes = {
      bytes: files.original.length,
      woff2Bytes: files.woff2.length,
      latinBytes: files['latin.woff2']?.length ?? null,
    }
    const face = { ...given, projectId, contentHash: sha256Hex(files.original), ...sizes, createdAt: now }
    if (same) await deleteFace(tx, same.id)
    if (same) await announceFiles(tx, folderOf(same))
    await insertFace(tx, face)
    await settleFiles(tx, folderOf(face))
    entries.push(faceEntry(given.familyId, same, face))
    return { row: face, former: same }
  })
  if (former) await removeFiles(ctx, folderOf(former)).catch(() => {})
  return row
}
