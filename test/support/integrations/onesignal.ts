import { Type } from '@sinclair/typebox'
import { faultOf, json, type SeenRequest, type StandIn } from './stand-in'

export const ONESIGNAL_KEYS = { apiKey: 'os_v2_app_example_key_1', appId: '0f1e2d3c-4b5a-4697-8899-aabbccddeeff' }

/** A person whom OneSignal does not know. */
export const UNKNOWN_PERSON = 'user_unknown_at_onesignal'

const strict = { additionalProperties: false } as const

const Update = Type.Object(
  { properties: Type.Object({ tags: Type.Record(Type.String({ minLength: 1 }), Type.String()) }, strict) },
  strict,
)

const Events = Type.Object(
  {
    events: Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 128 }),
          external_id: Type.String({ minLength: 1 }),
          timestamp: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })),
          idempotency_key: Type.Optional(Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })),
          properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        },
        strict,
      ),
      { minItems: 1 },
    ),
  },
  strict,
)

export const onesignal: StandIn = {
  name: 'onesignal',
  answer(request) {
    const rest = /^\/apps\/([^/]+)\/(.+)$/.exec(request.path)
    if (!rest || rest[1] !== ONESIGNAL_KEYS.appId) return json(400, { errors: ['app_id not found'] })
    if (request.headers.get('authorization') !== `Key ${ONESIGNAL_KEYS.apiKey}`)
      return json(403, { errors: ['Access denied'] })
    return answerOf(request, rest[2] ?? '')
  },
}

function answerOf({ method, body, query }: SeenRequest, path: string) {
  if (method === 'GET' && path === 'segments' && query.get('limit') === '1')
    return json(200, { total_count: 0, offset: 0, limit: 1, segments: [] })
  const user = /^users\/by\/external_id\/([^/]+)$/.exec(path)?.[1]
  if (method === 'PATCH' && user !== undefined) return update(user, body)
  return method === 'POST' && path === 'custom_events' ? track(body) : json(404, { errors: ['not found'] })
}

function update(user: string, body: string) {
  const fault = faultOf(Update, body)
  if (fault !== null) return json(400, { errors: [{ title: fault }] })
  if (decodeURIComponent(user) === UNKNOWN_PERSON)
    return json(404, { errors: [{ code: 'user-2', title: 'not found' }] })
  return json(202, { properties: (JSON.parse(body) as { properties: unknown }).properties })
}

function track(body: string) {
  const fault = faultOf(Events, body)
  if (fault !== null) return json(400, { errors: [{ title: fault }] })
  const { events } = JSON.parse(body) as { events: { external_id: string }[] }
  const lost = events.filter(({ external_id }) => external_id === UNKNOWN_PERSON)
  const errors = lost.map((one) => ({ event_user_id: one.external_id, error: { code: 'not found' } }))
  return json(202, errors.length > 0 ? { errors } : {})
}
