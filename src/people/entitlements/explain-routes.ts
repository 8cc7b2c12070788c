import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { invalid, notFound } from '../../base/errors'
import { queryInstant } from '../../base/http/parameters'
import { api } from '../../projects/doors/api'
import type { ProjectState } from '../../projects/project/state'
import { findReferenced, type SubscriberRow } from '../subscribers/service'
import { explainAccess } from './explain'
import { ExplainAnswer, toExplainView } from './explain-wire'

const open = { additionalProperties: true } as const // The path for browsers also contains the public key.

const ExplainParams = Type.Object(
  {
    appUserId: Type.String({ minLength: 1, maxLength: 255, description: 'Subscriber reference' }),
    identifier: Type.String({ minLength: 1, maxLength: 64, description: 'Access identifier' }),
  },
  open,
)

const ExplainQuery = Type.Object(
  { at: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601; now when absent' })) },
  open,
)

/** Why a subscriber has or does not have an access, now or at another instant. For support and the customer's server. */
export const explainRoutes = (ctx: Context) =>
  api(ctx, { key: 'secret' }).get(
    '/subscribers/:appUserId/access/:identifier/explain',
    async ({ project, key, params, query }) => {
      const row = await findReferenced(ctx, key, params.appUserId)
      if (!row) throw notFound('subscriber', params.appUserId)
      return { data: await explainNow(ctx, project, row, params.identifier, query.at) }
    },
    {
      params: ExplainParams,
      query: ExplainQuery,
      response: ExplainAnswer,
      detail: {
        tags: ['Subscribers'],
        'x-errors': ['SUBSCRIBER_UNRESOLVABLE'],
        summary: 'Why somebody has an access',
        description:
          'From what the stores had said by then, as far as it is known now, and from who owned what then. A later instant shows what the present facts lead to.',
        operationId: 'explainAccess',
      },
    },
  )

/** The explanation of an access by its identifier; 404 when the project has no such access. */
export async function explainNow(
  ctx: Context,
  project: ProjectState,
  row: SubscriberRow,
  access: string,
  atText: string | undefined,
) {
  const known = [...project.catalog.access.values()].map(({ identifier }) => identifier)
  if (!known.includes(access)) throw notFound('access', access)
  const now = ctx.clock.now()
  const question = { access, at: readAt(atText, row, now), now }
  const explanation = await explainAccess(ctx, project, row, question.access, question.at)
  return toExplainView(project, row, question, explanation)
}

function readAt(text: string | undefined, { createdAt }: SubscriberRow, now: number): number {
  if (text === undefined) return now
  const at = queryInstant('at', text)
  if (at < createdAt) throw invalid('at: before the subscriber was created')
  return at
}
