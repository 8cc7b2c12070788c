import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { settlesWithin } from '../../base/jobs/within'
import { SECOND } from '../../base/lib/clock'
import type { SeenAddress, ServerAddress } from './address'

/** What name servers say of a name: null = none of them answered. */
export type Answered<Value> = Value | null

const TIMEOUT_MS = 5 * SECOND
/** A name server answers that there are no such records. Bun reads an alias instead of a SOA record as a bad answer. */
const NONE = ['ENOTFOUND', 'ENODATA', 'EBADRESP']

/**
 * The name servers that custom domains are checked at; without a list, those of the system. Each check makes a new one,
 * because a resolver remembers its answers.
 */
export class NameServers {
  private readonly resolver = new Resolver({ timeout: TIMEOUT_MS / 2, tries: 2 })

  constructor(servers: readonly string[]) {
    if (servers.length > 0) this.resolver.setServers([...servers])
  }

  /** The TXT records of a name, each as one text. */
  async texts(name: string): Promise<Answered<string[]>> {
    const found = await answered(this.resolver.resolveTxt(name), [])
    if (found === null) return null
    return found.slice(0, MOST_TEXTS).map((parts) => readable(parts.join('').slice(0, LONGEST_TEXT)))
  }

  /** How visitors come to a name. Null when no name server answered for one of its records. */
  async address(name: string): Promise<Answered<SeenAddress>> {
    const [cname, ips, isApex] = await Promise.all([
      answered(this.resolver.resolveCname(name), []),
      this.ips(name),
      this.isApex(name),
    ])
    return cname && ips && { cname, ips, isApex }
  }

  /** IPv4 addresses first. */
  async ips(name: string): Promise<Answered<string[]>> {
    const four = await answered(this.resolver.resolve4(name), [])
    const six = await answered(this.resolver.resolve6(name), [])
    return four && six && [...four.sort(), ...six.sort()]
  }

  /** Only the apex of a zone has a SOA record of its own. */
  private async isApex(name: string): Promise<boolean> {
    return (await answered(this.resolver.resolveSoa(name), null)) !== null
  }
}

const LONGEST_TEXT = 255
const MOST_TEXTS = 20

/** A record may have any bytes. Databases take no NUL in a text, and people read no control characters. */
const readable = (text: string): string => text.toWellFormed().replace(/\p{Cc}/gu, '\uFFFD')

async function answered<Value>(work: Promise<Value>, none: Value): Promise<Answered<Value>> {
  try {
    return (await settlesWithin(work, TIMEOUT_MS)) ? await work : null
  } catch (error) {
    return NONE.includes(String((error as { code?: unknown }).code)) ? none : null
  }
}

/** How visitors reach this server, by its configuration. Looks up the host of `PUBLIC_BASE_URL` where no address is given. */
export async function serverAddress(
  config: { publicBaseUrl: string | null; domains: { publicIps: readonly string[] } },
  names: Pick<NameServers, 'ips'>,
): Promise<ServerAddress> {
  const name = serverName(config)
  const { publicIps } = config.domains
  if (publicIps.length > 0) return { name, ips: publicIps }
  const host = hostOfUrl(config.publicBaseUrl)
  if (host !== null && isIP(host) !== 0) return { name, ips: [host] }
  return { name, ips: name === null ? [] : ((await names.ips(name)) ?? []) }
}

/** The name that aliases point to; null where people reach this server by an IP address, or only on this machine. */
export function serverName({ publicBaseUrl }: { publicBaseUrl: string | null }): string | null {
  const host = hostOfUrl(publicBaseUrl)
  return host === null || isIP(host) !== 0 || !host.includes('.') ? null : host
}

const hostOfUrl = (url: string | null): string | null =>
  url === null ? null : new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
