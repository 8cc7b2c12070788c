import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../base/lib/time'
import { endOf } from '../hints'
import { postJson, withoutNulls } from '../json-request'
import { defineProvider, type MappingInput, type ProviderRequest } from '../provider'
import { isGood, isPage, UNEXPECTED } from './answers'
import {
  type App,
  amountOf,
  appFor,
  appId,
  appsOf,
  eventTokens,
  isRenewal,
  nameOf,
  nobody,
  secretKey,
} from './attribution'

const Credentials = Type.Object(
  {
    /** With its prefix: without it AppsFlyer answers 200 and records nothing. */
    iosAppId: Type.Optional(Type.String({ pattern: '^id[0-9]{5,15}$', maxLength: 20 })),
    iosKey: Type.Optional(secretKey),
    androidAppId: Type.Optional(appId),
    androidKey: Type.Optional(secretKey),
    eventTokens: Type.Optional(eventTokens(100)),
  },
  { additionalProperties: false, title: 'AppsflyerCredentials' },
)

type Keys = Static<typeof Credentials>

const NAMES = { subscription: 'af_subscribe', oneTime: 'af_purchase' }
const MOST_BYTES = 1024

const send = (keys: Keys, app: App, body: unknown): ProviderRequest => {
  const key = app.platform === 'ios' ? keys.iosKey : keys.androidKey
  const url = `https://api3.appsflyer.com/inappevent/${encodeURIComponent(app.id)}`
  return postJson(url, body, { authentication: key ?? '' })
}

/** https://dev.appsflyer.com/hc/reference/s2s-events-api3-overview */
export const APPSFLYER = defineProvider({
  name: 'APPSFLYER',
  title: 'AppsFlyer',
  kind: 'ATTRIBUTION',
  isRepeatable: false,
  credentials: Credentials,
  secrets: ['iosKey', 'androidKey'],
  hint: ({ iosAppId, androidAppId }) => endOf(iosAppId ?? androidAppId ?? ''),
  faultOf({ iosAppId, iosKey, androidAppId, androidKey }) {
    if (iosAppId === undefined && androidAppId === undefined) return 'missing_app'
    const isWhole = (iosAppId === undefined) === (iosKey === undefined)
    return isWhole && (androidAppId === undefined) === (androidKey === undefined) ? null : 'incomplete_app'
  },
  // Without the members that each event must have: nothing can be recorded, but the key is checked.
  probe: (keys) => appsOf(keys).map((app) => send(keys, app, {})),
  judgeProbe(answer) {
    if (answer.status === 400) return null
    if (answer.status === 404) return 'unknown_app'
    return isGood(answer) ? UNEXPECTED : undefined
  },
  hasMapping: () => true,
  map(input) {
    const app = appFor(input, appsOf(input.credentials))
    if ('skip' in app) return app
    const eventName =
      nameOf(input, app.platform, NAMES) ?? (input.event.source === 'TEST' ? 'svc_integration_test' : null)
    if (eventName === null) return { skip: 'no_mapping' }
    const deviceId = input.person.devices.appsflyerId
    if (deviceId === null) return nobody(input)
    return { requests: [send(input.credentials, app, fitted(toEvent(input, app, eventName, deviceId)))] }
  },
  judge: (answer) => (isGood(answer) && !isPage(answer) ? 'ok' : 'retry'),
})

function toEvent(input: MappingInput<Keys>, app: App, eventName: string, appsflyerId: string) {
  const { event, person, money } = input
  const isIos = app.platform === 'ios'
  const amount = amountOf(money)
  return withoutNulls({
    appsflyer_id: appsflyerId,
    customer_user_id: person.appUserId,
    idfa: isIos ? person.devices.idfa : null,
    idfv: isIos ? person.devices.idfv : null,
    advertising_id: isIos ? null : person.devices.gpsAdId,
    eventName,
    eventTime: toIso(event.occurredAt).replace('T', ' ').replace('Z', ''),
    eventCurrency: amount?.currency,
    eventValue: JSON.stringify(
      withoutNulls({
        // AppsFlyer takes refunds as negative revenue.
        af_revenue: amount && (event.type === 'purchase.refunded' ? -amount.units : amount.units),
        af_currency: amount?.currency,
        af_content_id: event.productId,
        af_quantity: event.productId === null ? null : event.quantity,
        af_order_id: event.transactionId,
        renewal: amount ? isRenewal(event.type) : null,
      }),
    ),
    af_events_api: 'true',
  })
}

/** AppsFlyer takes 1 KB. The longest member that an event can do without is the customer's own id. */
function fitted(body: ReturnType<typeof toEvent>) {
  const { customer_user_id: _, ...rest } = body
  return Buffer.byteLength(JSON.stringify(body)) <= MOST_BYTES ? body : rest
}
