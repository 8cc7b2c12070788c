import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { DELETED, DeletedAnswer } from '../../base/http/object-answer'
import { operator } from '../../projects/doors/operator'
import { forgetFile } from './drift'
import { FileDriftAnswer } from './operator-wire'

const strict = { additionalProperties: false } as const
const tags = ['Project file']

/** How a project differs from the file that a command applied to it. */
export const driftRoutes = (ctx: Context) => new Elysia().use(readRoute(ctx)).use(forgetRoute(ctx))

const readRoute = (ctx: Context) =>
  operator(ctx, { capability: 'project:read' }).get(
    '/project-file/drift',
    async ({ project }) => ({ data: await ctx.state.drifts.of(project) }),
    {
      response: Type.Object({ data: FileDriftAnswer }, strict),
      detail: {
        tags,
        'x-errors': ['CONFLICT'],
        summary: 'What differs from the file that was applied last',
        description:
          'A project is kept in a file once svc apply has applied one. What the file does not name is no difference, except in sections that were applied with --prune. Secrets are not compared.',
        operationId: 'getProjectFileDrift',
      },
    },
  )

const forgetRoute = (ctx: Context) =>
  operator(ctx, { capability: 'project:settings:write' }).delete(
    '/project-file/drift',
    async ({ project, actor }) => {
      await forgetFile(ctx, { projectId: project.id, actor })
      return DELETED
    },
    {
      response: DeletedAnswer,
      detail: {
        tags,
        'x-unrevised': true,
        summary: 'Keep the project in no file',
        description: 'Nothing of the project changes. The next svc apply keeps it in a file again.',
        operationId: 'forgetProjectFile',
      },
    },
  )
