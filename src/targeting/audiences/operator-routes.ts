import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer, listQuery } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import { AudienceBody, AudiencePatch, AudienceSchema } from '../../core/audience/schema'
import { operator } from '../../projects/doors/operator'
import { createAudience, deleteAudience, getAudienceView, listAudienceViews, updateAudience } from './admin'
import { audienceMemberRoutes } from './groups/routes'

const tags = ['Targeting']
const Query = Type.Object(listQuery, { additionalProperties: false })

/** Audiences in the dashboard (wire 7.6). */
export const audienceOperatorRoutes = (ctx: Context) =>
  new Elysia().use(readRoutes(ctx)).use(writeRoutes(ctx)).use(audienceMemberRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/audiences',
      async ({ project, query }) => {
        const scope = ['audiences', project.id]
        return { data: idList(await listAudienceViews(ctx, project.id, idPage(query, scope)), scope) }
      },
      {
        query: Query,
        response: listAnswer(AudienceSchema),
        detail: { tags, summary: 'Audiences of the project', operationId: 'listAudiences' },
      },
    )
    .get(
      '/audiences/:id',
      async ({ project, params }) => ({ data: await getAudienceView(ctx, project.id, params.id) }),
      {
        response: dataAnswer(AudienceSchema),
        detail: { tags, summary: 'One audience', operationId: 'getAudience' },
      },
    )

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'audiences:write' })
    .post(
      '/audiences',
      async ({ project, actor, body, set }) => {
        set.status = 201
        return { data: await createAudience(ctx, { projectId: project.id, actor }, body) }
      },
      {
        body: AudienceBody,
        response: { 201: dataAnswer(AudienceSchema) },
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Create an audience',
          description: 'details.fields of a refusal names the place in the rules that is wrong.',
          operationId: 'createAudience',
        },
      },
    )
    .patch(
      '/audiences/:id',
      async ({ project, actor, expected, params, body }) => ({
        data: await updateAudience(ctx, { projectId: project.id, actor, expected }, params.id, body),
      }),
      {
        body: AudiencePatch,
        response: dataAnswer(AudienceSchema),
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Change an audience',
          description: 'What names it uses the new rules at once. 409 CONFLICT for All users.',
          operationId: 'updateAudience',
        },
      },
    )
    .delete(
      '/audiences/:id',
      async ({ project, actor, expected, params }) => {
        await deleteAudience(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['audience_in_use', 'CONFLICT'],
          summary: 'Delete an audience',
          operationId: 'deleteAudience',
        },
      },
    )
