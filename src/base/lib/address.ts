import { BlockList, isIP } from 'node:net'
import { lazily } from './lazily'

/** Why no host on the internet can be reached at an address. */
export type AddressFault = 'private_address' | 'not_routable'

type Network = readonly [address: string, bits: number]

const PRIVATE_4: readonly Network[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
]
/** Unspecified, documentation, benchmarks, old relays, multicast, reserved and broadcast. */
const NOWHERE_4: readonly Network[] = [
  ['0.0.0.0', 8],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
const PRIVATE_6: readonly Network[] = [
  ['::1', 128],
  ['64:ff9b:1::', 48],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
]
/** Inside of the addresses that are given to networks (`2000::/3`): protocols, documentation. */
const NOWHERE_6: readonly Network[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
]

/** The list is made at its first use: the server starts some milliseconds sooner. */
const listOf = (networks: readonly Network[], family: 'ipv4' | 'ipv6'): (() => BlockList) =>
  lazily(() => {
    const list = new BlockList()
    for (const [address, bits] of networks) list.addSubnet(address, bits, family)
    return list
  })

const private4 = listOf(PRIVATE_4, 'ipv4')
const nowhere4 = listOf(NOWHERE_4, 'ipv4')
const private6 = listOf(PRIVATE_6, 'ipv6')
const nowhere6 = listOf(NOWHERE_6, 'ipv6')
const given6 = listOf([['2000::', 3]], 'ipv6')
const loopback4 = listOf([['127.0.0.0', 8]], 'ipv4')

/** Why an IP address is not a public one; null when it is. A text that is no address is `private_address`. */
export function addressFault(address: string): AddressFault | null {
  const plain = plainOf(address)
  if (plain === null) return 'private_address'
  if (!plain.includes(':')) return faultOf(plain, 'ipv4', private4(), nowhere4())
  const fault = faultOf(plain, 'ipv6', private6(), nowhere6())
  return fault === null && !given6().check(plain, 'ipv6') ? 'not_routable' : fault
}

/** Whether an IP address is this machine itself. */
export function isLoopback(address: string): boolean {
  const plain = plainOf(address)
  return plain !== null && (plain === '::1' || (!plain.includes(':') && loopback4().check(plain, 'ipv4')))
}

function faultOf(address: string, family: 'ipv4' | 'ipv6', own: BlockList, nowhere: BlockList): AddressFault | null {
  if (own.check(address, family)) return 'private_address'
  return nowhere.check(address, family) ? 'not_routable' : null
}

/** The address in its shortest spelling; the IPv4 address that an IPv6 address contains; null when it is neither. */
function plainOf(address: string): string | null {
  const family = isIP(address)
  if (family === 4) return address
  // With a zone (`fe80::1%eth0`) it has no place in a URL, and it is never public.
  const spelled = family === 6 ? URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1) : undefined
  return spelled === undefined ? null : (embedded4(groupsOf(spelled)) ?? spelled)
}

function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const read = (part: string | undefined) => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : [])
  const [first, last] = [read(head), read(tail)]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

/** IPv4-mapped (`::ffff:0:0/96`), NAT64 (`64:ff9b::/96`) and 6to4 (`2002::/16`) addresses contain an IPv4 address. */
function embedded4(groups: readonly number[]): string | null {
  const start = groups.slice(0, 6).join(' ')
  if (start === '0 0 0 0 0 65535' || start === '100 65435 0 0 0 0') return dotted(groups[6], groups[7])
  return groups[0] === 0x2002 ? dotted(groups[1], groups[2]) : null
}

const dotted = (high = 0, low = 0): string => [high >> 8, high & 255, low >> 8, low & 255].join('.')
