import { formFault } from './form'
import { json, type StandIn } from './stand-in'

export const ADJUST_KEYS = {
  iosAppId: 'ios4w565xzmb',
  iosKey: 'adjust-ios-s2s-token',
  androidAppId: 'and4w565xzmb',
  eventTokens: { 'purchase.initial': 'aaa111', 'purchase.renewed': 'bbb222' },
}

const TOKENS = new Set(['aaa111', 'bbb222', 'ccc333', 'ddd444', 'eee555'])

const RULES = {
  s2s: /^1$/,
  app_token: /^[a-z0-9]{12}$/,
  event_token: /^[a-z0-9]{6,8}$/,
  created_at_unix: /^[0-9]{10}$/,
  environment: /^(production|sandbox)$/,
  adid: /^[0-9a-f]{32}$/,
  idfa: /^[0-9A-Fa-f-]{36}$/,
  idfv: /^[0-9A-Fa-f-]{36}$/,
  gps_adid: /^[0-9a-f-]{36}$/,
  revenue: /^[0-9]+(\.[0-9]+)?$/,
  currency: /^[A-Z]{3}$/,
  callback_params: /^\{.*\}$/s,
}
const REQUIRED = ['s2s', 'app_token', 'event_token']

const fail = (status: number, message: string) => json(status, { error: `Event request failed (${message})` })

export const adjust: StandIn = {
  name: 'adjust',
  answer({ method, path, headers, body }) {
    if (method !== 'POST' || path !== '/event') return json(404, { error: 'Not found' })
    if (headers.get('content-type') !== 'application/x-www-form-urlencoded') return fail(400, 'Bad event state')
    const form = new URLSearchParams(body)
    const app = form.get('app_token')
    if (app !== ADJUST_KEYS.iosAppId && app !== ADJUST_KEYS.androidAppId) return fail(404, 'App token not found')
    // Only the app for iOS has S2S security switched on.
    const isSecured = app === ADJUST_KEYS.iosAppId
    if (isSecured && headers.get('authorization') !== `Bearer ${ADJUST_KEYS.iosKey}`)
      return fail(401, 'Failed to authorize request')
    const fault = formFault(form, RULES, REQUIRED)
    if (fault !== null) return fail(400, `Bad event state: ${fault}`)
    if (!TOKENS.has(form.get('event_token') ?? '')) return fail(400, 'Invalid event token')
    if (!['adid', 'idfa', 'idfv', 'gps_adid'].some((name) => form.has(name))) return fail(404, 'Device not found')
    if (form.has('revenue') !== form.has('currency')) return fail(400, 'Invalid revenue')
    return json(200, {
      app_token: app,
      adid: form.get('adid'),
      timestamp: '2026-11-20T08:00:02Z',
      message: 'Event tracked',
    })
  },
}
