import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { idList, idPage } from '../../base/http/id-list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { factsOf } from '../../base/http/request'
import { ASSET_KINDS, type AssetKind } from '../../core/funnel/files'
import { judgedAtWrite } from '../../projects/doors/judged-at-write'
import { bodyWhileAdmitted, operator } from '../../projects/doors/operator'
import { changeAsset, deleteAsset } from './admin'
import { AssetListQuery, AssetPatch, AssetSchema, AssetsAnswer, UploadQuery } from './operator-wire'
import { type Upload, uploadAsset } from './upload'
import { getAssetView, listAssetViews } from './view'

const tags = ['Assets']
const capability = 'funnels:write'

/** Files of funnels in the dashboard (wire 7.7). */
export const assetOperatorRoutes = (ctx: Context) =>
  new Elysia().use(readRoutes(ctx)).use(uploadRoutes(ctx)).use(writeRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/assets',
      async ({ project, query }) => {
        const scope = ['assets', project.id]
        const { usage, ...page } = await listAssetViews(ctx, project.id, idPage(query, scope))
        return { data: { ...idList(page, scope), usage } }
      },
      {
        query: AssetListQuery,
        response: AssetsAnswer,
        detail: { tags, summary: 'Files of the project, and how much storage they use', operationId: 'listAssets' },
      },
    )
    .get('/assets/:id', async ({ project, params }) => ({ data: await getAssetView(ctx, project.id, params.id) }), {
      response: dataAnswer(AssetSchema),
      detail: { tags, summary: 'One file with what shows it', operationId: 'getAsset' },
    })

const UPLOAD_ERRORS = [
  ...(['RATE_LIMITED', 'ASSET_STORAGE_UNAVAILABLE', 'ASSET_INVALID_NAME', 'ASSET_FILE_TOO_LARGE'] as const),
  ...(['ASSET_FORMAT_UNSUPPORTED', 'ASSET_QUOTA_EXCEEDED', 'QUEUE_UNAVAILABLE'] as const),
]

const ABOUT: Readonly<Record<AssetKind, { summary: string; description: string; types: readonly string[] }>> = {
  image: {
    summary: 'Send a picture',
    description:
      'JPEG, PNG, WebP or GIF of at most 10 MiB and 50 million pixels. It becomes a WebP of at most 2048 pixels with smaller ones of 320, 640 and 1080, turned upright and without metadata. An animated picture is kept, up to 2 MiB.',
    types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  },
  video: {
    summary: 'Send a video',
    description:
      'MP4 or WebM of at most 50 MiB. It is kept as it is, without the metadata that says where, when and by whom it was made. What a camera records as a track of its own stays.',
    types: ['video/mp4', 'video/webm'],
  },
  lottie: {
    summary: 'Send a Lottie animation',
    description: 'Its JSON, of at most 2 MiB.',
    types: ['application/octet-stream'],
  },
}

const bodyOf = (types: readonly string[]) => ({
  required: true,
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' as const, format: 'binary' } }])),
})

const UPLOADS_PER_MINUTE = 20

interface Uploading {
  user: { id: string }
  project: { id: string }
  request: Request
  set: { headers: Record<string, string | number> }
}

/** Counts an upload of a person to a project. 429 `RATE_LIMITED`. Fonts count with the files (wire 6). */
export async function countUpload(ctx: Context, { user, project, request, set }: Uploading): Promise<void> {
  const who = `${user.id} ${project.id}`
  const state = await ctx.state.limits.hit('file-upload', who, UPLOADS_PER_MINUTE, ctx.clock.now())
  countLimit(ctx, factsOf(request), set.headers, state)
}

const UPLOADS = { capability, body: 'STREAM' } as const

/** The file of a request. Fonts come in the same way. */
export function uploadOf(ctx: Context, { project, request, set }: Omit<Uploading, 'user'>): Omit<Upload, 'name'> {
  const declared = request.headers.get('content-length')
  const call = { request, facts: factsOf(request), params: {}, headers: set.headers }
  const body = bodyWhileAdmitted(ctx, UPLOADS, call, project.id)
  return { bytes: declared === null ? null : Number(declared), body, signal: request.signal }
}

/** Their bodies are files, whose first bytes say what they are; the declared type does not count. */
const uploadRoutes = (ctx: Context) => {
  const routes = operator(ctx, UPLOADS)
  for (const kind of ASSET_KINDS) {
    const { types, ...words } = ABOUT[kind]
    routes.post(
      `/assets/${kind}`,
      async ({ project, actor, signIn, user, query, request, set }) => {
        await countUpload(ctx, { user, project, request, set })
        set.status = 201
        const upload = { name: query.name, ...uploadOf(ctx, { project, request, set }) }
        const by = judgedAtWrite(UPLOADS, { project, actor, signIn })
        return { data: await uploadAsset(ctx, by, kind, upload) }
      },
      {
        query: UploadQuery,
        response: { 201: dataAnswer(AssetSchema) },
        detail: {
          tags,
          'x-errors': [...UPLOAD_ERRORS, ...(kind === 'image' ? (['ASSET_PROCESSING_FAILED'] as const) : [])],
          ...words,
          operationId: `upload${kind[0]?.toUpperCase()}${kind.slice(1)}`,
          requestBody: bodyOf(types),
        },
      },
    )
  }
  return routes
}

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability })
    .patch(
      '/assets/:id',
      async ({ project, actor, expected, params, body }) => ({
        data: await changeAsset(ctx, { projectId: project.id, actor, expected }, params.id, body),
      }),
      {
        body: AssetPatch,
        response: dataAnswer(AssetSchema),
        detail: {
          tags,
          'x-errors': ['ASSET_INVALID_NAME', 'CONFLICT'],
          summary: 'Change the name of a file or its alternative text',
          operationId: 'updateAsset',
        },
      },
    )
    .delete(
      '/assets/:id',
      async ({ project, actor, expected, params }) => {
        await deleteAsset(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['asset_in_use', 'CONFLICT'],
          summary: 'Delete a file that nothing shows',
          description: '409 `asset_in_use` names the drafts, the published versions and the project that show it.',
          operationId: 'deleteAsset',
        },
      },
    )
