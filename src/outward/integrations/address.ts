import type { Config } from '../../base/config'
import type { ProviderRequest } from './provider'

/** Where a request goes: the address that is checked, and its query, which may contain the provider's own keys. */
export interface Destination {
  address: string
  /** With the question mark; empty without a query. */
  query: string
}

/** With `SVC_INTEGRATIONS_URL`, below that address and the provider's name; otherwise the provider's real address. */
export function destinationOf(
  { integrationsUrl }: Pick<Config, 'integrationsUrl'>,
  provider: string,
  { url }: Pick<ProviderRequest, 'url'>,
): Destination {
  const { origin, pathname, search } = new URL(url)
  const base = integrationsUrl === null ? origin : `${integrationsUrl.replace(/\/$/, '')}/${provider.toLowerCase()}`
  return { address: `${base}${pathname}`, query: search }
}
