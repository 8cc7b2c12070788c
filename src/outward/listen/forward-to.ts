import { isIP } from 'node:net'
import { UsageError } from '../../base/cli/command'
import { addressFault, isLoopback } from '../../base/lib/address'
import { hostOf } from '../../base/lib/outgoing-url'

/** The address that gets the events. */
export interface ForwardTarget {
  url: string
  /** A certificate without an authority is accepted on this machine alone. */
  isThisMachine: boolean
}

/**
 * Reads `--forward-to`. It is the address of the person who runs the command, so nothing is forbidden but what would
 * send the events of subscribers unencrypted over the internet.
 */
export function readForwardTo(text: string | undefined): ForwardTarget {
  if (text === undefined) throw new UsageError('listen needs --forward-to http://localhost:PORT/PATH')
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.hash !== '')
    throw new UsageError('--forward-to takes an address like http://localhost:4242/hooks')
  const host = hostOf(url)
  if (url.protocol === 'http:' && !isNear(host))
    throw new UsageError('--forward-to takes http only for this machine or a private network; use https')
  return { url: url.href, isThisMachine: isHere(host) }
}

const isHere = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && isLoopback(host))

/** Names without a dot, and names under these endings, never are on the internet. */
const isNear = (host: string): boolean =>
  isHere(host) ||
  (isIP(host) === 0
    ? !host.includes('.') || /\.(local|internal|test|home\.arpa)$/.test(host)
    : addressFault(host) === 'private_address')
