import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { tagged } from '../../base/http/etag'
import { api } from '../../projects/doors/api'
import { type CallerAnswers, callerAnswers } from '../entitlements/answer-caller'
import { currentAccess } from '../entitlements/service'
import { AccessMapSchema } from '../subscribers/access-map'
import { findReferenced } from '../subscribers/service'
import { SubscriberParams, SubscriberViewSchema, toSubscriberView } from '../subscribers/wire'

const strict = { additionalProperties: false } as const

const data = <Schema extends Parameters<typeof Type.Object>[0]>(members: Schema) =>
  Type.Object({ data: Type.Object(members, strict) }, strict)

const MeAnswer = data({ subscriber: SubscriberViewSchema, access: AccessMapSchema })
const AccessAnswer = data({ access: AccessMapSchema })

const tags = ['Subscribers']
const device = { tags, 'x-identity': 'device' } as const

/** Routes of subscribers: the view of the calling device, and the access of a named subscriber. */
export const subscriberRoutes = (ctx: Context) => routesOf(ctx, callerAnswers(ctx, '/v1/me'))

const routesOf = (ctx: Context, me: CallerAnswers) =>
  api(ctx, { key: 'any' })
    .get(
      '/me',
      ({ project, request, set }) =>
        me({ project, request, set }, (row, access) => ({
          data: { subscriber: toSubscriberView(row), access },
        })),
      {
        response: MeAnswer,
        detail: {
          ...device,
          'x-tagged': true,
          summary: 'The calling device: attributes and access',
          operationId: 'getMe',
        },
      },
    )
    .get(
      '/subscribers/:appUserId/access',
      async ({ project, key, params, request, set }) => {
        const row = await findReferenced(ctx, key, params.appUserId)
        if (!row) throw notFound('subscriber', params.appUserId)
        const payload = { data: { access: await currentAccess(ctx, project, row) } }
        return tagged(request, set, { subscriberId: row.id, route: '/v1/subscribers/:appUserId/access' }, payload)
      },
      {
        params: SubscriberParams,
        response: AccessAnswer,
        detail: {
          tags,
          'x-tagged': true,
          summary: 'What a subscriber may use now',
          operationId: 'getSubscriberAccess',
        },
      },
    )
