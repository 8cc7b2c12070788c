/** How the public keys of that vendor start, for each store and platform. */
const PREFIXED = /^Bearer +(appl|mac|goog|amzn|galx|rcb|strp|pdl|test)_/i
const OWN_KEY = /^Bearer +svc_/i

/**
 * Whether a call comes from one of the vendor's SDKs: by the prefix of its key, or by the two headers that every call of
 * these SDKs has, because old keys of that vendor have no prefix. A call with one of our own keys never does.
 */
export function isSdkCall(headers: Headers, needsHeaders: boolean): boolean {
  const given = headers.get('authorization') ?? ''
  if (OWN_KEY.test(given)) return false
  const hasItsHeaders = headers.has('x-platform') && headers.has('x-version')
  return hasItsHeaders || (!needsHeaders && PREFIXED.test(given))
}

/** Whether a preflight is one of the web SDK: it asks for the headers that only its calls have. */
export function isSdkPreflight(headers: Headers): boolean {
  const asked = (headers.get('access-control-request-headers') ?? '').toLowerCase().split(',')
  const names = new Set(asked.map((name) => name.trim()))
  return names.has('x-platform') && names.has('x-version')
}

export interface SdkKey {
  /** The key has the prefix `test_`. */
  isTest: boolean
  /** Our own public key behind the prefix; null for a key of that vendor. */
  publicKey: string | null
  /** The whole key, as the app has it. */
  whole: string
}

const WITH_OWN = /^(?:appl|mac|goog|amzn|galx|rcb|rcb_sb|strp|strp_sb|pdl|test)_(svc_pub_[0-9A-Za-z]{32})$/
const MAX_KEY = 255

/** The key in an Authorization header; null when it has none of a usable form. */
export function readSdkKey(authorization: string | null): SdkKey | null {
  const whole = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1] ?? ''
  if (whole === '' || whole.length > MAX_KEY) return null
  const [, publicKey = null] = WITH_OWN.exec(whole) ?? []
  return { isTest: whole.startsWith('test_'), publicKey, whole }
}

/** Where an app runs: what decides the product ids that it is answered with. */
export const SDK_PLATFORMS = ['ios', 'android', 'amazon', 'web'] as const

export type SdkPlatform = (typeof SDK_PLATFORMS)[number]

/** The platform of a call; the web for a header that names none of the known ones. */
export function platformOf(headers: Headers): SdkPlatform {
  const named = (headers.get('x-platform') ?? '').toLowerCase()
  if (named === 'android') return 'android'
  if (named === 'amazon') return 'amazon'
  return APPLE.has(named) ? 'ios' : 'web'
}

const APPLE = new Set(['ios', 'uikitformac', 'macos', 'tvos', 'watchos', 'visionos'])
