import type { Config } from '../../../base/config'
import { hostOf, URL_FAULTS, type UrlFault, urlFault } from '../../../base/lib/outgoing-url'

/** Why notifications are not forwarded to an address; `message` follows the name of the field. */
export interface ForwardFault {
  reason: UrlFault
  message: string
}

type Rules = Pick<Config, 'isLoopbackAllowed' | 'publicBaseUrl'>

/** The first fault of an address that can be seen without looking up its host. */
export function forwardFault(url: string, config: Rules): ForwardFault | null {
  const reason = urlFault(url, config)
  if (reason) return toForwardFault(reason)
  return isOwnAddress(url, config) ? { reason: 'host_not_allowed', message: OWN } : null
}

export const toForwardFault = (reason: UrlFault): ForwardFault => ({ reason, message: URL_FAULTS[reason] })

const OWN = 'must not be a notification address of this deployment: it would send itself what it has got already'

/** Whether this deployment itself receives notifications there. */
function isOwnAddress(address: string, { publicBaseUrl }: Rules): boolean {
  const own = publicBaseUrl === null ? null : URL.parse(publicBaseUrl)
  const url = URL.parse(address)
  if (!own || !url || hostOf(own) !== hostOf(url) || own.port !== url.port) return false
  return /^\/+webhooks(\/|$)/i.test(url.pathname)
}
