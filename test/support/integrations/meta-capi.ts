import { Type } from '@sinclair/typebox'
import { faultOf, json, type StandIn } from './stand-in'

export const META_PIXEL = '1234567890123'
export const META_TOKEN = 'EAAmetatoken0001'

const strict = { additionalProperties: false } as const
const hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const hashes = Type.Optional(Type.Array(hash, { minItems: 1 }))
const text = Type.Optional(Type.String({ minLength: 1 }))

const UserData = Type.Object(
  {
    ...{ em: hashes, ph: hashes, external_id: hashes, fn: hashes, ln: hashes, ct: hashes, country: hashes },
    ...{ client_ip_address: text, client_user_agent: text, madid: text, fbc: text, fbp: text },
  },
  { ...strict, minProperties: 1 },
)

const CustomData = Type.Object(
  {
    value: Type.Optional(Type.Number()),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    order_id: text,
    content_type: Type.Optional(Type.Union([Type.Literal('product'), Type.Literal('product_group')])),
    content_ids: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
  },
  strict,
)

const SOURCES = ['email', 'website', 'app', 'phone_call', 'chat', 'physical_store', 'system_generated', 'other']

const Event = Type.Object(
  {
    event_name: Type.String({ minLength: 1 }),
    event_time: Type.Integer({ minimum: 1_000_000_000, maximum: 9_999_999_999 }),
    event_id: text,
    action_source: Type.Union(SOURCES.map((source) => Type.Literal(source))),
    event_source_url: Type.Optional(Type.String({ pattern: '^https?://' })),
    user_data: UserData,
    custom_data: Type.Optional(CustomData),
  },
  strict,
)

const Upload = Type.Object(
  { data: Type.Array(Event, { minItems: 1, maxItems: 1000 }), access_token: Type.String(), test_event_code: text },
  strict,
)

const refuse = (status: number, code: number, message: string, more: object = {}) =>
  json(status, { error: { message, type: 'OAuthException', code, ...more, fbtrace_id: 'A1' } })

interface Sent {
  access_token?: unknown
  data?: {
    event_name: string
    action_source: string
    event_source_url?: string
    user_data: object
    custom_data?: object
  }[]
}

export const metaCapi: StandIn = {
  name: 'meta_capi',
  answer({ method, path, headers, body }) {
    const [, pixelId] = /^\/v\d+\.0\/(\d+)\/events$/.exec(path) ?? []
    if (method !== 'POST' || pixelId === undefined) return refuse(404, 2500, 'Unknown path components')
    if (!headers.get('content-type')?.startsWith('application/json')) return refuse(400, 100, 'Invalid content type')
    const sent = JSON.parse(body) as Sent
    if (sent.access_token !== META_TOKEN) return refuse(400, 190, `Invalid OAuth access token ${sent.access_token}`)
    if (pixelId !== META_PIXEL) return refuse(400, 100, 'Object does not exist', { error_subcode: 33 })
    const fault = faultOf(Upload, body) ?? (sent.data ?? []).map(faultOfEvent).find((found) => found !== null)
    return fault
      ? refuse(400, 100, `Invalid parameter: ${fault}`)
      : json(200, { events_received: sent.data?.length, messages: [], fbtrace_id: 'A1' })
  },
}

/** What the members demand of each other. */
function faultOfEvent({
  event_name,
  action_source,
  event_source_url,
  user_data,
  custom_data = {},
}: NonNullable<Sent['data']>[number]) {
  const isWebsite = action_source === 'website'
  if (isWebsite && !('client_user_agent' in user_data && event_source_url)) return 'a website event without its browser'
  const needsMoney = event_name === 'Purchase'
  return needsMoney && !('value' in custom_data && 'currency' in custom_data) ? 'a purchase without value' : null
}
