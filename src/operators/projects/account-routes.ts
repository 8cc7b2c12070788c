import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { pageBefore, toList } from '../../base/http/list'
import type { MemberRole } from '../../core/roles/roles'
import { withRevision, withRevisions } from '../../projects/audit/revisions'
import { account } from '../../projects/doors/account'
import { createProject, type ProjectRow } from '../../projects/project/service'
import { pageProjectsOf } from '../members/service'
import { KeyQuery, toKeyWire } from './key-wire'
import { projectView } from './view'
import { NewProject, NewProjectAnswer, ProjectsAnswer } from './wire'

const tags = ['Projects']

/** The projects of the signed-in person. */
export const ownProjectRoutes = (ctx: Context) => new Elysia().use(listRoute(ctx)).use(createRoute(ctx))

const listRoute = (ctx: Context) =>
  account(ctx, { by: 'any', forEveryToken: true }).get(
    '/projects',
    async ({ user, query: { limit = 50, cursor } }) => {
      const scope = ['projects', user.id]
      const page = pageBefore(cursor, scope, limit)
      const found = await pageProjectsOf(ctx, user.id, page)
      const parts = {
        positionOf: ({ project }: (typeof found)[number]) => [project.id],
        toItem: (row: (typeof found)[number]) => row,
      }
      const { items, nextCursor } = toList(found, limit, scope, parts)
      const views = await Promise.all(items.map(({ project, role }) => revisedView(ctx, project, role)))
      return { data: { items: views, nextCursor } }
    },
    {
      query: KeyQuery,
      response: ProjectsAnswer,
      detail: { tags, summary: 'Your projects', operationId: 'listProjects' },
    },
  )

const revisedView = async (ctx: Context, project: ProjectRow, role: MemberRole) =>
  withRevision(ctx, project.id, await projectView(ctx, project, role))

const createRoute = (ctx: Context) =>
  account(ctx, { by: 'any', idempotency: { isSecret: true } }).post(
    '/projects',
    async ({ body, actor, set }) => {
      const { project, key, secretKey } = await createProject(ctx, body, actor)
      const [apiKey] = await withRevisions(ctx, project.id, [toKeyWire(key)])
      set.status = 201
      return {
        data: {
          project: await revisedView(ctx, project, 'OWNER'),
          apiKey: { ...apiKey, secret: secretKey },
        },
      }
    },
    {
      body: NewProject,
      response: { 201: NewProjectAnswer },
      detail: {
        tags,
        'x-errors': ['CONFLICT'],
        summary: 'Create a project',
        description: 'You become its owner. The secret of its first API key is shown in this answer only.',
        operationId: 'createProject',
      },
    },
  )
