import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { SECOND } from '../lib/clock'
import { hostOf, resolvedFault, type TargetRules, type UrlFault, urlFault } from '../lib/outgoing-url'
import { ReachableAddresses } from './reachable'

/** Why a call to an address that a user gave brought no answer. */
export type OutgoingFault = UrlFault | 'timeout' | 'unreachable' | 'too_large'

export type OutgoingResult =
  /** Any status; redirects are not followed. */
  { ok: true; status: number; headers: Headers; body: Uint8Array } | { ok: false; reason: OutgoingFault }

export interface OutgoingLimits {
  /** For the whole call: the look-up of the host, the connection and the body. */
  timeoutMs: number
  /** A longer body is `too_large`. */
  maxBytes: number
  /** Of a longer body the first `maxBytes` are returned, and the connection is closed: only the status matters. */
  isCut?: boolean
}

/** A request to an address that a user gave. */
export interface OutgoingInit extends RequestInit {
  /**
   * Put behind the address after the address was checked, with its question mark: what our own code adds for a known
   * provider, which may be a key. An address that contains one is refused.
   */
  secretQuery?: string
  /** The addresses of the host of this call, in place of the answer of the system's resolver. */
  resolve?: (host: string) => Promise<string[]>
}

interface Parts extends TargetRules {
  /** The addresses of a host name. By default the system's resolver. */
  resolve?: (host: string) => Promise<string[]>
  /** PEM text of a certificate that is believed instead of the usual ones. Only tests set it. */
  ca?: string
}

/**
 * Calls addresses that users gave (DESIGN 10). An address is checked at every call, and the connection goes to the very
 * IP address that was checked: a name that leads elsewhere a moment later changes nothing. Of several addresses, the
 * first that accepts a connection is called. The certificate must still be one for the name. No redirect is followed,
 * and time and size are limited.
 */
export class OutgoingCalls {
  private readonly reachable = new ReachableAddresses()

  constructor(private readonly parts: Parts) {}

  /** Why the address may not be called now; null when it may. Looks up its host. */
  async faultOf(address: string): Promise<UrlFault | null> {
    const target = await this.targetOf(address)
    return typeof target === 'string' ? target : null
  }

  /** Calls the address. Never throws for a fault of the other side. */
  async call(address: string, init: OutgoingInit, limits: OutgoingLimits): Promise<OutgoingResult> {
    const timeUp = AbortSignal.timeout(limits.timeoutMs)
    const signal = init.signal ? AbortSignal.any([init.signal, timeUp]) : timeUp
    try {
      return await until(signal, this.send(address, { ...init, signal }, limits))
    } catch {
      return { ok: false, reason: signal.aborted ? 'timeout' : 'unreachable' }
    }
  }

  /** As `call`, but with the body as it comes, until the signal of the request ends it. */
  async open(
    address: string,
    init: RequestInit,
    timeoutMs: number,
  ): Promise<{ ok: true; response: Response } | { ok: false; reason: OutgoingFault }> {
    const target = await this.targetOf(address)
    if (typeof target === 'string') return { ok: false, reason: target }
    const response = await this.sendTo(target, '', init, { timeoutMs, maxBytes: Number.MAX_SAFE_INTEGER })
    return response ? { ok: true, response } : { ok: false, reason: 'unreachable' }
  }

  private async send(
    address: string,
    { secretQuery = '', resolve, ...init }: OutgoingInit,
    limits: OutgoingLimits,
  ): Promise<OutgoingResult> {
    const target = await this.targetOf(address, resolve)
    if (typeof target === 'string') return { ok: false, reason: target }
    const response = await this.sendTo(target, secretQuery, init, limits)
    if (response === null) return { ok: false, reason: 'unreachable' }
    const body = await bodyOf(response, limits)
    const { status, headers } = response
    return body ? { ok: true, status, headers, body } : { ok: false, reason: 'too_large' }
  }

  /** Null when no address of several accepts a connection. An address that refuses one was sent nothing. */
  private async sendTo(
    target: Target,
    secretQuery: string,
    init: RequestInit,
    { timeoutMs }: OutgoingLimits,
  ): Promise<Response | null> {
    const { addresses, url } = target
    const [only] = addresses
    if (only !== undefined && addresses.length === 1) return this.fetchAt(target, only, secretQuery, init)
    for (let rest = addresses; rest.length > 0; ) {
      const pinned = await this.reachable.first(rest, portOf(url), timeoutMs)
      init.signal?.throwIfAborted()
      if (pinned === null) return null
      try {
        return await this.fetchAt(target, pinned, secretQuery, init)
      } catch (error) {
        this.reachable.forget(pinned, portOf(url))
        if (!isRefused(error)) throw error
        rest = rest.filter((address) => address !== pinned)
      }
    }
    return null
  }

  private fetchAt(
    { url, serverName }: Target,
    pinned: string,
    secretQuery: string,
    init: RequestInit,
  ): Promise<Response> {
    const pinnedUrl = new URL(url)
    pinnedUrl.hostname = isIP(pinned) === 6 ? `[${pinned}]` : pinned
    return fetch(pinnedUrl.href + secretQuery, {
      ...init,
      // Not packed, so that the limit counts the real size.
      headers: { ...Object.fromEntries(new Headers(init.headers)), host: url.host, 'accept-encoding': 'identity' },
      redirect: 'manual',
      // A kept connection was checked for another name.
      keepalive: false,
      decompress: false,
      tls: { ...(serverName && { serverName }), ...(this.parts.ca && { ca: this.parts.ca }) },
    })
  }

  private async targetOf(address: string, resolve = this.parts.resolve ?? resolveHost): Promise<Target | UrlFault> {
    const fault = urlFault(address, this.parts)
    if (fault) return fault
    const url = new URL(address)
    const host = hostOf(url)
    if (isIP(host) !== 0) return { url, addresses: [host], serverName: null }
    const addresses = await resolve(host).catch(() => [])
    // Each is checked, also those that are not called.
    const refused = resolvedFault(addresses, this.parts)
    if (refused) return refused
    const inOrder = [4, 6].flatMap((family) => addresses.filter((one) => isIP(one) === family))
    return { url, addresses: [...new Set(inOrder)], serverName: host }
  }
}

interface Target {
  url: URL
  /** The IP addresses of its host, IPv4 first; all were checked. */
  addresses: readonly string[]
  /** The name that the certificate must be for; null for an IP address. */
  serverName: string | null
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(ConnectionRefused|ECONNREFUSED)$/.test(String(error.code))

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'http:' ? 80 : 443)

/** Enough for one set of keys or the answer to one webhook. */
export const OUTGOING_LIMITS: OutgoingLimits = { timeoutMs: 5 * SECOND, maxBytes: 512 * 1024 }

const resolveHost = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/** The look-up of a host cannot be cancelled, so its result is not waited for. */
async function until<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The body, cut at the limit or, unless that is wanted, null when it is longer. The rest of it is not read. */
async function bodyOf({ body }: Response, { maxBytes, isCut = false }: OutgoingLimits): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = []
  let total = 0
  for await (const part of body ?? []) {
    total += part.length
    if (total > maxBytes && !isCut) return null
    parts.push(part)
    if (total >= maxBytes && isCut) break
  }
  return Buffer.concat(parts).subarray(0, maxBytes)
}
