import { connect } from 'node:net'
import { MINUTE, monotonicMs, SECOND } from '../lib/clock'

/** How long one address may take to accept a connection. */
const PATIENCE_MS = 2 * SECOND
/** For so long an address that has accepted a connection is not asked again. */
const FRESH_MS = MINUTE
const MAX_KNOWN = 1000
/** More addresses of one name are not tried. */
const MAX_TRIED = 6

/**
 * The addresses that accepted a connection a short while ago. A request is sent only once, so of several addresses of a name
 * one that can be reached is looked for before: some are down, and a machine without IPv6 reaches none of those.
 */
export class ReachableAddresses {
  private readonly known = new Map<string, number>()

  /** The first of these IP addresses that accepts a connection; null when none does in `timeoutMs`. */
  async first(addresses: readonly string[], port: number, timeoutMs: number): Promise<string | null> {
    const tried = addresses.slice(0, MAX_TRIED)
    const patienceMs = Math.min(PATIENCE_MS, timeoutMs / (tried.length + 1))
    for (const address of tried) if (await this.accepts(address, port, patienceMs)) return address
    return null
  }

  /** A call to this address has failed: it is asked again before the next one. */
  forget(address: string, port: number): void {
    this.known.delete(`${address} ${port}`)
  }

  private async accepts(address: string, port: number, patienceMs: number): Promise<boolean> {
    const name = `${address} ${port}`
    const acceptedAt = this.known.get(name)
    if (acceptedAt !== undefined && monotonicMs() - acceptedAt < FRESH_MS) return true
    this.known.delete(name)
    if (!(await opens(address, port, patienceMs))) return false
    if (this.known.size >= MAX_KNOWN) this.known.clear()
    this.known.set(name, monotonicMs())
    return true
  }
}

/** Whether a connection can be opened. It is closed again at once. */
function opens(host: string, port: number, patienceMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host, port })
  const timer = setTimeout(() => resolve(false), patienceMs)
  socket.once('connect', () => resolve(true))
  socket.once('error', () => resolve(false))
  return promise.finally(() => {
    clearTimeout(timer)
    socket.destroy()
  })
}
