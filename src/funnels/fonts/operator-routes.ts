import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { listAnswer } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { judgedAtWrite } from '../../projects/doors/judged-at-write'
import { operator } from '../../projects/doors/operator'
import { countUpload, uploadOf } from '../assets/operator-routes'
import { createFamily, deleteFace, deleteFamily } from './admin'
import { FaceQuery, FaceSchema, FamilyBody, FamilySchema } from './operator-wire'
import { uploadFace } from './upload'
import { listFamilyViews } from './view'

const tags = ['Fonts']
const capability = 'funnels:write'

/** Fonts in the dashboard (wire 7.7). */
export const fontOperatorRoutes = (ctx: Context) =>
  new Elysia().use(readRoute(ctx)).use(uploadRoute(ctx)).use(writeRoutes(ctx))

const readRoute = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/fonts/families',
    async ({ project }) => ({ data: { items: await listFamilyViews(ctx, project.id), nextCursor: null } }),
    {
      response: listAnswer(FamilySchema),
      detail: { tags, summary: 'Font families of the project with their faces', operationId: 'listFontFamilies' },
    },
  )

const FONT_BODY = {
  required: true,
  content: Object.fromEntries(
    ['font/otf', 'font/ttf', 'font/woff2'].map((type) => [
      type,
      { schema: { type: 'string' as const, format: 'binary' } },
    ]),
  ),
}

/** The body is the file, whose first bytes say what it is. */
const uploadRoute = (ctx: Context) =>
  operator(ctx, { capability, body: 'STREAM' }).post(
    '/fonts/families/:familyId/faces',
    async ({ project, actor, signIn, user, params, query: { weight, style = 'normal' }, request, set }) => {
      await countUpload(ctx, { user, project, request, set })
      const face = { weight, style, ...uploadOf(ctx, { project, request, set }) }
      const by = judgedAtWrite({ capability }, { project, actor, signIn })
      const made = await uploadFace(ctx, by, params.familyId, face)
      set.status = 201
      return { data: made }
    },
    {
      query: FaceQuery,
      response: { 201: dataAnswer(FaceSchema) },
      detail: {
        tags,
        'x-errors': [
          ...(['RATE_LIMITED', 'ASSET_STORAGE_UNAVAILABLE', 'FONT_FAMILY_NOT_FOUND', 'FONT_FILE_TOO_LARGE'] as const),
          ...(['FONT_FORMAT_UNSUPPORTED', 'FONT_QUOTA_EXCEEDED', 'QUEUE_UNAVAILABLE'] as const),
        ],
        summary: 'Send a face of a family',
        description:
          'OTF, TTF or WOFF2 of at most 2 MiB; a project has at most 24 faces. The face of the same weight and style is replaced. A WOFF2 is made of it, and a smaller one with its Latin letters; that takes some seconds. `details.reason` of 400 FONT_FORMAT_UNSUPPORTED is `embedding_forbidden` where the licence in the font forbids pages, and `too_slow` where packing it took longer than two minutes.',
        operationId: 'uploadFontFace',
        requestBody: FONT_BODY,
      },
    },
  )

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability })
    .post(
      '/fonts/families',
      async ({ project, actor, body, set }) => {
        set.status = 201
        return { data: await createFamily(ctx, { projectId: project.id, actor }, body.name) }
      },
      {
        body: FamilyBody,
        response: { 201: dataAnswer(FamilySchema) },
        detail: {
          tags,
          'x-errors': ['IDENTIFIER_TAKEN'],
          summary: 'Add a font family',
          operationId: 'createFontFamily',
        },
      },
    )
    .delete(
      '/fonts/families/:familyId',
      async ({ project, actor, params }) => {
        await deleteFamily(ctx, { projectId: project.id, actor }, params.familyId)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['FONT_FAMILY_NOT_FOUND', 'asset_in_use'],
          summary: 'Delete a font family with its faces',
          description: '409 `asset_in_use` names the drafts and the published versions that use it.',
          operationId: 'deleteFontFamily',
        },
      },
    )
    .delete(
      '/fonts/families/:familyId/faces/:faceId',
      async ({ project, actor, params }) => {
        await deleteFace(ctx, { projectId: project.id, actor }, params.familyId, params.faceId)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['FONT_FAMILY_NOT_FOUND', 'NOT_FOUND'],
          summary: 'Delete a face of a font family',
          operationId: 'deleteFontFace',
        },
      },
    )
