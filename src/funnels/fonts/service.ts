import type { Handle } from '../../base/db/handle'
import { AppError, callersWord } from '../../base/errors'
import type { ShownFace, ShownFont } from '../../core/funnel/files'
import { facePath, keyOf } from './model'
import { type FaceRow, type FamilyRow, findFamily, listFaces, listFacesOf, listFamilies } from './queries'

/** The font families of a project by id, without their faces. */
export const listFamilyIds = async (handle: Handle, projectId: string): Promise<Set<string>> =>
  new Set((await listFamilies(handle, projectId)).map(({ id }) => id))

/** Those of the families that the project has, as pages use them. */
export async function shownFonts(
  handle: Handle,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, ShownFont>> {
  const faces = await listFacesOf(handle, projectId, [...new Set(ids)])
  const byFamily = Map.groupBy(faces, ({ familyId }) => familyId)
  return new Map([...byFamily].map(([id, own]) => [id, { id, faces: own.map(toShown) }]))
}

const toShown = (face: FaceRow): ShownFace => ({
  weight: face.weight,
  style: face.style,
  url: facePath(face, 'woff2'),
  latinUrl: face.latinBytes === null ? null : facePath(face, 'latin.woff2'),
})

/** The stored files of a project, with what their rows know of their bytes. */
export async function fontFiles(handle: Handle, projectId: string) {
  const faces = await listFaces(handle, projectId)
  return faces.flatMap((face) => [
    { key: keyOf(face, 'original'), sha256: face.contentHash },
    { key: keyOf(face, 'woff2'), sha256: null },
    ...(face.latinBytes === null ? [] : [{ key: keyOf(face, 'latin.woff2'), sha256: null }]),
  ])
}

const FAMILY_ID = /^ffm_[0-9a-z]{26}$/

const noFamily = (id: string): AppError =>
  new AppError('FONT_FAMILY_NOT_FOUND', undefined, { message: `There is no font family ${callersWord(id)}` })

/** The family; 404 `FONT_FAMILY_NOT_FOUND`. */
export async function getFamily(handle: Handle, projectId: string, id: string): Promise<FamilyRow> {
  const row = FAMILY_ID.test(id) ? await findFamily(handle, projectId, id) : null
  if (!row) throw noFamily(id)
  return row
}
