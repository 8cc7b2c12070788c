import { BlockList, isIP } from 'node:net'
import { lazily } from '../../base/lib/lazily'

/** Networks that are not reachable from the internet (IANA's special-purpose address registries). */
const PRIVATE: [network: string, prefix: number, family: 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
]

const LOCAL_NAME = /(^|\.)(localhost|local|internal|lan|home|test|example|invalid)$/i

const privateAddresses = lazily(() => {
  const list = new BlockList()
  for (const [network, prefix, family] of PRIVATE) list.addSubnet(network, prefix, family)
  return list
})

/** Whether the host of a URL can be reachable from the internet. Names are not looked up. */
export function isPublicHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  const family = isIP(bare)
  if (family !== 0) return !privateAddresses().check(bare, family === 4 ? 'ipv4' : 'ipv6')
  return bare.includes('.') && !LOCAL_NAME.test(bare)
}
