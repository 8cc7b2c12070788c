import { Type } from '@sinclair/typebox'
import { faultOf, json, type StandIn } from './stand-in'

export const TIKTOK_PIXEL = 'C0TESTPIXEL0001'
export const TIKTOK_TOKEN = 'tiktok-token-0001'

const strict = { additionalProperties: false } as const
const hash = Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' }))
const text = Type.Optional(Type.String({ minLength: 1 }))

const Content = Type.Object(
  {
    content_id: Type.String({ minLength: 1 }),
    content_name: text,
    quantity: Type.Optional(Type.Integer({ minimum: 1 })),
    price: Type.Optional(Type.Number()),
  },
  strict,
)

const Event = Type.Object(
  {
    event: Type.String({ minLength: 1 }),
    event_time: Type.Integer({ minimum: 1_000_000_000, maximum: 9_999_999_999 }),
    event_id: text,
    user: Type.Object(
      { email: hash, phone: hash, external_id: hash, ip: text, user_agent: text, ttclid: text, ttp: text },
      { ...strict, minProperties: 1 },
    ),
    page: Type.Optional(Type.Object({ url: Type.String({ pattern: '^https?://' }), referrer: text }, strict)),
    properties: Type.Optional(
      Type.Object(
        {
          value: Type.Optional(Type.Number()),
          currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
          order_id: text,
          content_type: Type.Optional(Type.Union([Type.Literal('product'), Type.Literal('product_group')])),
          contents: Type.Optional(Type.Array(Content, { minItems: 1 })),
        },
        strict,
      ),
    ),
  },
  strict,
)

const Upload = Type.Object(
  {
    event_source: Type.Literal('web'),
    event_source_id: Type.Literal(TIKTOK_PIXEL),
    test_event_code: text,
    data: Type.Array(Event, { minItems: 1, maxItems: 1000 }),
  },
  strict,
)

/** The status is 200 whatever happened; the code tells. */
const answer = (code: number, message: string) => json(200, { code, message, request_id: 'R1', data: {} })

export const tiktokEvents: StandIn = {
  name: 'tiktok_events',
  answer({ method, path, headers, body }) {
    if (method !== 'POST' || path !== '/open_api/v1.3/event/track/') return json(404, { message: 'not found' })
    if (!headers.get('content-type')?.startsWith('application/json')) return answer(40002, 'wrong content type')
    if (headers.get('access-token') !== TIKTOK_TOKEN)
      return answer(40105, 'Access token is incorrect or has been revoked')
    const fault = faultOf(Upload, body)
    return fault ? answer(40002, fault) : answer(0, 'OK')
  },
}
