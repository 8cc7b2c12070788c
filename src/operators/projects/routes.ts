import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { DeletedAnswer as Deleted } from '../../base/http/object-answer'
import type { MemberRole } from '../../core/roles/roles'
import { withRevision } from '../../projects/audit/revisions'
import { operator } from '../../projects/doors/operator'
import { changeProject, deleteProject } from '../../projects/project/project-edit'
import { findProject } from '../../projects/project/service'
import { changesRoute } from './changes-route'
import { keyRoutes } from './key-routes'
import { projectView } from './view'
import { ProjectAnswer, ProjectPatch } from './wire'

const tags = ['Projects']

/** A project and its API keys, for its members. */
export const projectRoutes = (ctx: Context) =>
  new Elysia().use(readRoute(ctx)).use(changesRoute(ctx)).use(patchRoute(ctx)).use(deleteRoute(ctx)).use(keyRoutes(ctx))

const readRoute = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT', forEveryToken: true }).get(
    '',
    async ({ project, role }) => ({ data: await viewOf(ctx, project.id, role) }),
    { response: ProjectAnswer, detail: { tags, summary: 'One project', operationId: 'getProject' } },
  )

const patchRoute = (ctx: Context) =>
  operator(ctx, { capability: 'project:settings:write' }).patch(
    '',
    async ({ project, body, actor, expected, role }) => {
      await changeProject(ctx, { projectId: project.id, actor, expected }, body)
      return { data: await viewOf(ctx, project.id, role) }
    },
    {
      body: ProjectPatch,
      response: ProjectAnswer,
      detail: {
        tags,
        'x-errors': ['CONFLICT', 'ORIGIN_INVALID', 'LEGAL_URL_IN_USE', 'asset_missing'],
        summary: 'Change a project and its settings',
        operationId: 'updateProject',
      },
    },
  )

const deleteRoute = (ctx: Context) =>
  operator(ctx, { capability: 'project:delete' }).delete(
    '',
    async ({ project, actor, expected }) => {
      await deleteProject(ctx, { projectId: project.id, actor, expected })
      return { data: { deleted: true as const } }
    },
    {
      response: Deleted,
      detail: {
        tags,
        'x-errors': ['CONFLICT'],
        summary: 'Delete a project',
        description: 'Its keys stop working and its console is gone at once. Its slug stays taken.',
        operationId: 'deleteProject',
      },
    },
  )

async function viewOf(ctx: Context, projectId: string, role: MemberRole) {
  const row = await findProject(ctx, projectId)
  if (!row) throw notFound('project', projectId)
  return withRevision(ctx, projectId, await projectView(ctx, row, role))
}
