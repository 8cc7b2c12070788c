import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { linkBase } from '../../base/http/own-origin'
import { toIso } from '../../base/lib/time'
import type { FontReference } from './hooks'
import { facePath } from './model'
import { type FaceRow, type FamilyRow, listFaces, listFamilies } from './queries'
import { getFamily } from './service'

export type FamilyView = ReturnType<typeof toView>

/** The font families of a project by name, with their faces and what uses them. */
export async function listFamilyViews(ctx: Context, projectId: string): Promise<FamilyView[]> {
  const families = await listFamilies(ctx, projectId)
  if (families.length === 0) return []
  const [faces, users] = await Promise.all([listFaces(ctx, projectId), listFontUsers(ctx, projectId)])
  return families.map((family) => toView(ctx, family, faces, users))
}

export async function getFamilyView(ctx: Context, projectId: string, id: string): Promise<FamilyView> {
  const family = await getFamily(ctx, projectId, id)
  return toView(ctx, family, await listFaces(ctx, projectId), await listFontUsers(ctx, projectId))
}

/** Everything that uses a font family of the project. */
export const listFontUsers = async (
  handle: Handle & Pick<Context, 'hooks'>,
  projectId: string,
): Promise<FontReference[]> =>
  (await Promise.all((handle.hooks.fontUsers ?? []).map((usersOf) => usersOf(handle, projectId)))).flat()

const toView = (ctx: Context, row: FamilyRow, faces: readonly FaceRow[], users: readonly FontReference[]) => ({
  id: row.id,
  name: row.name,
  faces: faces.filter(({ familyId }) => familyId === row.id).map((face) => toFaceView(ctx, face)),
  references: users.flatMap(({ familyId, ...user }) => (familyId === row.id ? [user] : [])),
  createdAt: toIso(row.createdAt),
})

/** A face as its operators see it. */
export const toFaceView = (ctx: Context, face: FaceRow) => ({
  id: face.id,
  weight: face.weight,
  style: face.style,
  contentHash: face.contentHash,
  bytes: face.bytes,
  format: face.format,
  woff2Bytes: face.woff2Bytes,
  latinBytes: face.latinBytes,
  url: linkBase(ctx) + facePath(face, 'woff2'),
  createdAt: toIso(face.createdAt),
})
