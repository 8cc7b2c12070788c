/** Where a customer may be sent to from the provider's pages. */
export interface ReturnUrlRule {
  /** The project setting `restrictReturnUrls`, on a call with a public key. */
  isRestricted: boolean
  /** As saved: scheme, lower-case host, port when it is not the scheme's own. */
  allowedOrigins: readonly string[]
  /** Host names of the project's verified custom domains. */
  customDomains: readonly string[]
}

/** `scheme`: not https, nor http for localhost. `origin`: not among those that the project allows. */
export type ReturnUrlResult =
  | { ok: true }
  | { ok: false; reason: 'malformed' }
  | { ok: false; reason: 'scheme' | 'origin'; origin: string }

const MAX_LENGTH = 2048

// The text goes to the provider as it is, so what a parser would mend (spaces, backslashes) is refused. A placeholder
// for the session's id in braces is not.
const PLAIN = /^[a-z][a-z\d+.-]*:\/\/[\x21-\x5b\x5d-\x7e]+$/i

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** The rule of wire 2.18 for success, cancel and return addresses. */
export function checkReturnUrl(text: string, rule: ReturnUrlRule): ReturnUrlResult {
  const url = PLAIN.test(text) && text.length <= MAX_LENGTH ? URL.parse(text) : null
  if (!url || url.hostname === '' || url.username !== '' || url.password !== '')
    return { ok: false, reason: 'malformed' }
  const origin = `${url.protocol}//${url.host}`
  if (!isSafe(url)) return { ok: false, reason: 'scheme', origin }
  return rule.isRestricted && !isAllowed(url, origin, rule) ? { ok: false, reason: 'origin', origin } : { ok: true }
}

const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOCAL_HOSTS.includes(hostname))

const isAllowed = ({ host }: URL, origin: string, { allowedOrigins, customDomains }: ReturnUrlRule): boolean =>
  allowedOrigins.includes(origin) || customDomains.includes(host)
