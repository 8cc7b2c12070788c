import { Type } from '@sinclair/typebox'
import { faultOf, json, type StandIn } from './stand-in'

export const BRAZE_KEYS = {
  apiKey: 'braze-rest-key-0001',
  endpoint: 'https://rest.fra-02.braze.eu',
}

const strict = { additionalProperties: false } as const
const person = { external_id: Type.String({ minLength: 1, maxLength: 997 }) }
const scalar = Type.Union([Type.String({ maxLength: 255 }), Type.Number(), Type.Boolean()])

const Track = Type.Object(
  {
    attributes: Type.Optional(
      Type.Array(
        Type.Object({ ...person, svc_access: Type.Array(Type.String({ minLength: 1 }), { maxItems: 500 }) }, strict),
        { minItems: 1, maxItems: 75 },
      ),
    ),
    events: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ...person,
            app_id: Type.Optional(Type.String({ minLength: 1 })),
            name: Type.String({ minLength: 1, maxLength: 255, pattern: '^[^$]' }),
            time: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
            properties: Type.Optional(Type.Record(Type.String({ pattern: '^[^$].{0,254}$' }), scalar, strict)),
          },
          strict,
        ),
        { minItems: 1, maxItems: 75 },
      ),
    ),
  },
  strict,
)

const NOTHING = "Valid data must be provided in the 'attributes', 'events', or 'purchases' fields."

export const braze: StandIn = {
  name: 'braze',
  answer({ method, path, headers, body }) {
    if (method !== 'POST' || path !== '/users/track') return json(404, { message: 'Invalid URL' })
    if (headers.get('authorization') !== `Bearer ${BRAZE_KEYS.apiKey}`) return json(401, { message: 'Invalid API key' })
    if (headers.get('content-type') !== 'application/json') return json(400, { message: 'Content-Type' })
    const fault = faultOf(Track, body)
    if (fault !== null)
      return json(400, { message: NOTHING, errors: [{ type: fault, input_array: 'events', index: 0 }] })
    const { attributes, events } = JSON.parse(body) as { attributes?: unknown[]; events?: unknown[] }
    if (!attributes && !events) return json(400, { message: NOTHING })
    return json(201, {
      ...(attributes && { attributes_processed: attributes.length }),
      ...(events && { events_processed: events.length }),
      message: 'success',
    })
  },
}
