import { isIP } from 'node:net'
import type { AddressRecord } from './model'

/** How visitors reach this server. */
export interface ServerAddress {
  /** The host of `PUBLIC_BASE_URL`; null where it is an IP address, or not set. */
  name: string | null
  /** `SVC_PUBLIC_IPS`, else the addresses of that host. */
  ips: readonly string[]
}

/** What name servers said of a hostname. */
export interface SeenAddress {
  cname: readonly string[]
  /** IPv4 and IPv6 addresses, also those behind a CNAME. */
  ips: readonly string[]
  /** The name has its own zone, so it can have no CNAME beside it (RFC 1034 3.6.2). */
  isApex: boolean
}

/** The record that people must set. The apex of a zone gets the address itself. */
export function wantedRecord(isApex: boolean, { name, ips }: ServerAddress): Pick<AddressRecord, 'type' | 'value'> {
  if (!isApex && name !== null) return { type: 'CNAME', value: name }
  const ip = ips.find((one) => isIP(one) === 4) ?? ips[0] ?? null
  return { type: ip !== null && isIP(ip) === 6 ? 'AAAA' : 'A', value: ip }
}

/**
 * The record with what was seen. It is right when the name is an alias of this server, or when every address of the name
 * is one of this server: visitors may come to each of them.
 */
export function judgeAddress(server: ServerAddress, { cname, ips, isApex }: SeenAddress): AddressRecord {
  const own = new Set(server.ips.map(comparable))
  const isAlias = server.name !== null && cname.some((target) => plain(target) === server.name)
  const isOurs = ips.length > 0 && ips.every((ip) => own.has(comparable(ip)))
  const addresses = ips.map((ip) => `${isIP(ip) === 6 ? 'AAAA' : 'A'} ${ip}`)
  const seen = [...cname.map((target) => `CNAME ${plain(target)}`), ...addresses]
  return { ...wantedRecord(isApex, server), seen: seen.slice(0, MOST_SEEN), ok: isAlias || isOurs }
}

const MOST_SEEN = 20

const plain = (name: string): string => name.toLowerCase().replace(/\.$/, '')

/** An IPv6 address has several spellings. */
const comparable = (ip: string): string => (isIP(ip) === 6 ? (URL.parse(`http://[${ip}]/`)?.hostname ?? ip) : ip)
