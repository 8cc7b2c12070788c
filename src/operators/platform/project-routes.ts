import type { Context } from '../../base/context'
import { pageBefore, toList } from '../../base/http/list'
import { admin } from '../../projects/doors/admin'
import { suspendProject, unsuspendProject } from '../../projects/project/service'
import { GrantAnswer, GrantBody, IdParams, toGrantView } from './grant-wire'
import { getProjectDetails, pageProjects, toProjectSummaries } from './projects'
import { grantSupport } from './support-grants'
import { NoBody, ProjectAnswer, ProjectsAnswer, ProjectsQuery, SuspensionBody } from './wire'

const tags = ['Administration']

/** All projects of the platform. */
export const adminProjectRoutes = (ctx: Context) =>
  admin(ctx)
    .get(
      '/projects',
      async ({ query: { limit = 50, cursor, q, suspended } }) => {
        const scope = ['admin projects', q, suspended]
        const page = pageBefore(cursor, scope, limit)
        const filter = { q, ...(suspended !== undefined && { isSuspended: suspended === 'true' }) }
        const rows = await pageProjects(ctx, filter, page)
        const { items, nextCursor } = toList(rows, limit, scope, { positionOf: ({ id }) => [id], toItem: (row) => row })
        return { data: { items: await toProjectSummaries(ctx, items), nextCursor } }
      },
      {
        query: ProjectsQuery,
        response: ProjectsAnswer,
        detail: { tags, summary: 'All projects', operationId: 'listAllProjects' },
      },
    )
    .get('/projects/:id', async ({ params }) => ({ data: await getProjectDetails(ctx, params.id) }), {
      params: IdParams,
      response: ProjectAnswer,
      detail: { tags, 'x-errors': ['NOT_FOUND'], summary: 'One project', operationId: 'getAnyProject' },
    })
    .post(
      '/projects/:id/suspend',
      async ({ params: { id }, body: { reason }, actor }) => {
        await suspendProject(ctx, id, actor, { reason, refusesRepetition: true })
        return { data: await getProjectDetails(ctx, id) }
      },
      {
        params: IdParams,
        body: SuspensionBody,
        response: ProjectAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'CONFLICT'],
          summary: 'Close the console of a project',
          description: 'Its apps keep working.',
          operationId: 'suspendProject',
        },
      },
    )
    .post(
      '/projects/:id/unsuspend',
      async ({ params: { id }, actor }) => {
        await unsuspendProject(ctx, id, actor, { refusesRepetition: true })
        return { data: await getProjectDetails(ctx, id) }
      },
      {
        params: IdParams,
        body: NoBody,
        response: ProjectAnswer,
        detail: {
          tags,
          'x-errors': ['NOT_FOUND', 'CONFLICT'],
          summary: 'Open the console of a project again',
          operationId: 'unsuspendProject',
        },
      },
    )
    .post(
      '/projects/:id/support-grants',
      async ({ params: { id }, body, actor, set }) => {
        const grant = await grantSupport(ctx, { projectId: id, actor }, body)
        set.status = 201
        return { data: toGrantView(grant) }
      },
      {
        params: IdParams,
        body: GrantBody,
        response: { 201: GrantAnswer },
        detail: {
          tags,
          'x-errors': ['NOT_FOUND'],
          summary: 'Read a project for some hours',
          description: 'The owners of the project are told by mail, see it, and can end it.',
          operationId: 'createSupportGrant',
        },
      },
    )
