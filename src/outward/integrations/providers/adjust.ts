import { type Static, Type } from '@sinclair/typebox'
import { SECOND } from '../../../base/lib/clock'
import { endOf } from '../hints'
import { withoutNulls } from '../json-request'
import { defineProvider, type MappingInput, type ProviderRequest } from '../provider'
import { isGood, isPage, UNEXPECTED } from './answers'
import { type App, appFor, appId, appsOf, eventTokens, nameOf, nobody, revenueOf, secretKey } from './attribution'
import { type Fields, formOf } from './form'

const Credentials = Type.Object(
  {
    /** The app token of Adjust. */
    iosAppId: Type.Optional(appId),
    /** The token of S2S security, where the app asks for it. */
    iosKey: Type.Optional(secretKey),
    androidAppId: Type.Optional(appId),
    androidKey: Type.Optional(secretKey),
    /** Adjust knows events by tokens alone, so types without one are not sent. */
    eventTokens: eventTokens(64),
  },
  { additionalProperties: false, title: 'AdjustCredentials' },
)

type Keys = Static<typeof Credentials>

const NO_DEVICE = '00000000000000000000000000000000'

function send(keys: Keys, app: App, fields: Fields): ProviderRequest {
  const key = app.platform === 'ios' ? keys.iosKey : keys.androidKey
  return {
    method: 'POST',
    url: 'https://s2s.adjust.com/event',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: formOf({ s2s: 1, app_token: app.id, ...fields }),
  }
}

/** https://dev.adjust.com/en/api/s2s-api/events/ */
export const ADJUST = defineProvider({
  name: 'ADJUST',
  title: 'Adjust',
  kind: 'ATTRIBUTION',
  isRepeatable: false,
  credentials: Credentials,
  secrets: ['iosKey', 'androidKey'],
  hint: ({ iosAppId, androidAppId }) => endOf(iosAppId ?? androidAppId ?? ''),
  faultOf({ iosAppId, iosKey, androidAppId, androidKey }) {
    if (iosAppId === undefined && androidAppId === undefined) return 'missing_app'
    const isLost =
      (iosAppId === undefined && iosKey !== undefined) || (androidAppId === undefined && androidKey !== undefined)
    return isLost ? 'incomplete_app' : null
  },
  // In the sandbox, and by an event token that does not exist: nothing can be recorded.
  probe: (keys) =>
    appsOf(keys).map((app) => send(keys, app, { event_token: 'svcprobe', environment: 'sandbox', adid: NO_DEVICE })),
  judgeProbe(answer) {
    if (/app token/i.test(answer.body)) return 'unknown_app'
    if (/app is inactive/i.test(answer.body)) return 'app_inactive'
    if (/event token|device not found/i.test(answer.body)) return null
    return isGood(answer) ? UNEXPECTED : undefined
  },
  hasMapping: () => true,
  map(input) {
    const app = appFor(input, appsOf(input.credentials))
    if ('skip' in app) return app
    const isTest = input.event.source === 'TEST'
    const token = nameOf(input, app.platform, null) ?? (isTest ? anyToken(input.credentials) : null)
    if (token === null) return { skip: 'no_mapping' }
    const devices = devicesOf(input, app)
    if (Object.values(devices).every((one) => one === null)) return nobody(input)
    return { requests: [send(input.credentials, app, toEvent(input, token, devices))] }
  },
  judge(answer) {
    // A unique event that was sent before has arrived.
    if (answer.status === 400 && /earlier unique event tracked/i.test(answer.body)) return 'ok'
    return isGood(answer) && !isPage(answer) ? 'ok' : 'retry'
  },
})

const anyToken = (keys: Keys): string | null => Object.values(keys.eventTokens)[0] ?? null

function devicesOf({ person: { devices } }: MappingInput<Keys>, { platform }: App) {
  const isIos = platform === 'ios'
  return {
    adid: devices.adjustId,
    idfa: isIos ? devices.idfa : null,
    idfv: isIos ? devices.idfv : null,
    gps_adid: isIos ? null : devices.gpsAdId,
  }
}

function toEvent(input: MappingInput<Keys>, token: string, devices: ReturnType<typeof devicesOf>) {
  const { event, person } = input
  // Adjust refuses negative revenue, so refunds have none.
  const amount = revenueOf(input)
  const isProduction = event.environment === 'PRODUCTION' && event.source !== 'TEST'
  return {
    event_token: token,
    created_at_unix: Math.floor(event.occurredAt / SECOND),
    environment: isProduction ? 'production' : 'sandbox',
    ...devices,
    revenue: amount?.units,
    currency: amount?.currency,
    callback_params: JSON.stringify(
      withoutNulls({
        event_id: event.id,
        app_user_id: person.appUserId,
        product_id: event.productId,
        transaction_id: event.transactionId,
      }),
    ),
  }
}
