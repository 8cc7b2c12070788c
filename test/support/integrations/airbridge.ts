import { Type } from '@sinclair/typebox'
import { faultOf, json, type StandIn } from './stand-in'

export const AIRBRIDGE_KEYS = {
  appName: 'exampleapp',
  apiToken: 'airbridge-api-token-1',
  iosAppId: 'com.example.app.ios',
  androidAppId: 'com.example.app',
}

const strict = { additionalProperties: false } as const
const text = Type.Optional(Type.String({ minLength: 1 }))
const UUID = '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$'
const uuid = Type.Optional(Type.String({ pattern: UUID }))

const Goal = Type.Object(
  {
    category: Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_.]+$' }),
    action: text,
    label: text,
    value: Type.Optional(Type.Number()),
    semanticAttributes: Type.Optional(
      Type.Object(
        {
          currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
          transactionID: text,
          isRenewal: Type.Optional(Type.Boolean()),
          products: Type.Optional(
            Type.Array(Type.Object({ productID: text, quantity: Type.Optional(Type.Integer({ minimum: 1 })) }, strict)),
          ),
        },
        strict,
      ),
    ),
    customAttributes: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    ),
  },
  strict,
)

const Event = Type.Object(
  {
    eventUUID: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' }),
    ),
    eventTimestamp: Type.Optional(Type.Integer({ minimum: 1_000_000_000_000, maximum: 9_999_999_999_999 })),
    eventData: Type.Object({ goal: Goal }, strict),
    user: Type.Optional(Type.Object({ externalUserID: text }, strict)),
    device: Type.Optional(
      Type.Object(
        {
          deviceUUID: uuid,
          ifa: uuid,
          ifv: uuid,
          gaid: uuid,
          osName: Type.Union([Type.Literal('iOS'), Type.Literal('Android')]),
        },
        strict,
      ),
    ),
    app: Type.Optional(Type.Object({ packageName: text }, strict)),
  },
  strict,
)

interface Sent {
  user?: { externalUserID?: string }
  device?: { deviceUUID?: string; osName: string; gaid?: string; ifa?: string; ifv?: string }
}

export const airbridge: StandIn = {
  name: 'airbridge',
  answer({ method, path, headers, body }) {
    if (method !== 'POST' || path !== `/events/v1/apps/${AIRBRIDGE_KEYS.appName}/mobile-app/9360`)
      return json(404, { message: 'App not found' })
    if (headers.get('authorization') !== `AIRBRIDGE-API-KEY ${AIRBRIDGE_KEYS.apiToken}`)
      return json(401, { message: 'Unauthorized' })
    const fault = faultOf(Event, body)
    if (fault !== null) return json(400, { message: fault })
    const { user, device } = JSON.parse(body) as Sent
    if (user?.externalUserID === undefined && device?.deviceUUID === undefined)
      return json(400, { message: 'user.externalUserID or device.deviceUUID is required' })
    const isMixed =
      device?.osName === 'iOS' ? device.gaid !== undefined : device?.ifa !== undefined || device?.ifv !== undefined
    return isMixed
      ? json(400, { message: 'an id of another system' })
      : json(200, { at: '2026-11-20T08:00:02.000Z', resource: {} })
  },
}
