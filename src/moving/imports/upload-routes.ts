import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { dataAnswer } from '../../base/http/object-answer'
import { operator } from '../../projects/doors/operator'
import { count } from './limits'
import { ImportSchema, UploadQuery } from './operator-wire'
import { addPart, createImport } from './receive'
import type { Upload } from './stage-file'

const tags = ['Imports']
const capability = 'subscribers:import'

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
  operator(ctx, { capability, body: 'STREAM' })
    .post(
      '/imports',
      async ({ project, actor, query, request, set, ...call }) => {
        await count(ctx, 'change', { ...call, request, set })
        const made = await createImport(ctx, { projectId: project.id, actor }, uploadOf(request, query.fileName))
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
      async ({ project, actor, expected, params, query, request, set, ...call }) => {
        await count(ctx, 'change', { ...call, request, set })
        const by = { projectId: project.id, actor, expected }
        return { data: await addPart(ctx, by, params.id, uploadOf(request, query.fileName)) }
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

function uploadOf({ headers, body }: Request, fileName = 'import.csv'): Upload {
  const type = headers.get('content-type')
  if (type !== null && !TYPES.test(type))
    throw invalid('Content-Type must be text/csv, application/jsonl, application/gzip or application/zip')
  const declared = headers.get('content-length')
  return { fileName, bytes: declared === null ? null : Number(declared), body: body ?? NOTHING }
}

const NOTHING: AsyncIterable<Uint8Array> = new Blob([]).stream()
