import { fileAnswer } from '../../base/blobs/file-answer'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { withStorage } from '../assets/storage'
import { FACE_ID } from './admin'
import { type FaceForm, keyOf } from './model'
import { type FaceRow, findFace } from './queries'
import type { FontFormat } from './sfnt'

const CONTENT_TYPES: Readonly<Record<FontFormat, string>> = {
  otf: 'font/otf',
  ttf: 'font/ttf',
  woff2: 'font/woff2',
}

interface Address {
  projectId: string
  faceId: string
  contentHash: string
}

/** The file that was uploaded, for apps; 404 for any part of the address that is wrong (wire 2.17). */
export async function serveOriginal(ctx: Context, request: Request, address: Address): Promise<Response> {
  const face = await requireFace(ctx, address)
  return answer(ctx, request, face, 'original')
}

const FILE = /^([0-9a-f]{64})\.(latin\.woff2|woff2)$/

/** What pages load: `<hash>.woff2`, and `<hash>.latin.woff2` with the Latin letters. */
export async function serveForPages(
  ctx: Context,
  request: Request,
  { projectId, faceId, file }: { projectId: string; faceId: string; file: string },
): Promise<Response> {
  const [, contentHash, form] = FILE.exec(file) ?? []
  if (contentHash === undefined || !(await ctx.state.projects.find(projectId))) throw notFound('font face', faceId)
  const face = await requireFace(ctx, { projectId, faceId, contentHash })
  return answer(ctx, request, face, form === 'woff2' ? 'woff2' : 'latin.woff2')
}

async function requireFace(ctx: Context, { projectId, faceId, contentHash }: Address): Promise<FaceRow> {
  const face = FACE_ID.test(faceId) ? await findFace(ctx, projectId, faceId) : null
  if (!face || face.contentHash !== contentHash) throw notFound('font face', faceId)
  return face
}

async function answer(ctx: Context, request: Request, face: FaceRow, form: FaceForm): Promise<Response> {
  const { contentHash, format } = face
  const file = {
    key: keyOf(face, form),
    contentType: form === 'original' ? CONTENT_TYPES[format] : CONTENT_TYPES.woff2,
    etag: form === 'original' ? `"${contentHash}"` : `"${contentHash}.${form}"`,
  }
  const found = await withStorage(() => fileAnswer(ctx.state.blobs, request, file))
  if (found === null) throw notFound('font face', face.id)
  return found
}
