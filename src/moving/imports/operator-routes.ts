import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { CSV_RESPONSES } from '../../base/http/csv'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer } from '../../base/http/list'
import { dataAnswer } from '../../base/http/object-answer'
import { operator } from '../../projects/doors/operator'
import { cancelImport, changeMapping, resumeImport, startCommit, startDryRun, startUndo } from './admin'
import { toRefusal } from './files/upload'
import { count } from './limits'
import { ImportListQuery, ImportSchema, MappingBody, NoMembers } from './operator-wire'
import { importProductRoutes } from './products/routes'
import { readReport } from './report'
import { importUploadRoutes } from './upload-routes'
import { getImportView, listImportViews, requireJob } from './views'

const tags = ['Imports']
const capability = 'subscribers:import'

/** Imports in the dashboard (wire 7.10). */
export const importOperatorRoutes = (ctx: Context) =>
  new Elysia()
    .use(readRoutes(ctx))
    .use(mappingRoutes(ctx))
    .use(workRoutes(ctx))
    .use(importUploadRoutes(ctx))
    .use(importProductRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { capability })
    .get(
      '/imports',
      async ({ project, query, ...call }) => {
        await count(ctx, 'read', call)
        const scope = ['imports', project.id]
        return { data: idList(await listImportViews(ctx, project.id, idPage(query, scope)), scope) }
      },
      {
        query: ImportListQuery,
        response: listAnswer(ImportSchema),
        detail: { tags, 'x-errors': ['RATE_LIMITED'], summary: 'Imports of the project', operationId: 'listImports' },
      },
    )
    .get(
      '/imports/:id',
      async ({ project, params, ...call }) => {
        await count(ctx, 'read', call)
        return { data: await getImportView(ctx, project.id, params.id) }
      },
      {
        response: dataAnswer(ImportSchema),
        detail: { tags, 'x-errors': ['RATE_LIMITED'], summary: 'One import', operationId: 'getImport' },
      },
    )
    .get(
      '/imports/:id/report.csv',
      async ({ project, params, ...call }) => {
        await count(ctx, 'read', call)
        const job = await requireJob(ctx, project.id, params.id)
        return csvFile(job.id, await readReport(ctx.state.blobs, job).catch(rethrown))
      },
      {
        detail: {
          tags,
          'x-errors': ['RATE_LIMITED', 'IMPORT_STORAGE_UNAVAILABLE'],
          summary: 'Every row of an import that cannot be read, as CSV',
          responses: CSV_RESPONSES,
          operationId: 'getImportReport',
        },
      },
    )

function rethrown(error: unknown): never {
  throw toRefusal(error)
}

const csvFile = (id: string, body: ReadableStream<Uint8Array>): Response =>
  new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${id}.csv"`,
      'cache-control': 'no-store',
    },
  })

const mappingRoutes = (ctx: Context) =>
  operator(ctx, { capability }).patch(
    '/imports/:id/mapping',
    async ({ project, actor, expected, params, body, ...call }) => {
      await count(ctx, 'change', call)
      return { data: await changeMapping(ctx, { projectId: project.id, actor, expected }, params.id, body) }
    },
    {
      body: MappingBody,
      response: dataAnswer(ImportSchema),
      detail: {
        tags,
        'x-errors': ['RATE_LIMITED', 'IMPORT_JOB_STATE', 'CONFLICT'],
        summary: 'Change how the columns of an import are read',
        description: 'The import must be tried again before it is committed.',
        operationId: 'updateImportMapping',
      },
    },
  )

const ACTIONS = [
  {
    name: 'dry-run',
    act: startDryRun,
    errors: ['IMPORT_MAPPING_INCOMPLETE', 'QUEUE_UNAVAILABLE'],
    summary: 'Try an import: reads every row and writes none',
    operationId: 'dryRunImport',
  },
  {
    name: 'commit',
    act: startCommit,
    errors: ['QUEUE_UNAVAILABLE'],
    summary: 'Write the rows of an import that was tried, then ask the stores',
    operationId: 'commitImport',
  },
  {
    name: 'resume',
    act: resumeImport,
    errors: ['QUEUE_UNAVAILABLE'],
    summary: 'Go on asking the stores about an import',
    operationId: 'resumeImport',
  },
  {
    name: 'cancel',
    act: cancelImport,
    errors: [],
    summary: 'End an import; what is written stays',
    operationId: 'cancelImport',
  },
  {
    name: 'undo',
    act: startUndo,
    errors: ['QUEUE_UNAVAILABLE'],
    summary: 'Take back what only this import has brought; `undoneAt` says when it is done',
    description:
      'Purchases and people that only this import has brought go; what the stores, devices or another import have said of them stays. Possible after the files are deleted too, and as often as it is interrupted. The import is UNDOING meanwhile and CANCELLED afterwards; `undone` counts what was removed. 409 `IMPORT_JOB_STATE` while other work goes on, and when nothing was written.',
    operationId: 'undoImport',
  },
] as const

/** Each starts work that continues after the answer. */
const workRoutes = (ctx: Context) => {
  const routes = operator(ctx, { capability })
  for (const { name, act, errors, operationId, ...words } of ACTIONS)
    routes.post(
      `/imports/:id/${name}`,
      async ({ project, actor, expected, params, set, ...call }) => {
        await count(ctx, 'change', { ...call, set })
        const view = await act(ctx, { projectId: project.id, actor, expected }, params.id)
        set.status = 202
        return { data: view }
      },
      {
        body: NoMembers,
        response: { 202: dataAnswer(ImportSchema) },
        detail: {
          tags,
          'x-errors': ['RATE_LIMITED', 'IMPORT_JOB_STATE', 'CONFLICT', ...errors],
          ...words,
          operationId,
        },
      },
    )
  return routes
}
