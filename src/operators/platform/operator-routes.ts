import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { pageBefore, toList } from '../../base/http/list'
import { DeletedAnswer as Deleted } from '../../base/http/object-answer'
import { withRevisions } from '../../projects/audit/revisions'
import { operator } from '../../projects/doors/operator'
import { IdParams, ListQuery, OwnGrantsAnswer, toOwnGrantView } from './grant-wire'
import { endGrant, pageGrants } from './support-grants'

const tags = ['Members']

/** What the members of a project see of support access, and how they end it. */
export const supportRoutes = (ctx: Context) => new Elysia().use(listRoute(ctx)).use(endRoute(ctx))

const listRoute = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/support-grants',
    async ({ project, query: { limit = 50, cursor } }) => {
      const scope = ['support-grants', project.id]
      const page = pageBefore(cursor, scope, limit)
      const grants = (await pageGrants(ctx, project.id, page)).map(toOwnGrantView)
      const views = await withRevisions(ctx, project.id, grants)
      return { data: toList(views, limit, scope, { positionOf: ({ id }) => [id], toItem: (view) => view }) }
    },
    {
      query: ListQuery,
      response: OwnGrantsAnswer,
      detail: { tags, summary: 'Support access to the project', operationId: 'listSupportAccess' },
    },
  )

const endRoute = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN' }).delete(
    '/support-grants/:id',
    async ({ project, params, actor, expected }) => {
      await endGrant(ctx, params.id, { actor, projectId: project.id, expected })
      return { data: { deleted: true as const } }
    },
    {
      params: IdParams,
      response: Deleted,
      detail: {
        tags,
        'x-errors': ['NOT_FOUND', 'CONFLICT'],
        summary: 'End support access at once',
        operationId: 'deleteSupportAccess',
      },
    },
  )
