import { Type } from '@sinclair/typebox'
import { faultOf, json, type StandIn } from './stand-in'

export const AMPLITUDE_KEY = 'amplitude-key-0001'

const strict = { additionalProperties: false } as const
const text = Type.Optional(Type.String({ minLength: 1, maxLength: 1024 }))
const number = Type.Optional(Type.Number())

const Event = Type.Object(
  {
    user_id: text,
    device_id: text,
    event_type: Type.String({ minLength: 1, maxLength: 1024 }),
    time: Type.Optional(Type.Integer({ minimum: 1_000_000_000_000 })),
    insert_id: text,
    platform: text,
    idfa: text,
    idfv: text,
    adid: text,
    productId: text,
    price: number,
    quantity: Type.Optional(Type.Integer()),
    revenue: number,
    revenueType: text,
    ip: text,
    event_properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    user_properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  strict,
)

const Upload = Type.Object(
  {
    api_key: Type.String(),
    events: Type.Array(Event, { minItems: 1, maxItems: 2000 }),
    options: Type.Optional(Type.Object({ min_id_length: Type.Integer({ minimum: 1 }) }, strict)),
  },
  strict,
)

const refuse = (error: string, more: object = {}) => json(400, { code: 400, error, ...more })

export const amplitude: StandIn = {
  name: 'amplitude',
  answer({ method, path, headers, body }) {
    if (method !== 'POST' || path !== '/2/httpapi') return json(404, { code: 404, error: 'not found' })
    if (!headers.get('content-type')?.startsWith('application/json')) return json(415, { code: 415 })
    const key: unknown = (JSON.parse(body) as { api_key?: unknown }).api_key
    if (key !== AMPLITUDE_KEY) return refuse(`Invalid API key: ${String(key)}`)
    const fault = faultOf(Upload, body)
    if (fault) return refuse('Request missing required field', { missing_field: fault })
    const { events } = JSON.parse(body) as { events: { user_id?: string; device_id?: string }[] }
    if (events.some((one) => one.user_id === undefined && one.device_id === undefined))
      return refuse('Request missing required field', { missing_field: 'user_id' })
    return json(200, { code: 200, events_ingested: events.length, payload_size_bytes: body.length })
  },
}
