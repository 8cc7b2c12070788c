import { isIP } from 'node:net'
import type { Context } from '../../base/context'
import { addressFault } from '../../base/lib/address'
import { hostOf } from '../../base/lib/outgoing-url'

/** The URL to which Google pushes, and the audience of its tokens. Null without a public address. */
export const pushEndpoint = ({ config }: Pick<Context, 'config'>, projectId: string): string | null =>
  config.publicBaseUrl === null ? null : `${config.publicBaseUrl}/webhooks/android/${projectId}`

/** Why a store cannot reach an address over the internet; the reasons of `PUBSUB_ENDPOINT_NOT_HTTPS`. */
export type EndpointFault = 'not_https' | 'private_address' | 'single_label_host' | 'local_name' | 'invalid_url'

/** The first fault that can be seen without looking up the host; null when there is none. */
export function endpointFault(address: string | null): EndpointFault | null {
  const url = address === null ? null : URL.parse(address)
  if (url === null || url.hostname === '' || url.username !== '' || url.password !== '') return 'invalid_url'
  if (url.protocol !== 'https:') return 'not_https'
  const host = hostOf(url)
  if (isIP(host) !== 0) return addressFault(host) === null ? null : 'private_address'
  if (host === 'localhost' || /\.(localhost|local|internal|home\.arpa)$/.test(host)) return 'local_name'
  return host.includes('.') ? null : 'single_label_host'
}
