import { formFault } from './form'
import { json, type StandIn } from './stand-in'

export const SINGULAR_KEYS = {
  sdkKey: 'example_sdk_key_1',
  iosAppId: 'com.example.app.ios',
  androidAppId: 'com.example.app',
}

const EVENT = {
  a: /^\w+$/,
  p: /^(iOS|Android)$/,
  i: /^[\w.-]+$/,
  n: /^[!-~]{1,32}$/,
  ip: /^\d+\.\d+\.\d+\.\d+$/,
  use_ip: /^true$/,
  utime: /^[0-9]{10}$/,
  custom_user_id: /./s,
  amt: /^-?[0-9]+(\.[0-9]+)?$/,
  cur: /^[A-Z]{3}$/,
  is_revenue_event: /^(true|false)$/,
  purchase_product_id: /./,
  purchase_transaction_id: /./,
  att_authorization_status: /^[0-3]$/,
  e: /^\{.*\}$/s,
}
const UUID = /^[0-9A-Fa-f-]{36}$/
const RULES = { v1: { ...EVENT, idfa: UUID, idfv: UUID, aifa: UUID }, v2: { ...EVENT, sdid: UUID } }
const REQUIRED = ['a', 'p', 'i', 'n']

/** Every answer has the status 200. */
const fail = (reason: string) => json(200, { status: 'error', reason })

export const singular: StandIn = {
  name: 'singular',
  answer({ method, path, query }) {
    const version = /^\/api\/(v1|v2)\/evt$/.exec(path)?.[1] as 'v1' | 'v2' | undefined
    if (method !== 'GET' || version === undefined) return json(404, { status: 'error', reason: 'not found' })
    if (query.get('a') !== SINGULAR_KEYS.sdkKey) return fail('invalid api key')
    const fault = formFault(query, RULES[version], REQUIRED)
    if (fault !== null) return fail(fault)
    if (query.has('ip') === query.has('use_ip')) return fail('one of ip and use_ip')
    const ids = version === 'v2' ? ['sdid'] : query.get('p') === 'iOS' ? ['idfa', 'idfv'] : ['aifa']
    if (!ids.some((name) => query.has(name))) return fail('no device ID supplied')
    return json(200, { status: 'ok' })
  },
}
