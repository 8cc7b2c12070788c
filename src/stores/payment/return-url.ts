import { webUrlFault } from '../../base/lib/web-url'

/** The addresses to which the provider's pages may send a customer. */
export interface ReturnUrlRule {
  /** True for a call with a public key when the project setting `restrictReturnUrls` is on. */
  isRestricted: boolean
  /** Origins in saved form: scheme, host in lower case, and the port unless it is the scheme's default. */
  allowedOrigins: readonly string[]
  /** Host names of the project's verified custom domains. */
  customDomains: readonly string[]
}

/** `scheme`: not https, and not http for localhost. `origin`: not one that the project allows. */
export type ReturnUrlResult =
  | { ok: true }
  | { ok: false; reason: 'malformed' }
  | { ok: false; reason: 'scheme' | 'origin'; origin: string }

const MAX_LENGTH = 2048

// The text goes to the provider unchanged. So characters that a URL parser would correct (spaces, backslashes) are
// refused. The placeholder for the session's id, in braces, is allowed.
const PLAIN = /^[a-z][a-z\d+.-]*:\/\/[\x21-\x5b\x5d-\x7e]+$/i

/** The rule of wire 2.18 for success, cancel and return addresses. */
export function checkReturnUrl(text: string, rule: ReturnUrlRule): ReturnUrlResult {
  const url = PLAIN.test(text) && text.length <= MAX_LENGTH ? URL.parse(text) : null
  const fault = webUrlFault(text)
  if (!url || url.hostname === '' || url.username !== '' || url.password !== '' || fault === 'malformed')
    return { ok: false, reason: 'malformed' }
  const origin = `${url.protocol}//${url.host}`
  if (fault !== null) return { ok: false, reason: 'scheme', origin }
  return rule.isRestricted && !isAllowed(url, origin, rule) ? { ok: false, reason: 'origin', origin } : { ok: true }
}

const isAllowed = ({ host }: URL, origin: string, { allowedOrigins, customDomains }: ReturnUrlRule): boolean =>
  allowedOrigins.includes(origin) || customDomains.includes(host)
