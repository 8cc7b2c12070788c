import { type Static, Type } from '@sinclair/typebox'
import { endOf } from '../hints'
import { postJson, withoutNulls } from '../json-request'
import { defineProvider, type MappingInput, type ProviderRequest } from '../provider'
import { isGood, isPage, UNEXPECTED } from './answers'
import {
  type App,
  appFor,
  appId,
  appsOf,
  eventTokens,
  isRenewal,
  nameOf,
  nobody,
  revenueOf,
  secretKey,
} from './attribution'
import { uuidOf } from './event-uuid'

const Credentials = Type.Object(
  {
    /** One app of Airbridge has both platforms. */
    appName: Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' }),
    apiToken: secretKey,
    /** The bundle id and the package name. */
    iosAppId: Type.Optional(appId),
    androidAppId: Type.Optional(appId),
    eventTokens: Type.Optional(eventTokens(128)),
  },
  { additionalProperties: false, title: 'AirbridgeCredentials' },
)

type Keys = Static<typeof Credentials>

const NAMES = { subscription: 'airbridge.subscribe', oneTime: 'airbridge.ecommerce.order.completed' }

const send = ({ appName, apiToken }: Keys, body: unknown): ProviderRequest =>
  postJson(`https://api.airbridge.io/events/v1/apps/${appName}/mobile-app/9360`, body, {
    authorization: `AIRBRIDGE-API-KEY ${apiToken}`,
  })

/** https://help.airbridge.io/en/references/s2s-event */
export const AIRBRIDGE = defineProvider({
  name: 'AIRBRIDGE',
  title: 'Airbridge',
  kind: 'ATTRIBUTION',
  isRepeatable: false,
  credentials: Credentials,
  secrets: ['apiToken'],
  hint: ({ appName }) => endOf(appName),
  faultOf: (keys) => (appsOf(keys).length === 0 ? 'missing_app' : null),
  // An event must name its category, so this one is refused after the token was checked.
  probe: (keys) => [send(keys, {})],
  judgeProbe(answer) {
    if (answer.status === 400 || answer.status === 422) return null
    if (answer.status === 404) return 'unknown_app'
    return isGood(answer) ? UNEXPECTED : undefined
  },
  hasMapping: () => true,
  map(input) {
    const app = appFor(input, appsOf(input.credentials))
    if ('skip' in app) return app
    const isTest = input.event.source === 'TEST'
    const category = nameOf(input, app.platform, NAMES) ?? (isTest ? 'svc_integration_test' : null)
    if (category === null) return { skip: 'no_mapping' }
    const externalUserID = input.person.appUserId
    const device = deviceOf(input, app)
    if (externalUserID === null && !('deviceUUID' in device)) return nobody(input)
    const user = externalUserID === null ? undefined : { externalUserID }
    return {
      requests: [send(input.credentials, { ...toEvent(input, category), user, device, app: { packageName: app.id } })],
    }
  },
  judge: (answer) => (isGood(answer) && !isPage(answer) ? 'ok' : 'retry'),
})

function deviceOf({ person: { devices } }: MappingInput<Keys>, { platform }: App) {
  const { idfa: ifa, idfv: ifv, gpsAdId: gaid } = devices
  return platform === 'ios'
    ? withoutNulls({ deviceUUID: ifa ?? ifv, ifa, ifv, osName: 'iOS' })
    : withoutNulls({ deviceUUID: gaid, gaid, osName: 'Android' })
}

function toEvent(input: MappingInput<Keys>, category: string) {
  const { event } = input
  const amount = revenueOf(input)
  return {
    eventUUID: uuidOf(event.id),
    eventTimestamp: event.occurredAt,
    eventData: {
      goal: withoutNulls({
        category,
        value: amount?.units,
        semanticAttributes: withoutNulls({
          currency: amount?.currency,
          transactionID: event.transactionId,
          isRenewal: amount ? isRenewal(event.type) : null,
          products: event.productId === null ? null : [{ productID: event.productId, quantity: event.quantity }],
        }),
        customAttributes: { svcType: event.type, environment: event.environment },
      }),
    },
  }
}
