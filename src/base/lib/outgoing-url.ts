import { isIP } from 'node:net'
import { reasonText } from '../../core/reason/reasons'
import { type AddressFault, addressFault, isLoopback } from './address'

/** Why this deployment does not call an address that a user gave (wire 5.10). */
export type UrlFault =
  | 'malformed'
  | 'scheme'
  | 'userinfo'
  | 'insecure'
  | 'credentials_shape'
  | 'host_not_allowed'
  | 'unresolvable'
  | AddressFault

/** `SVC_ALLOW_PRIVATE_TARGETS`: whether this machine itself may be called, also over http. Only tests need it. */
export interface TargetRules {
  isLoopbackAllowed: boolean
}

/** What a user must change, worded to follow the name of the field. */
export const URL_FAULTS: Readonly<Record<UrlFault, string>> = {
  malformed: reasonText('ADDRESS_MALFORMED'),
  scheme: reasonText('ADDRESS_SCHEME'),
  userinfo: reasonText('ADDRESS_USERINFO'),
  insecure: reasonText('ADDRESS_INSECURE'),
  credentials_shape: reasonText('ADDRESS_CREDENTIALS_SHAPE'),
  host_not_allowed: reasonText('ADDRESS_HOST_NOT_ALLOWED'),
  private_address: reasonText('ADDRESS_PRIVATE_ADDRESS'),
  not_routable: reasonText('ADDRESS_NOT_ROUTABLE'),
  unresolvable: reasonText('ADDRESS_UNRESOLVABLE'),
}

/** The first fault of an address that can be seen without looking up its host; null when it has none. */
export function urlFault(text: string, { isLoopbackAllowed }: TargetRules): UrlFault | null {
  const url = URL.parse(text)
  if (url === null) return 'malformed'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme'
  if (url.username !== '' || url.password !== '') return 'userinfo'
  const host = hostOf(url)
  const isHere = isLoopbackAllowed && (host === 'localhost' || isLoopback(host))
  if (url.protocol === 'http:' && !isHere) return 'insecure'
  if (hasSecret(url.searchParams)) return 'credentials_shape'
  if (isHere) return null
  return isIP(host) === 0 ? nameFault(host) : addressFault(host)
}

/** The first fault of the addresses that a host name leads to; null when all of them may be called. */
export function resolvedFault(addresses: readonly string[], { isLoopbackAllowed }: TargetRules): UrlFault | null {
  if (addresses.length === 0) return 'unresolvable'
  const faults = addresses.map((address) => (isLoopbackAllowed && isLoopback(address) ? null : addressFault(address)))
  return faults.find((fault) => fault !== null) ?? null
}

/** The host of a URL without the brackets of an IPv6 address and without the dot at the end of a full name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Names that no public name server knows. */
const nameFault = (host: string): UrlFault | null =>
  !host.includes('.') || /\.(localhost|local|internal|home\.arpa)$/.test(host) ? 'host_not_allowed' : null

const SECRET_NAME = /^(.*[_-])?(token|secret|password|passwd|signature|credentials?|api_?-?key|access_?-?key)$/i
const SECRET_VALUE = /^(svc_(sec|idk)_|sk_|rk_|whsec_|gh[pousr]_|xox[a-z]-|AKIA|eyJ)/

const hasSecret = (query: URLSearchParams): boolean =>
  [...query].some(([name, value]) => SECRET_NAME.test(name) || SECRET_VALUE.test(value))
