import { Type } from '@sinclair/typebox'
import { faultOf, json, type StandIn } from './stand-in'

export const APPSFLYER_KEYS = {
  iosAppId: 'id123456789',
  iosKey: 'appsflyer-ios-key-1',
  androidAppId: 'com.example.app',
  androidKey: 'appsflyer-android-key-1',
}

const KEYS: Readonly<Record<string, string>> = {
  [APPSFLYER_KEYS.iosAppId]: APPSFLYER_KEYS.iosKey,
  [APPSFLYER_KEYS.androidAppId]: APPSFLYER_KEYS.androidKey,
}

const strict = { additionalProperties: false } as const
const text = Type.Optional(Type.String({ minLength: 1 }))
const UUID = Type.Optional(Type.String({ pattern: '^[0-9A-Fa-f-]{36}$' }))

const common = {
  appsflyer_id: Type.String({ pattern: '^[0-9]{13}-[0-9]{5,19}$' }),
  customer_user_id: text,
  eventName: Type.String({ minLength: 1, maxLength: 100 }),
  eventTime: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}$' })),
  eventCurrency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  eventValue: Type.String(),
  ip: text,
  af_events_api: Type.Optional(Type.Literal('true')),
}
const IosEvent = Type.Object({ ...common, idfa: UUID, idfv: UUID, bundleIdentifier: text }, strict)
const AndroidEvent = Type.Object({ ...common, advertising_id: UUID, oaid: text, app_version_name: text }, strict)

const EventValue = Type.Object(
  {
    af_revenue: Type.Optional(Type.Number()),
    af_currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    af_content_id: text,
    af_quantity: Type.Optional(Type.Integer({ minimum: 1 })),
    af_order_id: text,
    renewal: Type.Optional(Type.Boolean()),
  },
  strict,
)

const MOST_BYTES = 1024
const plain = (status: number, body: string) => ({ status, body, headers: { 'content-type': 'text/plain' } })

export const appsflyer: StandIn = {
  name: 'appsflyer',
  answer({ method, path, headers, body }) {
    const appId = /^\/inappevent\/([^/]+)$/.exec(path)?.[1]
    if (method !== 'POST' || appId === undefined) return plain(404, 'not found')
    // Without its prefix an iOS app is not known, and AppsFlyer says nothing about it.
    if (/^\d+$/.test(appId)) return plain(200, 'ok')
    if (!headers.get('content-type')?.startsWith('application/json')) return plain(415, 'unsupported media type')
    if (KEYS[appId] === undefined) return plain(404, 'unknown app')
    if (headers.get('authentication') !== KEYS[appId]) return plain(401, 'unauthorized')
    if (Buffer.byteLength(body) > MOST_BYTES) return plain(400, 'payload too large')
    const fault = faultOf(appId.startsWith('id') ? IosEvent : AndroidEvent, body)
    if (fault !== null) return plain(400, `bad request ${fault}`)
    const { eventValue } = JSON.parse(body) as { eventValue: string }
    const inner = eventValue === '' ? null : faultOf(EventValue, eventValue)
    return inner === null ? plain(200, 'ok') : json(400, { error: inner })
  },
}
