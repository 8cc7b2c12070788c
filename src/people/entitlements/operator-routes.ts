import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { operator } from '../../projects/doors/operator'
import { PersonParams } from '../subscribers/operator-wire'
import { getPerson } from '../subscribers/service'
import { explainNow } from './explain-routes'
import { ExplainAnswer } from './explain-wire'

const strict = { additionalProperties: false } as const

const ExplainParams = Type.Composite(
  [
    PersonParams,
    Type.Object({ access: Type.String({ minLength: 1, maxLength: 64, description: 'Access identifier' }) }),
  ],
  strict,
)

const ExplainQuery = Type.Object(
  { at: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601; now when absent' })) },
  strict,
)

/** Why a person has an access or does not have it, for support. */
export const entitlementOperatorRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/subscribers/:id/explain/:access',
    async ({ project, params, query }) => {
      const row = await getPerson(ctx, project.id, params.id)
      return { data: await explainNow(ctx, project, row, params.access, query.at) }
    },
    {
      params: ExplainParams,
      query: ExplainQuery,
      response: ExplainAnswer,
      detail: {
        tags: ['People'],
        'x-errors': ['NOT_FOUND', 'SUBSCRIBER_UNRESOLVABLE'],
        summary: 'Why a subscriber has an access',
        description: 'From what the stores had said by then, and from who owned what then.',
        operationId: 'explainSubscriberAccess',
      },
    },
  )
