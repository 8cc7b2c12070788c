import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { invalid, notFound } from '../../base/errors'
import { tagged } from '../../base/http/etag'
import { factsOf } from '../../base/http/request'
import { api } from '../../projects/doors/api'
import { type CallerAnswers, callerAnswers } from '../entitlements/answer-caller'
import { currentAccess } from '../entitlements/service'
import { AccessMapSchema } from '../subscribers/access-map'
import { checkAttributes, setAttributes } from '../subscribers/attributes-service'
import { checkDeviceKey, platformOf } from '../subscribers/device-key'
import { callingSubscriber, findReferenced, isSubscriberId, subscriberOfDevice } from '../subscribers/service'
import { SubscriberParams, SubscriberViewSchema, toSubscriberView } from '../subscribers/wire'
import { identify } from './identify'

const strict = { additionalProperties: false } as const
const lenient = { additionalProperties: true } as const

const IdentifyBody = Type.Object(
  {
    deviceKey: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'The permanent id of the install' }),
    ),
    svcId: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'Alias of deviceKey' })),
    appUserId: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '\\S',
      description: 'Your own stable id of the person',
    }),
  },
  lenient,
)

const AttributesBody = Type.Object(
  { attributes: Type.Record(Type.String(), Type.Unknown(), { description: 'Key to string, or null to delete' }) },
  lenient,
)

const data = <Schema extends Parameters<typeof Type.Object>[0]>(members: Schema) =>
  Type.Object({ data: Type.Object(members, strict) }, strict)

const IdentifyAnswer = data({ subscriberId: Type.String(), appUserId: Type.String(), transferred: Type.Boolean() })
const MeAnswer = data({ subscriber: SubscriberViewSchema, access: AccessMapSchema })
const AccessAnswer = data({ access: AccessMapSchema })
const SubscriberAnswer = data({ subscriber: SubscriberViewSchema })

const tags = ['Subscribers']
const device = { tags, 'x-identity': 'device' } as const

/** Routes of subscribers: identify, the view of the calling device, attributes, and the access of a named subscriber. */
export const subscriberRoutes = (ctx: Context) => routesOf(ctx, callerAnswers(ctx, '/v1/me'))

const routesOf = (ctx: Context, me: CallerAnswers) =>
  api(ctx, { key: 'any' })
    .post(
      '/identify',
      async ({ project, body, request }) => ({
        data: await identify(ctx, project, {
          deviceKey: deviceKeyOfBody(body),
          label: body.appUserId,
          platform: platformOf(request.headers),
          requestId: factsOf(request).id,
        }),
      }),
      {
        body: IdentifyBody,
        response: IdentifyAnswer,
        detail: {
          tags,
          summary: 'Bind your own user id to a device',
          operationId: 'identify',
          'x-errors': ['SUBSCRIBER_UNRESOLVABLE'],
        },
      },
    )
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
    .post(
      '/me/attributes',
      async ({ project, body, request }) => {
        checkAttributes(ctx, project, body.attributes)
        const row = await callingSubscriber(ctx, project.id, request.headers)
        return {
          data: { subscriber: toSubscriberView(await setAttributes(ctx, project, row, body.attributes, 'sdk')) },
        }
      },
      {
        body: AttributesBody,
        response: SubscriberAnswer,
        detail: { ...device, summary: 'Set attributes of the calling device', operationId: 'setMyAttributes' },
      },
    )
    .get(
      '/subscribers/:appUserId/access',
      async ({ project, key, params, request, set }) => {
        const row = await findReferenced(ctx, key, params.appUserId)
        if (!row) throw notFound()
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
    .post(
      '/subscribers/:appUserId/attributes',
      async ({ project, key, params, body, request }) => {
        checkAttributes(ctx, project, body.attributes)
        const found = await findReferenced(ctx, key, params.appUserId)
        const row = found ?? (await makeReferenced(ctx, project.id, params.appUserId, request.headers))
        const source = key.presented === 'secret' ? 'api' : 'sdk'
        return {
          data: { subscriber: toSubscriberView(await setAttributes(ctx, project, row, body.attributes, source)) },
        }
      },
      {
        params: SubscriberParams,
        body: AttributesBody,
        response: SubscriberAnswer,
        detail: { tags, summary: 'Set attributes of a subscriber', operationId: 'setSubscriberAttributes' },
      },
    )

function deviceKeyOfBody({ deviceKey, svcId }: { deviceKey?: string; svcId?: string }): string {
  const given = deviceKey ?? svcId
  if (given === undefined) throw invalid('body/deviceKey: Expected required property')
  if (deviceKey !== undefined && svcId !== undefined && deviceKey !== svcId)
    throw invalid('deviceKey and svcId are both given and differ')
  return checkDeviceKey(given, 'deviceKey')
}

/** Creates a row with an unknown reference as its device key; 404 for a reference in the form of a `sub_` id. */
function makeReferenced(ctx: Context, projectId: string, reference: string, headers: Headers) {
  if (isSubscriberId(reference)) throw notFound()
  return subscriberOfDevice(ctx, projectId, checkDeviceKey(reference, 'appUserId'), platformOf(headers))
}
