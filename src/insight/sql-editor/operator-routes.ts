import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { countLimit } from '../../base/http/count-limit'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { factsOf } from '../../base/http/request'
import { operator } from '../../projects/doors/operator'
import { createSavedQuery, deleteSavedQuery, listSavedQueries, updateSavedQuery } from './admin'
import { FUNCTION_NAMES } from './compile/functions'
import { executeQuery } from './execute'
import { QUERIES_PER_MINUTE } from './model'
import {
  ExecuteBody,
  QueryListQuery,
  QueryResultSchema,
  SavedQueryBody,
  SavedQueryPatch,
  SavedQuerySchema,
  SchemaSchema,
} from './operator-wire'
import { VIEWS } from './views/views'

const tags = ['Analytics']

/** The SQL editor in the dashboard (wire 7.11). */
export const sqlEditorRoutes = (ctx: Context) =>
  new Elysia().use(schemaRoutes(ctx)).use(savedRoutes(ctx)).use(executeRoutes(ctx))

const schemaRoutes = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER' })
    .get('/queries/schema', () => ({ data: querySchema() }), {
      response: dataAnswer(SchemaSchema),
      detail: { tags, summary: 'Tables and functions of the SQL editor', operationId: 'getQuerySchema' },
    })
    .get(
      '/queries',
      async ({ project, query }) => {
        const scope = ['queries', project.id]
        return { data: idList(await listSavedQueries(ctx, project.id, idPage(query, scope)), scope) }
      },
      {
        query: QueryListQuery,
        response: listAnswer(SavedQuerySchema),
        detail: { tags, summary: 'Saved queries of the project', operationId: 'listSavedQueries' },
      },
    )

const savedRoutes = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER' })
    .post(
      '/queries',
      async ({ project, actor, body, set }) => {
        set.status = 201
        return { data: await createSavedQuery(ctx, { projectId: project.id, actor }, body) }
      },
      {
        body: SavedQueryBody,
        response: { 201: dataAnswer(SavedQuerySchema) },
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Save a query',
          description: 'The text is not checked before it runs. A project has at most 200 saved queries.',
          operationId: 'createSavedQuery',
        },
      },
    )
    .patch(
      '/queries/:id',
      async ({ project, actor, expected, params, body }) => ({
        data: await updateSavedQuery(ctx, { projectId: project.id, actor, expected }, params.id, body),
      }),
      {
        body: SavedQueryPatch,
        response: dataAnswer(SavedQuerySchema),
        detail: { tags, 'x-errors': ['CONFLICT'], summary: 'Change a saved query', operationId: 'updateSavedQuery' },
      },
    )
    .delete(
      '/queries/:id',
      async ({ project, actor, expected, params }) => {
        await deleteSavedQuery(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: { tags, 'x-errors': ['CONFLICT'], summary: 'Delete a saved query', operationId: 'deleteSavedQuery' },
      },
    )

/** A repetition runs again: it only reads. */
const executeRoutes = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER', idempotency: { rendersReplay: true, unkept: 'RUN' } }).post(
    '/queries/execute',
    async ({ project, user, body, request, set }) => {
      const state = await ctx.state.limits.hit('sql-editor', user.id, QUERIES_PER_MINUTE, ctx.clock.now())
      countLimit(ctx, factsOf(request), set.headers, state)
      return toResponse(await executeQuery(ctx, project.id, body, request.signal))
    },
    {
      body: ExecuteBody,
      response: dataAnswer(QueryResultSchema),
      detail: {
        tags,
        'x-errors': [
          'QUERY_REJECTED',
          'RATE_LIMITED',
          'ANALYTICS_UNAVAILABLE',
          'ANALYTICS_UNREACHABLE',
          'FEATURE_NOT_CONFIGURED',
          'DATABASE_UNAVAILABLE',
        ],
        summary: 'Run a query',
        description:
          'One SELECT over the tables of GET …/queries/schema, in a process of its own: at most 8 s, 5000 rows (then truncated is true) and 32 MiB. details.reason of a refusal says why; its message names the line and the column.',
        operationId: 'executeQuery',
      },
    },
  )

/** The result is JSON already, of up to 32 MiB, so it is passed on as it is. */
function toResponse(result: Uint8Array): Response {
  const parts = [Buffer.from('{"data":'), result, Buffer.from('}')]
  return new Response(new Blob(parts), {
    headers: { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-store' },
  })
}

/** What a query can be made of. */
const querySchema = () => ({
  tables: VIEWS.map(({ name, description, columns }) => ({
    name,
    description,
    columns: columns.map((column) => column.name),
    types: columns.map((column) => column.type),
  })),
  functions: [...FUNCTION_NAMES],
})
