import { isIP } from 'node:net'
import type { Reader } from './config-reader'
import type { VariableName } from './config-variables'

/** What custom domains are checked with. */
export interface DomainConfig {
  /** Name servers as `IP:PORT`; empty = those of the system. */
  nameServers: readonly string[]
  /** The IP addresses at which visitors reach this server; empty = those of the host of `PUBLIC_BASE_URL`. */
  publicIps: readonly string[]
  /** Names, in lower case, that no project may have, neither themselves nor below them. */
  reservedHosts: readonly string[]
}

/** Reads it; its faults are those of the whole configuration. */
export const readDomainConfig = (read: Reader): DomainConfig => ({
  nameServers: readList(read, 'SVC_DNS', isNameServer, 'name servers such as 9.9.9.9:53 or [2620:fe::fe]:53'),
  publicIps: readList(read, 'SVC_PUBLIC_IPS', (text) => isIP(text) !== 0, 'IP addresses such as 203.0.113.9'),
  reservedHosts: readList(read, 'SVC_RESERVED_HOSTS', isHostname, 'hostnames such as svc.example.com'),
})

/** A list with commas between its entries, in lower case. */
function readList(read: Reader, name: VariableName, isUsable: (entry: string) => boolean, accepted: string): string[] {
  const given = read.text(name) ?? ''
  const entries = given
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  if (!entries.every(isUsable)) read.fault(name, given, `${accepted}, with commas between them`)
  return entries
}

const isHostname = (text: string): boolean => /^[a-z\d-]+(\.[a-z\d-]+)*$/.test(text)

function isNameServer(text: string): boolean {
  const [, host = '', port] = /^\[?([\da-f.:]+?)\]?(?::(\d{1,5}))?$/.exec(text) ?? []
  return isIP(host) !== 0 && (port === undefined || Number(port) <= 65_535)
}
