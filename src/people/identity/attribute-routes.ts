import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { api } from '../../projects/doors/api'
import { checkAttributes, setAttributes } from '../subscribers/attributes-service'
import { creationOf } from '../subscribers/creation'
import { checkDeviceKey } from '../subscribers/device-key'
import {
  callingSubscriber,
  findReferenced,
  isSubscriberId,
  type SubscriberRow,
  subscriberOfDevice,
} from '../subscribers/service'
import { SubscriberParams, SubscriberViewSchema, toSubscriberView } from '../subscribers/wire'

const strict = { additionalProperties: false } as const

const AttributesBody = Type.Object(
  { attributes: Type.Record(Type.String(), Type.Unknown(), { description: 'Key to string, or null to delete' }) },
  { additionalProperties: true },
)

const SubscriberAnswer = Type.Object({ data: Type.Object({ subscriber: SubscriberViewSchema }, strict) }, strict)

const tags = ['Subscribers']

/** Set attributes of the calling device, and of a named subscriber. */
export const attributeRoutes = (ctx: Context) => new Elysia().use(ofCaller(ctx)).use(ofReferenced(ctx))

/** 50 attributes can be larger than what is kept of an answer. A repetition must not set what has changed since. */
const idempotency = { unkept: 'RENDER' } as const

const ofCaller = (ctx: Context) =>
  api(ctx, { key: 'any', idempotency }).post(
    '/me/attributes',
    async ({ project, body, request, replayed }) => {
      checkAttributes(ctx, project, body.attributes)
      const row = await callingSubscriber(ctx, project.id, request)
      return toAnswer(replayed ? row : await setAttributes(ctx, project, row, body.attributes, { source: 'sdk' }))
    },
    {
      body: AttributesBody,
      response: SubscriberAnswer,
      detail: {
        tags,
        'x-identity': 'device',
        summary: 'Set attributes of the calling device',
        operationId: 'setMyAttributes',
      },
    },
  )

const ofReferenced = (ctx: Context) =>
  api(ctx, { key: 'any', takesReference: true, idempotency }).post(
    '/subscribers/:appUserId/attributes',
    async ({ project, key, params, body, request, replayed }) => {
      checkAttributes(ctx, project, body.attributes)
      const found = await findReferenced(ctx, key, params.appUserId)
      if (found && replayed) return toAnswer(found)
      const row = found ?? (await makeReferenced(ctx, project.id, params.appUserId, request))
      const source = key.presented === 'secret' ? 'api' : 'sdk'
      return toAnswer(await setAttributes(ctx, project, row, body.attributes, { source }))
    },
    {
      params: SubscriberParams,
      body: AttributesBody,
      response: SubscriberAnswer,
      detail: { tags, summary: 'Set attributes of a subscriber', operationId: 'setSubscriberAttributes' },
    },
  )

const toAnswer = (row: SubscriberRow) => ({ data: { subscriber: toSubscriberView(row) } })

/** Creates a row with an unknown reference as its device key; 404 for a reference in the form of a `sub_` id. */
function makeReferenced(ctx: Context, projectId: string, reference: string, request: Request) {
  if (isSubscriberId(reference)) throw notFound('subscriber', reference)
  return subscriberOfDevice(ctx, projectId, checkDeviceKey(reference, 'appUserId'), creationOf(ctx, request))
}
