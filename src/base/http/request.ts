import type { Context } from '../context'
import type { LimitState } from './rate-limit'

/** The connections of a server. */
export interface Sockets {
  requestIP(request: Request): { address: string; port?: number } | null
}

/** Facts of a request that are kept outside of Elysia's context, because early errors see no derived values. */
export interface RequestFacts {
  id: string
  /** Monotonic milliseconds. */
  startedAt: number
  path: string
  /** The template that an early answer is counted under; null = that of its path. */
  route: string | null
  /** The server that the request came to; null where the app is called without a socket. */
  sockets: Sockets | null
  limits: LimitState[]
  projectId: string | null
  /** The half of the API key that the call presented; null where the call needs no API key. */
  presented: 'public' | 'secret' | null
  /** The headers of the answer. */
  headers: Record<string, string | number>
  /** Takes back the count of a call that then failed. */
  undo: (() => void) | null
  /** The bytes of the body as received; empty until the body is read. */
  rawBody: Uint8Array
  /** Saves the answer of a request that claimed its Idempotency-Key. */
  save: ((status: number, response: unknown) => Promise<void>) | null
  /** Frees the claim of an Idempotency-Key when the request fails. */
  release: (() => Promise<void>) | null
}

const facts = new WeakMap<Request, RequestFacts>()

export const rememberRequest = (request: Request, known: RequestFacts): void => {
  facts.set(request, known)
}

/** The facts that the first hook saved. Every request that reaches a route has them. */
export function factsOf(request: Request): RequestFacts {
  const known = facts.get(request)
  if (!known) throw new Error('The request came past the first hook')
  return known
}

export const findFacts = (request: Request): RequestFacts | undefined => facts.get(request)

const INCOMING_ID = /^[A-Za-z0-9_-]{8,64}$/

/** The request id that the caller sent, when it is valid; else a new one. */
export const requestIdOf = (request: Request, make: () => string): string => {
  const given = request.headers.get('x-request-id')
  return given !== null && INCOMING_ID.test(given) ? given : make()
}

/** Without a valid `Host` header Bun gives only the path. */
const isOnlyPath = (url: string): boolean => url.startsWith('/')

const PLAIN_HOST = /^https?:\/\/[a-z0-9.-]+(:[0-9]{1,4})?\//

/**
 * Whether the URL has a host with which URL functions do not fail. Bun lets some pass that are none, such as `[::1`.
 */
export const hasUsableHost = (url: string): boolean => !isOnlyPath(url) && (PLAIN_HOST.test(url) || URL.canParse(url))

/** Bun joins repeated `Host` headers by a comma, which no host has. RFC 9112 3.2: such a request is 400. */
export const hasOneHost = ({ headers }: Request): boolean => headers.get('host')?.includes(',') !== true

/** The path of a URL. It builds no URL object, because it runs for every request. */
export function pathOf(url: string): string {
  const start = isOnlyPath(url) ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  if (start === -1) return '/'
  const end = url.indexOf('?', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}

/** Whether every escape is UTF-8 and none is NUL (wire 1.2). Routers guess at invalid UTF-8; PostgreSQL refuses NUL. */
export function isCleanText(escaped: string): boolean {
  if (!escaped.includes('%')) return true
  try {
    return !decodeURIComponent(escaped).includes('\0')
  } catch {
    return false
  }
}

/** The trace that a W3C `traceparent` header names, for the log. */
export const traceIdOf = (request: Request): string | undefined =>
  /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(request.headers.get('traceparent') ?? '')?.[1]

/** The address of the caller of a request, for limits. */
export const callerAddress = (ctx: Pick<Context, 'config'>, request: Request, facts: RequestFacts): string =>
  knownAddress(ctx, request, facts) ?? 'local'

/** As `callerAddress`, but null for a call from this process, which came over no connection. */
export function knownAddress(
  { config: { trustedProxies } }: Pick<Context, 'config'>,
  request: Request,
  { sockets }: RequestFacts,
): string | null {
  const socketIp = sockets?.requestIP(request)?.address
  const forwarded = trustedProxies === 0 ? null : request.headers.get('x-forwarded-for')
  return socketIp === undefined && forwarded === null ? null : clientIp(socketIp ?? '', forwarded, trustedProxies)
}

/** Address of the caller: of the socket, or as trusted proxies wrote it (wire 1.9). IPv6 is cut to its /64 network. */
export function clientIp(socketIp: string, forwardedFor: string | null, trustedProxies: number): string {
  if (trustedProxies === 0 || forwardedFor === null) return networkOf(socketIp)
  const hops = forwardedFor.split(',').map((hop) => hop.trim())
  return networkOf(hops[Math.max(0, hops.length - trustedProxies)] ?? socketIp)
}

function networkOf(address: string): string {
  const ip = withoutPort(address).toLowerCase()
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail] = ip.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  while (groups.length + after.length < 8) groups.push('0')
  return `${[...groups, ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/** The address without the port that some proxies add: `203.0.113.7:50123`, `[2001:db8::1]:50123`. */
const withoutPort = (address: string): string =>
  /^\[([^\]]*)\]/.exec(address)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ?? address
