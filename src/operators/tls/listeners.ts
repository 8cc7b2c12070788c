import type { Config } from '../../base/config'
import { MINUTE, monotonicMs, SECOND } from '../../base/lib/clock'
import type { Log } from '../../base/lib/log'
import type { ServedCertificate } from './certificate'

/** A public port could not be opened. The cause is the error of the operating system. */
export class PublicPortError extends Error {
  constructor(
    readonly port: number,
    readonly variable: 'SVC_HTTPS_PORT' | 'SVC_HTTP_PORT',
    cause: unknown,
  ) {
    super(`the port ${port} cannot be opened`, { cause })
  }
}

type Server = ReturnType<typeof Bun.serve>
type Answer = (request: Request) => Response | Promise<Response>

interface Parts {
  config: Pick<Config, 'tls' | 'keepAliveSeconds'>
  log: Log
  /** The application. */
  answer: Answer
  /** The answers on the port for http. */
  answerPlain: Answer
}

/** For so long both listeners accept, so that a connection that the old one has accepted is not lost. */
const OVERLAP_MS = SECOND
/** Each swap keeps the old listener until its connections end. */
const SWAP_EVERY_MS = MINUTE

/**
 * The ports for https and http. Bun cannot change the certificates of a listener, so a second one shares the port with the
 * first, which then stops to accept: no request is lost.
 */
export class PublicListeners {
  private http: Server | null = null
  private https: Server | null = null
  private readonly ending = new Set<Server>()
  private served = ''
  private swappedAtMs = Number.NEGATIVE_INFINITY
  private swapping: Promise<void> | null = null
  private isStopped = false
  private isLent = false
  /** The port for https, also while another listener has it. */
  private publicPort: number
  private certificates: readonly ServedCertificate[] = []
  /** Certificates that came while another listener has the port; null = none did. */
  private waiting: readonly ServedCertificate[] | null = null

  constructor(private readonly parts: Parts) {
    this.publicPort = parts.config.tls.httpsPort
  }

  /** Opens the port for http, and makes sure that the one for https is free. Throws a `PublicPortError`. */
  open(): void {
    const { httpPort, httpsPort } = this.parts.config.tls
    this.http = opening(httpPort, 'SVC_HTTP_PORT', () => this.listenPlain(httpPort))
    try {
      // Only a listener that does not share its port finds out that another program has it.
      opening(httpsPort, 'SVC_HTTPS_PORT', () => void this.listenPlain(httpsPort).stop(true))
    } catch (error) {
      void this.http.stop(true)
      throw error
    }
  }

  /**
   * Serves these certificates from now on; the first is for unknown names. False when they must wait, because the last
   * change was less than a minute ago, or until the port is given back. An empty list changes nothing: Bun would serve plain
   * http.
   */
  serve(certificates: readonly ServedCertificate[]): boolean {
    const wanted = markOf(certificates)
    if (this.isStopped || certificates.length === 0 || wanted === this.served) return true
    const isFirst = this.https === null
    if (this.isLent) this.waiting = certificates
    if (this.isLent || this.swapping || (!isFirst && monotonicMs() - this.swappedAtMs < SWAP_EVERY_MS)) return false
    this.certificates = certificates
    this.waiting = null
    const next = this.listenSecurely(certificates)
    this.publicPort = next.port ?? this.publicPort
    this.swap(next)
    if (!isFirst) this.swappedAtMs = monotonicMs()
    this.served = wanted
    return true
  }

  /**
   * Gives the port for https to another listener for a challenge. That one passes other clients on to the port on loopback
   * that it gets, null while there is no certificate. Returns how to take the port back. No connection is lost.
   */
  async lend(
    listen: (port: number, otherwise: number | null) => Promise<() => Promise<void>>,
  ): Promise<() => Promise<void>> {
    await this.swapping
    const outer = this.https
    const inner = outer && this.listenSecurely(this.certificates, '127.0.0.1', 0)
    const port = this.publicPort
    this.isLent = true
    try {
      const close = await listen(port, inner?.port ?? null)
      if (outer && inner) await this.replace(outer, inner)
      return () => this.takeBack(close, inner, port)
    } catch (error) {
      this.isLent = false
      await inner?.stop(true)
      throw error
    }
  }

  private async takeBack(close: () => Promise<void>, inner: Server | null, port: number): Promise<void> {
    // Challenges may follow one another without a pause in which new certificates could be served.
    const certificates = this.waiting ?? this.certificates
    this.waiting = null
    if (certificates.length > 0 && !this.isStopped) {
      this.https = this.listenSecurely(certificates, this.parts.config.tls.host, port)
      this.certificates = certificates
      this.served = markOf(certificates)
      await Bun.sleep(OVERLAP_MS)
    }
    await close()
    this.isLent = false
    if (inner) void this.endLater(inner)
  }

  /** The port for https; null before the first certificate. */
  get httpsPort(): number | null {
    return this.https === null ? null : this.publicPort
  }

  get httpPort(): number | null {
    return this.http?.port ?? null
  }

  /** Requests that are being answered. */
  get pendingRequests(): number {
    return this.all().reduce((sum, server) => sum + server.pendingRequests, 0)
  }

  /** Accepts nothing more; running requests continue. */
  close(): void {
    this.isStopped = true
    for (const server of this.all()) void server.stop()
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    this.close()
    await Promise.all(this.all().map((server) => server.stop(true)))
  }

  private all(): Server[] {
    return [this.http, this.https, ...this.ending].filter((server) => server !== null)
  }

  private swap(next: Server): void {
    const old = this.https
    this.https = next
    if (!old) return
    this.ending.add(old)
    this.swapping = this.end(old)
  }

  private async end(old: Server): Promise<void> {
    await Bun.sleep(OVERLAP_MS)
    this.swapping = null
    void this.endLater(old)
  }

  /** Accepts no more; its connections continue until they end. */
  private async endLater(old: Server): Promise<void> {
    this.ending.add(old)
    await old.stop()
    this.ending.delete(old)
  }

  private async replace(old: Server, next: Server): Promise<void> {
    this.https = next
    await Bun.sleep(OVERLAP_MS)
    void this.endLater(old)
  }

  private listenSecurely(
    certificates: readonly ServedCertificate[],
    host = this.parts.config.tls.host,
    port = this.publicPort,
  ): Server {
    const { config, answer } = this.parts
    return onAddress(host, (hostname) =>
      Bun.serve({
        ...{ hostname, port, tls: toTls(certificates), fetch: answer },
        ...{ reusePort: true, development: false, idleTimeout: config.keepAliveSeconds },
        maxRequestBodySize: Number.MAX_SAFE_INTEGER, // Our own limit answers with the envelope.
      }),
    )
  }

  private listenPlain(port: number): Server {
    const { config, answerPlain } = this.parts
    return onAddress(config.tls.host, (hostname) =>
      Bun.serve({ hostname, port, fetch: answerPlain, reusePort: false, development: false, idleTimeout: 10 }),
    )
  }
}

/** Which certificates these are. */
const markOf = (certificates: readonly ServedCertificate[]): string =>
  certificates.map(({ fingerprint }) => fingerprint).join(' ')

/** Every name once: the first certificate that is for it. */
function toTls(certificates: readonly ServedCertificate[]) {
  const byName = new Map(certificates.toReversed().flatMap((one) => one.names.map((name) => [name, one] as const)))
  const [first] = certificates
  const names = [...new Set(certificates.flatMap((one) => one.names))]
  return names.flatMap((serverName) => {
    const { chain, key } = byName.get(serverName) ?? first ?? { chain: '', key: '' }
    return chain === '' ? [] : [{ serverName, cert: chain, key }]
  })
}

/** All addresses of both families, or of IPv4 only on a machine without IPv6. */
function onAddress(host: string | null, listen: (hostname: string) => Server): Server {
  if (host !== null) return listen(host)
  try {
    return listen('::')
  } catch (error) {
    if (/^(EADDRINUSE|EACCES)$/.test(String((error as { code?: unknown }).code))) throw error
    return listen('0.0.0.0')
  }
}

function opening<Result>(port: number, variable: PublicPortError['variable'], open: () => Result): Result {
  try {
    return open()
  } catch (cause) {
    throw new PublicPortError(port, variable, cause)
  }
}
