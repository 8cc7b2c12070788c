import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { dataAnswer, orNull } from '../../base/http/object-answer'
import { toIso } from '../../base/lib/time'
import { operator } from '../../projects/doors/operator'
import { makeClaimLink } from './claim-link'

const strict = { additionalProperties: false } as const

const Body = Type.Object(
  {
    deliver: Type.Union([Type.Literal('mail'), Type.Literal('show')], {
      description: '`mail`: to the address of the purchase; `show`: in this answer, once',
    }),
  },
  { ...strict, title: 'FunnelClaimLinkRequest' },
)

const ClaimLinkSchema = Type.Object(
  {
    deliver: Type.Union([Type.Literal('mail'), Type.Literal('show')]),
    token: orNull(Type.String({ description: 'Null when it was mailed' })),
    deepLinkUrl: orNull(Type.String({ description: 'Null while the project has saved no app' })),
    universalLinkUrl: orNull(Type.String()),
    expiresAt: Type.String({ description: 'ISO 8601' }),
  },
  { ...strict, title: 'FunnelClaimLink' },
)

/** What people of a team do for a buyer who does not come into the app (funnels 6). */
export const claimOperatorRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'subscribers:write', idempotency: { isSecret: true } }).post(
    '/funnel-sessions/:id/claim-link',
    async ({ project, actor, params, body: { deliver } }) => {
      const { token, urls, expiresAt } = await makeClaimLink(ctx, project, { sessionId: params.id, deliver, actor })
      const { deep_link_url: deepLinkUrl, universal_link_url: universalLinkUrl } = urls
      return { data: { deliver, token, deepLinkUrl, universalLinkUrl, expiresAt: toIso(expiresAt) } }
    },
    {
      body: Body,
      response: dataAnswer(ClaimLinkSchema),
      detail: {
        tags: ['Funnels'],
        'x-errors': ['CONFLICT'],
        summary: 'Make a new link into the app for a buyer',
        description:
          'The tokens of before end. A mailed link also moves a purchase that was claimed before; a shown one does not.',
        operationId: 'createFunnelClaimLink',
      },
    },
  )
