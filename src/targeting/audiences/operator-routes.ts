import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer, listQuery } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer, orNull, REVISED } from '../../base/http/object-answer'
import { operator } from '../../projects/doors/operator'
import { createAudience, deleteAudience, getAudienceView, listAudienceViews, updateAudience } from './admin'
import { audienceMemberRoutes } from './groups/routes'

const strict = { additionalProperties: false } as const
const tags = ['Targeting']
const Query = Type.Object(listQuery, strict)

/** A rules document (wire 5.3); the service says what is wrong in it. */
export const RulesSchema = Type.Record(Type.String({ maxLength: 255 }), Type.Unknown(), {
  description: 'Rules over attributes, for example {"country": "TR"}; empty = everybody',
})

/** What in saved rules is probably meant differently than it is evaluated. */
export const WarningsSchema = Type.Optional(
  Type.Array(Type.Object({ path: Type.String(), message: Type.String() }, { ...strict, title: 'RuleWarning' }), {
    description: 'What is probably meant differently than it is evaluated; absent where there is nothing',
  }),
)

const members = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  description: Type.Optional(orNull(Type.String({ maxLength: 1000 }))),
  rules: RulesSchema,
}
const AudienceBody = Type.Object(members, { ...strict, title: 'AudienceRequest' })
const AudiencePatch = Type.Partial(Type.Object(members), { ...strict, title: 'AudienceChange' })

const AudienceSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: orNull(Type.String()),
    rules: RulesSchema,
    isDefault: Type.Boolean({ description: 'All users, which cannot be changed' }),
    memberCount: Type.Integer({ minimum: 0, description: 'How many ids its list has; 0 without a list' }),
    membersStale: Type.Optional(
      Type.Boolean({
        description:
          'true: the list was hashed with another master key, so nobody is found in it until it is sent again',
      }),
    ),
    references: Type.Array(
      Type.Object(
        { type: Type.String({ description: 'flag, experiment or placement' }), id: Type.String(), name: Type.String() },
        { ...strict, title: 'AudienceReference' },
      ),
      { description: 'What names it' },
    ),
    warnings: WarningsSchema,
    ...REVISED,
  },
  { ...strict, title: 'Audience' },
)

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
