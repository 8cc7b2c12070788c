import { type Static, Type } from '@sinclair/typebox'
import { SECOND } from '../../../base/lib/clock'
import { endOf } from '../hints'
import { defineProvider, type MappingInput, type ProviderRequest } from '../provider'
import { objectOf, UNEXPECTED } from './answers'
import { type App, appFor, appId, appsOf, eventTokens, nameOf, nobody, revenueOf, secretKey } from './attribution'
import { type Fields, formOf } from './form'

const Credentials = Type.Object(
  {
    sdkKey: secretKey,
    /** The bundle id and the package name. */
    iosAppId: Type.Optional(appId),
    androidAppId: Type.Optional(appId),
    /** Names of events; Singular takes 32 characters. */
    eventTokens: Type.Optional(eventTokens(32)),
  },
  { additionalProperties: false, title: 'SingularCredentials' },
)

type Keys = Static<typeof Credentials>

const NAMES = { subscription: 'sng_subscribe', oneTime: 'sng_ecommerce_purchase' }
/** The attribute in which an app saves the device id of Singular's SDK. */
const SDID = 'singularDeviceId'

function get(version: 'v1' | 'v2', fields: Fields): ProviderRequest {
  const url = `https://s2s.singular.net/api/${version}/evt?${formOf(fields)}`
  return { method: 'GET', url, headers: {}, body: null }
}

/** https://support.singular.net/hc/en-us/articles/31496864868635-Server-to-Server-EVENT-Endpoint-API-Reference */
export const SINGULAR = defineProvider({
  name: 'SINGULAR',
  title: 'Singular',
  kind: 'ATTRIBUTION',
  isRepeatable: false,
  credentials: Credentials,
  secrets: ['sdkKey'],
  hint: ({ sdkKey }) => endOf(sdkKey),
  faultOf: (keys) => (appsOf(keys).length === 0 ? 'missing_app' : null),
  // Without a platform and a name: Singular says what is missing and records nothing.
  probe: ({ sdkKey }) => [get('v1', { a: sdkKey })],
  judgeProbe(answer) {
    if (answer.status !== 200) return undefined
    const reason = objectOf(answer)?.reason
    if (typeof reason !== 'string') return UNEXPECTED
    return /\bkey\b|argument: a$/i.test(reason) ? 'unauthorized' : null
  },
  hasMapping: () => true,
  map(input) {
    const app = appFor(input, appsOf(input.credentials))
    if ('skip' in app) return app
    const isTest = input.event.source === 'TEST'
    const name = nameOf(input, app.platform, NAMES) ?? (isTest ? 'svc_integration_test' : null)
    if (name === null) return { skip: 'no_mapping' }
    const devices = devicesOf(input, app)
    if (Object.values(devices).every((one) => one === null))
      return SDID in input.person.attributes ? { skip: 'no_consent' } : nobody(input)
    const version = devices.sdid === null ? 'v1' : 'v2'
    return { requests: [get(version, { ...toEvent(input, app, name), ...devices })] }
  },
  // Singular answers errors with the status 200.
  judge(answer) {
    const said = objectOf(answer)
    if (answer.status !== 200 || said === null) return 'retry'
    return said.status === 'ok' ? 'ok' : 'refused'
  },
})

/** Singular's own device id needs no other id. */
function devicesOf({ person }: MappingInput<Keys>, { platform }: App) {
  const { idfa, idfv, gpsAdId } = person.devices
  const sdid = person.hasConsent ? person.attributes[SDID] || null : null
  const isIos = sdid === null && platform === 'ios'
  const isAndroid = sdid === null && platform === 'android'
  return {
    sdid,
    idfa: isIos ? idfa : null,
    idfv: isIos ? idfv : null,
    aifa: isAndroid ? gpsAdId : null,
  }
}

function toEvent(input: MappingInput<Keys>, app: App, name: string): Fields {
  const { credentials, event, person } = input
  const amount = revenueOf(input)
  return {
    a: credentials.sdkKey,
    p: app.platform === 'ios' ? 'iOS' : 'Android',
    i: app.id,
    // One of `ip` and `use_ip` is required, and the address of the device is not known.
    use_ip: true,
    n: name,
    utime: Math.floor(event.occurredAt / SECOND),
    custom_user_id: person.appUserId,
    amt: amount?.units,
    cur: amount?.currency,
    is_revenue_event: amount ? true : null,
    purchase_product_id: amount && event.productId,
    purchase_transaction_id: amount && event.storeTransactionId,
    // Authorized, as Apple counts it.
    att_authorization_status: app.platform === 'ios' && person.hasConsent ? 3 : null,
    e: JSON.stringify({ svc_event_id: event.id, svc_type: event.type, environment: event.environment }),
  }
}
