import { announceFiles, removeFiles } from '../../base/blobs/unsettled'
import type { Context } from '../../base/context'
import { AppError, invalid, notFound } from '../../base/errors'
import { type Edit, editDashboard, type ProjectActor } from '../../projects/project/edit'
import { faceEntry, familyEntry } from './audit-entry'
import { folderOf } from './model'
import {
  deleteFace as deleteFaceRow,
  deleteFamily as deleteFamilyRow,
  findFace,
  findFamilyNamed,
  insertFamily,
  listFacesOf,
} from './queries'
import { getFamily } from './service'
import { type FamilyView, getFamilyView, listFontUsers } from './view'

/** A family without faces. 400 for a name with control characters, 409 `IDENTIFIER_TAKEN` for a name that the project has. */
export async function createFamily(ctx: Context, by: ProjectActor, name: string): Promise<FamilyView> {
  if (/\p{Cc}/u.test(name)) throw invalid('name must not contain control characters')
  const id = await editDashboard(ctx, by, async ({ tx, projectId, now, entries }) => {
    if (await findFamilyNamed(tx, projectId, name))
      throw new AppError('IDENTIFIER_TAKEN', { resource: 'fontFamily', identifier: name })
    const row = { id: tx.ids.next('ffm'), projectId, name, createdAt: now, updatedAt: now }
    await insertFamily(tx, row)
    entries.push(familyEntry('create', row))
    return row.id
  })
  return getFamilyView(ctx, by.projectId, id)
}

/** With all its faces. 409 `asset_in_use` while a draft or a published version uses it. */
export async function deleteFamily(ctx: Context, by: ProjectActor, id: string): Promise<void> {
  const folders = await editDashboard(ctx, by, async (edit) => {
    const { tx, projectId, entries } = edit
    const row = await getFamily(tx, projectId, id)
    await refuseUsed(edit, id)
    const gone = (await listFacesOf(tx, projectId, [id])).map(folderOf)
    await deleteFamilyRow(tx, id)
    for (const folder of gone) await announceFiles(tx, folder)
    entries.push(familyEntry('delete', row))
    return gone
  })
  await removeAll(ctx, folders)
}

/** Pages that use the family continue with its other faces, or with the font of the system. */
export async function deleteFace(ctx: Context, by: ProjectActor, familyId: string, id: string): Promise<void> {
  const folder = await editDashboard(ctx, by, async ({ tx, projectId, entries }) => {
    await getFamily(tx, projectId, familyId)
    const face = FACE_ID.test(id) ? await findFace(tx, projectId, id) : null
    if (!face || face.familyId !== familyId) throw notFound('font face', id)
    await deleteFaceRow(tx, id)
    await announceFiles(tx, folderOf(face))
    entries.push(faceEntry(familyId, face, null))
    return folderOf(face)
  })
  await removeAll(ctx, [folder])
}

export const FACE_ID = /^ffc_[0-9a-z]{26}$/

async function refuseUsed({ tx, projectId }: Edit, id: string): Promise<void> {
  const references = (await listFontUsers(tx, projectId)).flatMap(({ familyId, ...user }) =>
    familyId === id ? [user] : [],
  )
  if (references.length > 0) throw new AppError('asset_in_use', { references })
}

/** They are announced, so a sweep removes later what cannot be removed now. */
async function removeAll(ctx: Context, folders: readonly string[]): Promise<void> {
  for (const folder of folders) await removeFiles(ctx, folder).catch(() => {})
}
