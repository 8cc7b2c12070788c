import { Type } from '@sinclair/typebox'
import { faultOf, json, type StandIn } from './stand-in'

export const ITERABLE_KEYS = { apiKey: 'iterable-server-key-1' }

const strict = { additionalProperties: false } as const
const userId = Type.String({ minLength: 1, maxLength: 255 })

const Track = Type.Object(
  {
    userId,
    eventName: Type.String({ minLength: 1, maxLength: 255 }),
    id: Type.Optional(Type.String({ minLength: 1 })),
    createdAt: Type.Optional(Type.Integer({ minimum: 1_000_000_000, maximum: 9_999_999_999 })),
    dataFields: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    campaignId: Type.Optional(Type.Integer()),
    templateId: Type.Optional(Type.Integer()),
    createNewFields: Type.Optional(Type.Boolean()),
  },
  strict,
)

const Update = Type.Object(
  {
    userId,
    dataFields: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    preferUserId: Type.Optional(Type.Boolean()),
    mergeNestedObjects: Type.Optional(Type.Boolean()),
    createNewFields: Type.Optional(Type.Boolean()),
  },
  strict,
)

const SCHEMAS: Readonly<Record<string, typeof Track | typeof Update>> = {
  '/api/events/track': Track,
  '/api/users/update': Update,
}

export const iterable: StandIn = {
  name: 'iterable',
  answer({ method, path, headers, body }) {
    if (headers.get('api-key') !== ITERABLE_KEYS.apiKey)
      return json(401, { msg: 'Invalid API key', code: 'BadApiKey', params: { endpoint: path } })
    if (method === 'GET' && path === '/api/users/getFields') return json(200, { fields: { email: 'string' } })
    const schema = SCHEMAS[path]
    if (method !== 'POST' || !schema) return json(404, { msg: 'Not found', code: 'NotFound', params: null })
    const fault = faultOf(schema, body)
    if (fault !== null) return json(400, { msg: fault, code: 'BadParams', params: null })
    return json(200, { msg: 'Done', code: 'Success', params: null })
  },
}
