import { isLoopback } from '../lib/address'
import type { Sockets } from './request'

/**
 * Addresses of clients whose connections a listener of this process passes on over loopback, by the local port of the
 * connection.
 */
export class Forwarded {
  private readonly addresses = new Map<number, string>()

  /** Notes the client of a connection; returns how to forget it. */
  add = (localPort: number, address: string): (() => void) => {
    this.addresses.set(localPort, address)
    return () => void this.addresses.delete(localPort)
  }

  /** The sockets of a server, with the true addresses of clients. Nearly always nothing is passed on. */
  seenThrough(sockets: Sockets | null): Sockets | null {
    if (sockets === null || this.addresses.size === 0) return sockets
    return {
      requestIP: (request) => {
        const found = sockets.requestIP(request)
        // A client elsewhere may have the same port by chance, or choose it.
        const address = found && isLoopback(found.address) && this.addresses.get(found.port ?? 0)
        return address ? { address } : found
      },
    }
  }
}

/** The hosts that send HSTS, so that browsers use only https for them. Only where this server speaks https itself. */
export class StrictHosts {
  private hosts: ReadonlySet<string> = new Set()

  replace(hosts: readonly string[]): void {
    this.hosts = new Set(hosts)
  }

  has = (host: string): boolean => this.hosts.has(host)
}
