import { URL_FAULTS, type UrlFault } from './outgoing-url'

/** Why people are not sent to an address. */
type WebUrlFault = Extract<UrlFault, 'malformed' | 'scheme' | 'userinfo' | 'insecure'>

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]']

/** Characters that a URL parser would leave out. */
const SKIPPED = /[\s\p{Cc}]/u

/**
 * The first fault of an address that people open in a browser: a page of the customer, or where a payment page returns to.
 * Null when it has none. It is https, and http for localhost; a user name or a password in it would be shown to everybody.
 */
export function webUrlFault(text: string): WebUrlFault | null {
  const url = SKIPPED.test(text) ? null : URL.parse(text)
  if (url === null) return 'malformed'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme'
  if (url.hostname === '') return 'malformed'
  if (url.username !== '' || url.password !== '') return 'userinfo'
  return url.protocol === 'http:' && !THIS_MACHINE.includes(url.hostname) ? 'insecure' : null
}

/** What people must change, worded to follow the name of the field; null when nothing. */
export function webUrlSentence(text: string): string | null {
  const fault = webUrlFault(text)
  return fault === null ? null : URL_FAULTS[fault]
}
