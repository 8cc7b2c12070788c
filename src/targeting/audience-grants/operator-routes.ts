import { type Static, Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { dataAnswer } from '../../base/http/object-answer'
import { bodyInstant } from '../../base/http/parameters'
import { factsOf } from '../../base/http/request'
import { toIsoOrNull } from '../../base/lib/time'
import { dashboardOrigin } from '../../commerce/actions/actor'
import { GrantBody } from '../../commerce/actions/operator-wire'
import { orNull } from '../../core/schema/object'
import { operator } from '../../projects/doors/operator'
import { MOST_PEOPLE } from './matching-people'
import { type AudienceGranted, grantToAudience, previewAudienceGrant } from './service'

const strict = { additionalProperties: false } as const
const MOST_SHOWN = 10

const GrantedSchema = Type.Object(
  {
    dryRun: Type.Boolean(),
    audience: Type.Object({ id: Type.String(), name: Type.String() }, strict),
    matched: Type.Integer({ description: 'How many people the audience matches' }),
    granted: Type.Integer({ description: 'How many of them get the grant: all' }),
    unchanged: Type.Integer({
      description:
        'How many of them have the access for at least as long already. They get the grant too, and their access stays as it is',
    }),
    people: Type.Array(
      Type.Object(
        { id: Type.String(), deviceKey: Type.String(), appUserId: orNull(Type.String()) },
        { ...strict, title: 'GrantedPerson' },
      ),
      { description: `The first ${MOST_SHOWN} of them, by their ids` },
    ),
    expiresAt: orNull(Type.String({ format: 'date-time', description: 'When the access ends; null = never' })),
  },
  { ...strict, title: 'AudienceGrant' },
)

/** Access for everyone of an audience. */
export const audienceGrantRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'subscribers:write' }).post(
    '/audiences/:id/grants',
    async ({ project, actor, expected, params, body, request }) => {
      const { productId = null, accessIds = null, reason = null, dryRun = false } = body
      const expiresAt = body.expiresAt == null ? null : bodyInstant('expiresAt', body.expiresAt)
      const origin = dashboardOrigin(actor, factsOf(request).id)
      const order = { audienceId: params.id, productId, accessIds, expiresAt, reason, origin, expected }
      const granted = await (dryRun ? previewAudienceGrant : grantToAudience)(ctx, project, order)
      return { data: toGrantedView(granted, dryRun) }
    },
    {
      body: GrantBody,
      response: dataAnswer(GrantedSchema),
      detail: {
        tags: ['Money'],
        'x-errors': ['UNKNOWN_REFERENCES', 'CONFLICT'],
        'x-revised': true,
        summary: 'Give everyone of an audience access without a purchase',
        description: `Everyone whom the audience matches at this moment gets the grant, at most ${MOST_PEOPLE} people in one call, and all of them or none. People who match later do not get it. dryRun answers the same figures and writes nothing. With If-Match, the audience must have that revision.`,
        operationId: 'grantAudience',
      },
    },
  )

const toGrantedView = (
  { audience, people, unchanged, expiresAt }: AudienceGranted,
  dryRun: boolean,
): Static<typeof GrantedSchema> => ({
  dryRun,
  audience: { id: audience.id, name: audience.name },
  matched: people.length,
  granted: people.length,
  unchanged,
  people: people.slice(0, MOST_SHOWN).map(({ id, deviceKey, appUserId }) => ({ id, deviceKey, appUserId })),
  expiresAt: toIsoOrNull(expiresAt),
})
