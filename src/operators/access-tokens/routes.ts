import { type TSchema, Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { listAnswer, listQuery } from '../../base/http/list'
import { account } from '../../projects/doors/account'
import { refuseRepetition, SHOWN_ONCE } from '../accounts/once'
import { createToken, deleteToken, listTokens } from './service'

const strict = { additionalProperties: false } as const
const answer = <Data extends TSchema>(data: Data) => Type.Object({ data }, strict)
const instant = Type.String({ format: 'date-time' })
const instantOrNull = Type.Union([instant, Type.Null()])

const members = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'The beginning of the token' }),
  scopes: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'What it may do of what its owner may do: `read`, capabilities, or both. null = everything.',
  }),
  expiresAt: instantOrNull,
  lastUsedAt: instantOrNull,
  createdAt: instant,
  updatedAt: instant,
}
const TokenView = Type.Object(members, { ...strict, title: 'AccessToken' })
const CreatedToken = Type.Object(
  { ...members, token: Type.String({ description: 'Shown once' }) },
  { ...strict, title: 'CreatedAccessToken' },
)
const TokenBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    scopes: Type.Optional(
      Type.Union([Type.Literal('read'), Type.Array(Type.String({ maxLength: 40 }), { maxItems: 40 }), Type.Null()], {
        description:
          '`read` for every GET and no change, or a list of capabilities. Absent: everything that its owner may do.',
      }),
    ),
    expiresAt: Type.Optional(
      Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
        description: 'Absent: in 90 days. null: the token has no end.',
      }),
    ),
  },
  strict,
)
const IdParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) })

const tags = ['Account']

/** Personal access tokens. A token cannot make or delete tokens. */
export const accessTokenRoutes = (ctx: Context) =>
  account(ctx, { by: 'session', idempotency: SHOWN_ONCE })
    .get('/me/tokens', async ({ user, query }) => ({ data: await listTokens(ctx, user.id, query) }), {
      query: Type.Object(listQuery, strict),
      response: listAnswer(TokenView),
      detail: { tags, summary: 'The own personal access tokens', operationId: 'listAccessTokens' },
    })
    .post(
      '/me/tokens',
      async ({ user, session, actor, body, replayed, set }) => {
        refuseRepetition(replayed)
        const created = await createToken(ctx, actor, { userId: user.id, session }, body)
        set.status = 201
        return { data: created }
      },
      {
        body: TokenBody,
        response: { 201: answer(CreatedToken) },
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Make a personal access token',
          description:
            'It has the rights of its owner, or those of them that its scopes name. Its text is shown once. At most 20 for each person.',
          operationId: 'createAccessToken',
        },
      },
    )
    .delete(
      '/me/tokens/:id',
      async ({ user, actor, params }) => {
        await deleteToken(ctx, actor, user.id, params.id)
        return { data: { deleted: true as const } }
      },
      {
        params: IdParams,
        response: answer(Type.Object({ deleted: Type.Literal(true) }, strict)),
        detail: { tags, summary: 'Delete a personal access token', operationId: 'deleteAccessToken' },
      },
    )
