import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { dataAnswer } from '../../base/http/object-answer'
import { factsOf } from '../../base/http/request'
import { judgedAtWrite } from '../../projects/doors/judged-at-write'
import { bodyWhileAdmitted, operator } from '../../projects/doors/operator'
import { count } from './limits'
import { ImportSchema, UploadQuery } from './operator-wire'
import { addPart, createImport } from './receive'
import type { Upload } from './stage-file'

const tags = ['Imports']
const UPLOADS = { capability: 'subscribers:import', body: 'STREAM' } as const

const UPLOAD_ERRORS = [
  ...(['RATE_LIMITED', 'IMPORT_FILE_TOO_LARGE', 'IMPORT_STORAGE_UNAVAILABLE', 'FEATURE_NOT_CONFIGURED'] as const),
]

const UPLOAD_BODY = {
  required: true,
  content: Object.fromEntries(
    ['text/csv', 'application/jsonl', 'application/gzip', 'application/zip'].map((type) => [
      type,
      { schema: { type: 'string' as const, format: 'binary' } },
    ]),
  ),
}

/** Their bodies are files, which are written as they arrive. */
export const importUploadRoutes = (ctx: Context) =>
  operator(ctx, UPLOADS)
    .post(
      '/imports',
      async ({ project, actor, signIn, query, request, set, ...call }) => {
        await count(ctx, 'change', { ...call, request, set })
        const upload = uploadOf(ctx, { projectId: project.id, request, set }, query.fileName)
        const made = await createImport(ctx, judgedAtWrite(UPLOADS, { project, actor, signIn }), upload)
        set.status = 201
        return { data: made }
      },
      {
        query: UploadQuery,
        response: { 201: dataAnswer(ImportSchema) },
        detail: {
          tags,
          'x-errors': UPLOAD_ERRORS,
          summary: 'Send a file as a new import',
          description:
            'CSV or JSON Lines as it is, as gzip or in a zip file, at most 2 GiB. The answer proposes a preset and a mapping.',
          operationId: 'createImport',
          requestBody: UPLOAD_BODY,
        },
      },
    )
    .post(
      '/imports/:id/parts',
      async ({ project, actor, signIn, expected, params, query, request, set, ...call }) => {
        await count(ctx, 'change', { ...call, request, set })
        const by = judgedAtWrite(UPLOADS, { project, actor, signIn, expected })
        const upload = uploadOf(ctx, { projectId: project.id, request, set }, query.fileName)
        return { data: await addPart(ctx, by, params.id, upload) }
      },
      {
        query: UploadQuery,
        response: dataAnswer(ImportSchema),
        detail: {
          tags,
          'x-errors': [...UPLOAD_ERRORS, 'IMPORT_JOB_STATE', 'CONFLICT'],
          summary: 'Add a file to an import of Android tokens',
          operationId: 'addImportPart',
          requestBody: UPLOAD_BODY,
        },
      },
    )

const TYPES =
  /^\s*(text\/csv|text\/plain|application\/(csv|jsonl|x-ndjson|gzip|x-gzip|zip|x-zip-compressed|octet-stream))\s*(;|$)/i

interface Uploading {
  projectId: string
  request: Request
  set: { headers: Record<string, string | number> }
}

function uploadOf(ctx: Context, { projectId, request, set }: Uploading, fileName = 'import.csv'): Upload {
  const type = request.headers.get('content-type')
  if (type !== null && !TYPES.test(type))
    throw invalid('Content-Type must be text/csv, application/jsonl, application/gzip or application/zip')
  const declared = request.headers.get('content-length')
  const call = { request, facts: factsOf(request), params: {}, headers: set.headers }
  const body = bodyWhileAdmitted(ctx, UPLOADS, call, projectId)
  return { fileName, bytes: declared === null ? null : Number(declared), body }
}
